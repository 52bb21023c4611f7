"""Fixtures for all: `technique`, every technique in turn; `visit`, the explorer in a browser; `figure`, a figure of the
documentation in a browser; and which tests are quick.
"""

import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from browser import Visits, launched, visits
from compiler import HAS_NUMBA, REASON, all_in_machine_code
from dask_cluster import Cluster
from rookery.techniques import ALL
from rookery.techniques.base import Technique

pytest.register_assert_rewrite("definitions", "edge_cases", "command_line", "crash_checks")

# A shell that runs the tests in the background has them ignore Ctrl-C, and every command they start inherits that:
# the tests that interrupt one would wait for it in vain. A handler of our own is not inherited, and so undoes it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a test suite that fails on some days only helps nobody. HYPOTHESIS_PROFILE=search
# goes looking for new ones.
settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("search", max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# What `-m quick` runs: modules of every package. Each takes a few seconds once compiled.
QUICK: Final = frozenset(
    """
    seed_boards/test_drawings.py seed_boards/test_seed_basics.py seed_boards/test_seed_classical.py
    seed_boards/test_seed_lines.py seed_boards/test_seed_magics.py seed_boards/test_seed_rotated.py
    seed_boards/test_seed_scans.py seed_boards/test_seed_sherwin.py test_arguments.py bitboards/test_bits.py
    bitboards/test_bitboard.py bitboards/test_squares.py bitboards/test_lines.py bitboards/test_sets.py
    bitboards/test_leapers.py bitboards/test_placement.py test_packaging.py test_readme.py kernel/test_instructions.py
    techniques/test_calls.py explain/export/test_export_translate.py magics/test_magics.py magics/test_atlas.py
    research/magics/find/test_find.py board/test_moves.py board/test_queries.py rules/notation/test_fen_faults.py
    rules/notation/test_san_uci.py rules/test_edge_castling.py rules/test_edge_pawns_and_checks.py
    rules/test_edge_positions.py pgn/test_pgn_files.py board/test_threads.py board/test_python_chess_names.py
    positions/test_operands.py positions/test_many_checkers.py positions/test_rollouts.py
    positions/test_data_frames.py positions/test_text.py explain/test_page.py bitboards/pictures/test_svg.py
    docsite/test_docstrings.py docsite/test_reference.py positions/language/test_syntax_tokens.py
    positions/language/test_syntax_tree.py bench/test_bench_quiet.py compat/test_compat_names.py
    counting/test_two_plies.py data/datasets/test_reading_datasets.py frames/test_frames.py games/search/test_hits.py
    games/interchange/test_header_columns.py data/pipeline/test_missing_values.py data/puzzles/test_tag_puzzles.py
    sources/test_formats.py sources/test_one_door.py tasks/test_journal.py data/training/test_training_files.py
    cli/test_cli_moves_fen.py
    """.split()
)
# Modules that test the compiler itself. Single tests elsewhere have the marker `compiler`.
OF_THE_COMPILER: Final = frozenset(
    """
    native/test_native_functions.py test_called_kernels.py test_dependencies.py test_emitted_calls.py
    test_instructions.py test_kernel.py test_linkable.py test_linked_kernels.py test_mixed_numbers.py test_nibbles.py
    test_other_systems.py test_random_kernels.py test_refused_kernels.py test_shipped_code.py test_trust.py
    test_unknown_numba.py
    test_warm_start.py test_words.py
    """.split()
)
_HERE: Final = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the records of tests/recorded again")
    parser.addoption("--fuzz-seconds", type=float, default=60.0, help="for each target of -m fuzz")
    parser.addoption("--fuzz-seed", type=int, help="repeats a run of -m fuzz; another one each time by default")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Show what targets of `-m fuzz` did."""
    for reports in list(terminalreporter.stats.values()):
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "fuzz" and report.when == "call":
                    terminalreporter.write_line(text)


class _NeedsCompiler(pytest.Module):
    def collect(self) -> Any:
        pytest.skip(REASON, allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, list[Any], list[Any]]:
    """Skip modules that test the compiler where there is none, and their doctests."""
    found = yield
    kernel = _HERE / "kernel"
    is_other = not file_path.is_relative_to(kernel) or file_path.relative_to(kernel).as_posix() not in OF_THE_COMPILER
    if HAS_NUMBA or is_other:
        return found
    return [_NeedsCompiler.from_parent(parent, path=file_path)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m quick``, leave out the other modules: to import them takes longer than the tests."""
    other = collection_path.suffix == ".py" and collection_path.relative_to(_HERE).as_posix() not in QUICK
    return True if config.option.markexpr == "quick" and other else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is quick, and skip what needs a compiler where there is none."""
    missing = sorted(name for name in QUICK if not (_HERE / name).is_file())
    if missing:
        raise pytest.UsageError(f"tests/conftest.py, QUICK: no such files: {', '.join(missing)}")
    for item in items:
        if not HAS_NUMBA and item.get_closest_marker("compiler"):
            item.add_marker(pytest.mark.skip(reason=REASON))
        if not item.path.is_relative_to(_HERE) or item.get_closest_marker("slow"):
            continue
        if item.path.relative_to(_HERE).as_posix() in QUICK:
            item.add_marker(pytest.mark.quick)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Without a compiler, find calls that a wheel has no machine code for: with `ROOKERY_ALL_IN_MACHINE_CODE=1`."""
    if HAS_NUMBA or os.environ.get("ROOKERY_ALL_IN_MACHINE_CODE") != "1":
        return (yield)
    with all_in_machine_code():
        return (yield)


@pytest.fixture(params=ALL, ids=lambda t: t.name)
def technique(request: pytest.FixtureRequest) -> Technique:
    chosen: Technique = request.param
    return chosen


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One Dask cluster for all tests of a file."""
    pytest.importorskip("distributed", reason='needs Dask: pip install ".[dask]"')
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of a process: to start it, and to open a first window, takes seconds."""
    with launched() as browser:
        yield browser


# The explorer, open in a browser.


@pytest.fixture(scope="session")
def explorer_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The explorer's page. To make it takes seconds."""
    from rookery.explain.explorer import explorer

    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(explorer(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def explorer_visits(chromium: Any, explorer_page: Path) -> Iterator[Visits]:
    """Windows that visit the explorer."""
    with visits(chromium, explorer_page) as found:
        yield found


@pytest.fixture
def visit(explorer_visits: Visits) -> Iterator[Any]:
    """Opens the explorer with a state: ``visit(technique="rays", square="d4")``; no page may have a fault."""
    explorer_visits.faults.clear()

    def opened(**state: Any) -> Any:
        page = explorer_visits(**state)
        page.wait_for_selector("#step h3", state="attached")
        return page

    yield opened
    faults = list(explorer_visits.faults)
    explorer_visits.leave()
    assert faults == []


@pytest.fixture(scope="session")
def figure_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with a page for each live figure."""
    pytest.importorskip("furo", reason="the extra docs is not installed")
    from figure_site import build_figures

    return build_figures(tmp_path_factory.mktemp("figures"))


@pytest.fixture(scope="session")
def figure_visits(chromium: Any, figure_pages: Path) -> Iterator[Visits]:
    """Windows that visit the pages of figures."""
    with visits(chromium, figure_pages) as found:
        yield found


@pytest.fixture
def figure(figure_visits: Visits) -> Iterator[Any]:
    """A function that opens a figure's page and waits until the figure is live. What the browser complains of fails the
    test.
    """
    figure_visits.faults.clear()

    def open_page(name: str, **how: Any) -> Any:
        page = figure_visits(named=f"{name}.html", **how)
        if how.get("script", True):
            page.wait_for_selector("[data-figure].live")
        return page

    yield open_page
    faults = list(figure_visits.faults)
    figure_visits.leave()
    assert faults == []
