"""The Python side of native functions: which functions have a twin in machine code, and how it takes their place.

`bind` takes machine code from the wheel at once. In a checkout a function is compiled, or loaded from the cache, when
it is first called. Where there is neither, Python functions stay.
"""

from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, Final, TypeVar

from rookery.kernel.native import layouts, shipped
from rookery.kernel.native.layouts import OPERATORS, TYPE_SLOTS, slots_fit

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

# Python functions that wrappers call: the one that answers instead; of attributes the setter, and one that refuses to
# delete; of entries one that raises an error after the machine code has failed, which it does only at an index.
PYTHON_FUNCTION, SETTER, DELETER, FAILED = "python function", "setter", "deleter", "failed"
REFLECTED: Final = "reflected"  # of an operator: the Python function of the reflected one
CALL: Final = "()"  # behind the name of a class: its constructor
VERSION: Final = "version"  # of a class: a list of one int

_VAR_POSITIONALS, _VAR_KEYWORDS = 0x4, 0x8  # in `co_flags`
_marked: Final[set[Any]] = set()
_objects: Final[dict[str, Any]] = {
    "ints by digits": (0, 1, 1 << 30, 1 << 60),
    "zero": 0,
    "small ints": (*range(257), False, True, None),
}


def native(function: F) -> F:
    """Mark a Python function that has a twin in machine code. `bind` puts the twin in its place.

    The function itself stays as it is: machine code calls it for whatever is not the usual case.
    """
    _marked.add(function)
    return function


def provide(name: str, value: Any) -> None:
    """Make an object known to machine code by a name: a class, a row, or a tuple of objects that it returns."""
    if not isinstance(value, type | bytes | tuple):
        raise TypeError(f"{name}: {type(value).__name__}: expected a class, bytes or a tuple")
    _objects[name] = value
    if isinstance(value, type):
        keep((value,))


def word_holder(name: str, attribute: str) -> type:
    """Return a class to derive from, whose objects hold a word of 64 bits as an attribute.

    Machine code reads and writes the word itself. Without machine code, the attribute is a slot of Python.
    """
    wheel = shipped.shipped()
    if wheel is None:
        return type(name.rpartition(".")[2], (), {"__slots__": (attribute,)})
    made: type[Any] = wheel.module.holder(name.encode(), object, layouts.WITH_WORD, False)
    place = layouts.WORD_MEMBER, layouts.FIRST_SLOT, 0
    setattr(made, attribute, wheel.module.member(made, attribute.encode(), *place, b""))
    made.__slots__ = (attribute,)  # so that `pickle` finds it
    return made


def field_holder(name: str) -> Any:
    """Return a class to derive from, whose objects are ints of 16 bits with three more objects, or None.

    ``holder.__new__(derived, number, *objects)`` makes an object, and `objects_with_fields` many. `show_fields` makes
    attributes of the three.
    """
    wheel = shipped.shipped()
    return wheel and wheel.module.holder(name.encode(), int, layouts.WITH_FIELDS, True)


def objects_with_fields(holder: type, owner: type, *columns: list[Any]) -> list[Any]:
    """Return objects of a class that derives from a `field_holder`, of columns of numbers and of the three objects."""
    wheel = shipped.shipped()
    assert wheel is not None
    made: list[Any] = wheel.module.objects(holder, owner, *columns)
    return made


def show_fields(owner: type, names: tuple[str, ...]) -> None:
    """Put attributes that read the three objects of a `field_holder` in the place of properties of a class."""
    _show(owner, {name: layouts.FIRST_FIELD + 8 * i for i, name in enumerate(names)})


def show_slots(owner: type, slots: dict[str, str]) -> bool:
    """Put attributes that read slots of a board in the place of properties, where a wheel has machine code.

    They cannot be assigned. Return whether they are in place: then the slots must follow the row.
    """
    wheel = shipped.shipped()
    if wheel is None or not slots_fit(wheel.module.peek, owner):
        return False
    places = {name: layouts.FIRST_SLOT + 8 * layouts.BOARD_SLOTS.index(slot) for name, slot in slots.items()}
    _show(owner, places)
    return True


def _show(owner: type, places: dict[str, int]) -> None:
    wheel = shipped.shipped()
    assert wheel is not None
    for name, offset in places.items():
        text = (vars(owner)[name].__doc__ or "").encode()
        member = wheel.module.member(owner, name.encode(), layouts.OBJECT_MEMBER, offset, layouts.READ_ONLY, text)
        setattr(owner, name, member)


def uncollected(owner: type[T]) -> type[T]:
    """Hide the objects of a class, which refer to nothing but the class, from the garbage collector.

    They take half the time to make and to let go. This decorates the class, since there must be no objects yet.
    """
    wheel = shipped.shipped()
    if wheel is not None:
        wheel.module.uncollect(owner)
    return owner


