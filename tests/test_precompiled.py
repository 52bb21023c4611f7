"""Compilation in advance: all that the calls of users need, and nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery.shipping.precompiled import units
from thinning import slow_but

pytestmark = pytest.mark.compiler

# Only benchmarks and `rookery doctor` run these.
EXCLUDED = {
    "bench.lanes:count_one_by_one",
    *(
        f"bench.uses.loops:{name}"
        for name in (
            "chain",
            "change_and_look",
            "change_and_look_freely",
            "look_for_all_sliders",
            "look_in_busy_caches",
            "look_on_boards",
            "one_look_up",
        )
    ),
}
# Techniques declare what their methods call.
DECLARED_ELSEWHERE = ("techniques.base.protocol:", "rules.compiled:")
# With lookups, rays, fills, and a state of its own.
ASKED = ("magic-fancy", "classical", "kogge-stone", "rotated-hyatt")
NAMED = """
import importlib, json, pkgutil, sys
import rookery
from rookery.kernel import Entry
from rookery.kernel.entries import record_entries
from rookery.kernel.codecache.type_keys import text_of
from rookery.kernel.entries import declared
from rookery.native_methods.kinds import TWINS
from rookery.shipping.precompiled import calls_of, units
from rookery.techniques import ALL

def named(entry):
    return f"{entry.__module__}:{entry.__name__}".removeprefix("rookery.") + "*" * entry.aliases
"""
DECLARED = f"""{NAMED}
wanted = [name for name in units() if name in {ASKED!r} or name not in {{t.name for t in ALL}}]
every = [(named(entry), text_of(example)) for name in wanted for entry, example in calls_of(name)]
calls = {{*every}}
"""
RECORDED = f"""{DECLARED}
from public_calls import CALLS, ask
recorded = {{}}
with record_entries(lambda entry, example: recorded.setdefault((named(entry), text_of(example)), (entry, example))):
    for run in CALLS.values():
        run()
    for name in {ASKED!r}:
        ask(rookery.technique(name))
native = {{named(twin.entry) for twin in TWINS.values()}}
in_vain = {{name for name, _ in calls - {{*recorded}}}} - native
lost = [name for (name, _), (entry, example) in recorded.items() if not entry.is_kept(*example)]
print(json.dumps([sorted({{*recorded}} - calls), sorted(in_vain), lost]))
"""
WITHOUT_EXAMPLES = f"""{NAMED}
names = {{f"rookery.{{name}}" for name in units()}}
with_examples = {{id(entry) for module, entry, _ in declared if module in names}}
with_examples |= {{id(twin.entry) for twin in TWINS.values() if twin.entry.__module__ in names}}
found = []
for info in pkgutil.walk_packages(rookery.__path__, "rookery."):
    if not info.name.endswith("__main__"):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, Entry) and value.__module__ == info.name and id(value) not in with_examples:
                found.append(named(value))
print(json.dumps(found))
"""


def python(program: str) -> Any:
    folders = Path(rookery.__file__).parents[1], Path(__file__).parent / "shared"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_users_wait_for_nothing_that_is_compiled_in_advance() -> None:
    """Each entry that public functions call is declared with the types of their arguments, and no other is.

    Its machine code is kept, which it is only if it needs nothing but Python.
    """
    missing, in_vain, lost = python(RECORDED)
    assert missing == []
    assert [name for name in in_vain if not name.startswith(DECLARED_ELSEWHERE)] == []
    assert lost == []


def test_every_entry_has_examples() -> None:
    found = python(WITHOUT_EXAMPLES)
    assert {name for name in found if not name.startswith(DECLARED_ELSEWHERE)} == EXCLUDED


def test_examples_need_no_compiler() -> None:
    """Code for another CPU can be compiled after the examples have been made: Numba has not chosen one yet."""
    compiler, number, different = python(
        f"{DECLARED}\nprint(json.dumps(['numba' in sys.modules, len(every), len(calls)]))"
    )
    assert compiler is False
    assert number == different > 200, "nothing is compiled by two units"


def test_units() -> None:
    assert len({*units()}) == len(units())
    assert {t.name for t in rookery.techniques()} < {*units()}
    assert all(name[0] != "_" for name in units())


@pytest.mark.parametrize(
    "name",
    slow_but(("data.training.binary.viriformat", "counting.lanes", "kogge-stone", "board.kernels.fen"), "kogge-stone"),
)
def test_a_unit_alone_declares_the_same(name: str) -> None:
    """A process that compiles one unit imports no more than its module."""
    program = f"{NAMED}\nprint(json.dumps(sorted([named(e), text_of(x)] for e, x in calls_of({name!r}))))"
    alone = python(program)
    assert alone
    assert alone == python(program.replace("print", "units()\nprint"))
