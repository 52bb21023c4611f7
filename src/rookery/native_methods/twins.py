"""The machine code of marked functions in a checkout: compiled or loaded from the cache, and bound to classes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rookery.kernel.codecache.cache import CodeCache
from rookery.kernel.codecache.type_keys import text_of
from rookery.kernel.first_use import once
from rookery.kernel.native import units
from rookery.kernel.native.layouts import slots_fit
from rookery.kernel.native.marks import documentation_of, is_slot, objects_for
from rookery.kernel.native.shipped import TWIN
from rookery.kernel.settings import has_compiler, settings
from rookery.native_methods.kinds import TWINS, described, objects_of


class Bound(NamedTuple):
    """A twin in this process."""

    loaded: units.Loaded
    objects: tuple[str, ...]
    is_getter: bool

    def fill_slot(self, owner: type, value: Any, function: Any) -> None:
        """Put the machine code of an operator in its slot of a class."""
        if is_slot(self.objects) and slots_fit(units.peek, owner):
            units.into_slot(self.loaded, objects_for(self.objects, owner, value, function), owner)

    def attribute(self, owner: type, value: Any, function: Any) -> Any:
        """Return what an attribute of a class becomes. `value` is what it was, and stays if slots are elsewhere."""
        if is_slot(self.objects) or not slots_fit(units.peek, owner):
            return value
        objects = objects_for(self.objects, owner, value, function)
        text = documentation_of(value, function)
        return units.as_method(self.loaded, objects, owner, text, is_getter=self.is_getter)


@once
def twin_of(name: str, tables: Callable[[], Any]) -> Bound | None:
    """Return the machine code of a native function, compiled if need be, or None where Python functions answer.

    `tables` returns the default technique's tables.
    """
    if settings().no_compiler or not has_compiler() or not units.layouts_fit():
        return None
    twin = TWINS.get(name)
    if twin is None:
        return None
    examples = (*twin.examples, *((tables(),) if twin.tables else ()))
    types = f"{text_of(examples)} {described(twin)}"
    cache = CodeCache(twin.entry.function, f"native-{name}")
    loaded = cache.load(types)
    if loaded is None:
        from rookery.native_methods import wrappers

        kernel = twin.entry.compiled_ir(examples)
        symbol = TWIN + name
        unit = units.unit_of(wrappers.wrapper_of(twin, kernel, symbol), kernel, symbol, inline=True)
        cache.save(types, unit, {*map(Path, kernel.sources), Path(wrappers.__file__)})
        loaded = units.load(unit)
    return Bound(loaded, objects_of(twin), twin.is_getter)


def names_of_objects() -> dict[str, tuple[str, ...]]:
    """Return the names of the objects that each declared twin uses, by its symbol."""
    return {TWIN + name: objects_of(twin) for name, twin in TWINS.items()}