def keep(objects: tuple[Any, ...]) -> None:
    """Stop counting the references of objects that a module keeps for ever, where machine code and Python can."""
    wheel = shipped.shipped()
    if wheel is not None:
        wheel.module.keep(objects)


def bind(owner: type, kernels: str) -> None:
    """Put machine code in the place of the marked functions of a class.

    In a checkout the functions are compiled when they are first called. The function `machine_code_of` of the module
    `kernels` does it: it returns what `twins.twin_of` returns for a name.
    """
    if bind_from_wheel(owner):
        return
    for name, value, function in _marked_of(owner):
        if not isinstance(value, staticmethod):
            _bind_first(owner, name, value, function, kernels)


def bind_from_wheel(owner: Any) -> bool:
    """Put machine code of the wheel in the place of the marked functions of a class or a module.

    Return False if there is none. Small functions are bound by this alone, so that in a checkout they stay as they are:
    loading their machine code would take longer than all calls.
    """
    wheel = shipped.shipped()
    if wheel is None or not slots_fit(wheel.module.peek, owner):
        return False
    for name, value, function in _marked_of(owner):
        taken = _taken(wheel, owner, value, function)
        if taken is not None:
            setattr(owner, name, taken)
        if name in TYPE_SLOTS:
            _fill_slot(wheel, owner, name, value, function)
        elif name in OPERATORS and layouts.fit_operators(wheel.module.peek):
            _show_operator(wheel, owner, name, function)
    if isinstance(owner, type):
        _take_constructor(wheel, owner)
    return True


def _take_constructor(wheel: shipped.Shipped, owner: type) -> None:
    """Let machine code of the wheel answer calls of a class, if there is any, until its constructors are replaced."""
    symbol = f"{shipped.TWIN}{owner.__qualname__}{CALL}"
    if symbol not in wheel.objects:
        return
    version = [0]

    def constructors() -> list[Any]:
        return [vars(owner).get(name) for name in ("__new__", "__init__")]

    def usual(*args: Any, **named: Any) -> Any:
        made = type.__call__(owner, *args, **named)
        if constructors() == expected:
            version[0] = _version(wheel, owner)
        return made

    expected = constructors()
    own = {PYTHON_FUNCTION: usual, VERSION: version}
    objects = tuple(own[name] if name in own else _objects[name] for name in wheel.objects[symbol])
    owner.__doc__ = owner.__doc__  # a change
    before = _version(wheel, owner)
    hasattr(owner, "__slots__")  # a use
    if before == 0 < _version(wheel, owner):
        wheel.take(symbol, shipped.CONSTRUCTOR, owner, objects, b"")


def _version(wheel: shipped.Shipped, owner: type) -> int:
    version = wheel.module.peek(owner, layouts.TYPE_VERSION) & 0xFFFF_FFFF
    return version if version < 1 << layouts.DIGIT_BITS else 0


def _marked_of(owner: Any) -> list[tuple[str, Any, Any]]:
    """Return the marked functions of a class or a module: their names, what the names stand for, and the functions."""
    found = [(name, value, _function_of(value)) for name, value in vars(owner).items()]
    return [part for part in found if type(part[2]) is FunctionType and part[2] in _marked]


def _taken(wheel: shipped.Shipped, owner: Any, value: Any, function: Any) -> Any:
    """Return what machine code of the wheel makes of an attribute of a class, or None."""
    symbol = shipped.TWIN + function.__qualname__
    names = wheel.objects.get(symbol)
    if names is None or is_slot(names) or REFLECTED in names:
        return None
    objects = objects_for(names, owner, value, function)
    if isinstance(value, staticmethod) or not isinstance(owner, type):
        return wheel.take(
            symbol, shipped.FUNCTION, function.__module__, objects, documentation(function, of_class=False)
        )
    form = (
        shipped.ATTRIBUTE
        if isinstance(value, property)
        else shipped.CLASS_METHOD
        if isinstance(value, classmethod)
        else shipped.METHOD
    )
    return wheel.take(symbol, form, owner, objects, documentation_of(value, function))


def _fill_slot(wheel: shipped.Shipped, owner: type, name: str, value: Any, function: Any) -> None:
    """Put machine code of the wheel for an operator in its slot of a class, if there is any."""
    symbol = shipped.TWIN + _name_of_slot(owner, name)
    names = wheel.objects.get(symbol)
    if names is not None and is_slot(names):
        wheel.take(symbol, shipped.SLOT, owner, objects_for(names, owner, value, function), b"")


