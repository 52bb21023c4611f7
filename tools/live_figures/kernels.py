"""Kernels for the figures: modules of JavaScript, translated from the library's kernels as `rookery export` does.

Words are BigInts in a module's functions, squares and directions are numbers. A figure imports its module as
./NAME_kernels.js.
"""

import dataclasses
import inspect
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import rookery
from rookery.bitboards import sets
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, MAPPINGS
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.explain.export.ir import Assign, Function, Name, Program, Return
from rookery.explain.export.kernel_values import Tables
from rookery.explain.export.languages.javascript import JavaScript
from rookery.explain.export.languages.javascript_texts import HIGH, PAIRS
from rookery.explain.export.program import attack_kernel
from rookery.explain.export.translate import KernelTranslator
from rookery.explain.export.writer import Export, paragraphs
from rookery.rules import sliders
from rookery.techniques import kogge_stone, technique
from rookery.techniques.base import NoTables

NUMBERS: Final = ("direction", "n")  # parameters that are small numbers, as squares are


class Module:
    """A module of JavaScript, to which kernels and values are added."""

    def __init__(self) -> None:
        self.program = Program()
        self.translator = KernelTranslator(self.program)
        self.public: list[str] = []
        self.values: dict[str, Any] = {}
        self.filled: list[
            str
        ] = []  # tables that the figure fills: it reads them as arrays of halves, the low one first

    def add(self, kernel: Callable[..., Any], name: str | None = None, **fixed: Any) -> Function:
        """Add a kernel: the arguments that are not `fixed` are words."""
        parameters = list(inspect.signature(inspect.unwrap(kernel)).parameters)
        arguments = tuple(fixed.get(parameter, Name(parameter)) for parameter in parameters)
        own = self.translator.function(kernel, arguments, name)
        self.public.append(own)
        return self.program.functions[own]

    def add_assignments(self, kernel: Callable[..., Any], name: str, **fixed: Any) -> None:
        """Add a kernel without branches, and a function for the value of each of its assignments in turn."""
        whole = self.add(kernel, name, **fixed)
        ends = [i for i, s in enumerate(whole.body) if isinstance(s, Assign)]
        for count, end in enumerate(ends):
            last = whole.body[end]
            assert isinstance(last, Assign)
            body = (*whole.body[: end + 1], Return(Name(last.name)))
            function = dataclasses.replace(whole, name=f"{whole.name}_{count}", body=body)
            self.public.append(self.translator.enter(function).name)

    def add_attacks(self, name: str) -> None:
        """Add the attacks of rook and bishop, by a technique."""
        t = technique(name)
        for piece in ("rook", "bishop"):
            arguments = (Name("sq"), Name("occupied"), Tables(t.tables()))
            self.public.append(self.translator.function(attack_kernel(t, piece), arguments, f"{piece}_attacks"))

    def text(self) -> str:
        """Return the module."""
        parts: list[str | list[str]] = ["// Translated from the library by tools/live_figures/kernels.py."]
        for table in self.filled:
            self.program.tables[table].fillers.append("the figure")
        if self.public:
            writer = JavaScript(Export(self.program.pruned(), Program(), LITTLE_ENDIAN_RANK_FILE, []))
            parts += [HIGH, PAIRS, writer.body(self.program)]
            parts += [_with_bigints(self.program.functions[name]) for name in self.public]
        parts += [f"export const {name} = {_literal(value)};" for name, value in self.values.items()]
        parts += [f"export const tables = {{ {', '.join(self.filled)} }};"] if self.filled else []
        return paragraphs(*parts)


def _literal(value: Any) -> str:
    """Return a value: words in quotation marks become BigInts."""
    return re.sub(r'"(0x[0-9a-f]+)"', r"\1n", json.dumps(value))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _with_bigints(f: Function) -> str:
    """Return a function of BigInts that calls one of pairs."""

    def passed(parameter: str) -> str:
        if parameter in f.squares:
            return parameter
        return f"{parameter}, 0" if parameter in NUMBERS else f"set_high({parameter}), high"

    return (
        f"function {f.name}_of_bigints({', '.join(f.parameters)}) {{\n"
        f"    const low = {f.name}({', '.join(map(passed, f.parameters))});\n    return word(low, high);\n}}\n"
        f"export {{ {f.name}_of_bigints as {_camel(f.name)} }};"
    )


def squares() -> Module:
    """Return the bit of each square in each of the eight mappings."""
    module = Module()
    module.values["mappings"] = {name: [m.index(square) for square in range(64)] for name, m in MAPPINGS.items()}
    return module


def steps() -> Module:
    """Return the steps of sets in eight directions."""
    module = Module()
    module.add(sets.step)
    return module


def fills() -> Module:
    """Return Kogge-Stone's fill, with the values of g and p after each line, and the step that follows it."""
    module = Module()
    module.add_assignments(kogge_stone.fill, "fill", t=Tables(NoTables()))
    module.add(sets.step)
    return module


def lines() -> Module:
    """Return the attacks of sliders."""
    module = Module()
    module.add_attacks("hyperbola")
    return module


def pins() -> Module:
    """Return the attacks of all pieces, and the generator's test for pieces that alone stand before a king."""
    module = Module()
    module.add_attacks("hyperbola")
    module.add(sliders.shield)
    module.add(sliders.pin_rays)
    leapers: dict[str, Callable[[int], int]] = {
        "knight": rookery.knight_attacks,
        "king": rookery.king_attacks,
        "whitePawn": partial(rookery.pawn_attacks, rookery.WHITE),
    }
    for name, attacks in leapers.items():
        module.values[f"{name}Attacks"] = [hex(attacks(square)) for square in range(64)]
    return module


def shapes() -> Module:
    """Return the pieces as they are drawn in pictures."""
    module = Module()
    module.values["shapes"] = {letter: shape._asdict() for letter, shape in SHAPES.items()}
    return module


MODULES: Final[dict[str, Callable[[], Module]]] = {
    "squares": squares,
    "steps": steps,
    "fills": fills,
    "lines": lines,
    "pins": pins,
    "shapes": shapes,
}