def _show_operator(wheel: shipped.Shipped, owner: type, name: str, function: Any) -> None:
    """Make machine code of the wheel for an operator the attributes of a class, if there is any.

    They are like those of int: Python puts the function in the slot of the class, and of classes derived from it.
    """
    symbol = shipped.TWIN + _name_of_slot(owner, name)
    names = wheel.objects.get(symbol)
    if names is None or REFLECTED not in names:
        return
    address = wheel.take(symbol, shipped.OPERATOR, owner, objects_for(names, owner, function, function), b"")
    if address is not None:
        for each in (name, OPERATORS[name]):
            setattr(owner, each, wheel.module.wrapped(owner, vars(int)[each], address))


def _name_of_slot(owner: type, name: str) -> str:
    return f"{owner.__qualname__}.{name}"


def is_slot(objects: tuple[str, ...]) -> bool:
    """Return whether machine code is for a slot of a class: it calls what was in the slot, not the Python function."""
    return PYTHON_FUNCTION not in objects


def documentation_of(value: Any, function: Any) -> bytes:
    """Return the documentation of machine code in the place of an attribute of a class. `value` is what it was."""
    return (value.__doc__ or "").encode() if isinstance(value, property) else documentation(function, of_class=True)


def objects_for(names: tuple[str, ...], owner: Any, value: Any, function: Any) -> tuple[Any, ...]:
    """Return the objects that machine code uses in the place of an attribute of a class. `value` is what it was."""
    own = {
        PYTHON_FUNCTION: function,
        SETTER: getattr(value, "fset", None) or _refusing(owner, function, "setter"),
        DELETER: _refusing(owner, function, "deleter"),
    }
    if REFLECTED in names:
        own[REFLECTED] = vars(owner)[OPERATORS[function.__name__]]
    return tuple(own[name] if name in own else _objects[name] for name in names)


def _refusing(owner: Any, function: Any, missing: str) -> Any:
    def refuse(*_: Any) -> None:
        raise AttributeError(f"property {function.__name__!r} of {owner.__name__!r} object has no {missing}")

    return refuse


def _function_of(value: Any) -> Any:
    if isinstance(value, property):
        return value.fget
    return value.__func__ if isinstance(value, classmethod | staticmethod) else value


def _bind_first(owner: type, name: str, value: Any, function: Any, kernels: str) -> None:
    def install() -> Any:
        """Replace the attribute by machine code if there is any, else by what it was, and return it."""
        if vars(owner)[name] is not waiting:  # a method that was taken from its object before the first call
            return vars(owner)[name]
        found = import_module(kernels).machine_code_of(function.__qualname__)
        taken = value if found is None else found.attribute(owner, value, function)
        if vars(owner)[name] is waiting:
            setattr(owner, name, taken)
            if name in TYPE_SLOTS:
                found = import_module(kernels).machine_code_of(_name_of_slot(owner, name))
                if found is not None:
                    found.fill_slot(owner, value, function)
        return vars(owner)[name]

    def first(*args: Any, **named: Any) -> Any:
        return install()(*args, **named)

    waiting: Any
    if isinstance(value, property):
        waiting = property(lambda self: install().__get__(self, owner), value.fset, value.fdel, value.__doc__)
    elif isinstance(value, classmethod):

        def first_of_class(cls: type, *args: Any, **named: Any) -> Any:
            return install().__get__(None, cls)(*args, **named)

        waiting = classmethod(_like(first_of_class, function))
    else:
        waiting = _like(first, function)
    setattr(owner, name, waiting)


def _like(first: Any, function: Any) -> Any:
    """Give a function the name, the documentation and the signature of another one."""
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(first, attribute, getattr(function, attribute))
    first.__wrapped__ = function
    return first


def documentation(function: Any, *, of_class: bool) -> bytes:
    """Return what ``__doc__`` and ``__text_signature__`` of a native function are made of."""
    return f"{function.__name__}({', '.join(_parameters(function, of_class))})\n--\n\n{function.__doc__ or ''}".encode()


def _parameters(function: Any, of_class: bool) -> list[str]:
    """Return the parameters of a function as a signature lists them. `inspect` would take 5 ms to import."""
    code = function.__code__
    positional, keywords = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    defaults = dict(zip(reversed(names[:positional]), reversed(function.__defaults__ or ()), strict=False))
    defaults |= function.__kwdefaults__ or {}
    listed = [f"{name}={_default(defaults[name])}" if name in defaults else name for name in names]
    if of_class:
        listed[0] = f"${listed[0]}"
    more = iter(names[positional + keywords :])
    rest = [f"*{next(more)}"] if code.co_flags & _VAR_POSITIONALS else ["*"] if keywords else []
    rest += listed[positional : positional + keywords]
    return [*listed[:positional], *rest, *([f"**{next(more)}"] if code.co_flags & _VAR_KEYWORDS else [])]


def _default(value: Any) -> str:
    """Return a default as `inspect` reads it in a signature: in ASCII."""
    return ascii(value) if value is None or isinstance(value, bool | int | str | float) else "..."
