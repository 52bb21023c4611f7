"""The code cache reads, and unpickles, only what nobody but its owner can have written."""

import ast
import hashlib
import os
import pickle
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rookery
from rookery.kernel import notice
from rookery.kernel.codecache import trust

PACKAGE = Path(rookery.__file__).parent
US = frozenset((0, os.geteuid())) if os.name == "posix" else frozenset[int]()
OTHER = 54321

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no bits of permissions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that nobody has looked at yet, with a file."""
    trust._fault_of_folder.cache_clear()
    trust._is_private.cache_clear()
    made = tmp_path / "cache" / "own"
    trust.make_folder(made)
    (made / "file").write_bytes(b"content")
    (made / "file").chmod(0o600)
    return made


def refusal(file: Path, trusted: frozenset[int] = US) -> str:
    """The reason for which a file is not read, or "" if it is."""
    trust._fault_of_folder.cache_clear()
    try:
        assert trust.read(file, trusted) == b"content"
    except trust.Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o644, 0o755])
def test_files_that_only_the_owner_may_write_are_read(folder: Path, mode: int) -> None:
    (folder / "file").chmod(mode)
    assert refusal(folder / "file") == ""


@pytest.mark.parametrize("mode", [0o602, 0o666, 0o777])
def test_files_that_all_may_write_are_refused(folder: Path, mode: int) -> None:
    (folder / "file").chmod(mode)
    assert refusal(folder / "file") == f"others may write to {folder / 'file'}"


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o703])
def test_folders_that_all_may_write_are_refused(folder: Path, mode: int) -> None:
    """In a folder with the sticky bit others may add files, such as links to other files of the owner."""
    folder.chmod(mode)
    assert refusal(folder / "file") == f"others may write to {folder}"


def test_folders_above_may_be_written_by_all_only_with_the_sticky_bit(folder: Path) -> None:
    folder.parent.chmod(0o1777)
    assert refusal(folder / "file") == ""
    folder.parent.chmod(0o777)
    assert refusal(folder / "file") == f"others may write to {folder.parent}"


def test_what_belongs_to_others_is_refused(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in (folder / "file", folder, folder.parent):
            os.chown(path, OTHER, -1)
            assert refusal(folder / "file") == f"{path} belongs to user {OTHER}"
            assert refusal(folder / "file", US | {OTHER}) == ""
            os.chown(path, 0, -1)
    else:
        assert refusal(folder / "file", frozenset((0, OTHER))).endswith(f" belongs to user {os.geteuid()}")


def test_root_the_user_and_the_owner_of_the_source_are_trusted(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.touch()
    assert trust.owners(source) == US
    if os.geteuid() == 0:
        os.chown(source, OTHER, -1)
        assert trust.owners(source) == US | {OTHER}


def test_what_a_group_may_write_is_refused_unless_the_owner_is_alone_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import grp
    import pwd

    found = folder.stat()
    user: Any = SimpleNamespace(pw_name="anna", pw_gid=found.st_gid)
    group: Any = SimpleNamespace(gr_name="anna", gr_mem=[])
    monkeypatch.setattr(pwd, "getpwuid", lambda number: user)
    monkeypatch.setattr(grp, "getgrgid", lambda number: group)
    for path in (folder / "file", folder, folder.parent):
        path.chmod(0o770)

    def refused() -> bool:
        trust._is_private.cache_clear()
        return refusal(folder / "file") != ""

    assert not refused()
    group.gr_mem = ["anna"]
    assert not refused()
    group.gr_mem = ["anna", "bert"]
    assert refused()
    group.gr_mem, group.gr_name = [], "users"
    assert refused()
    group.gr_name, user.pw_gid = "anna", found.st_gid + 1
    assert refused()

    def unknown(number: int) -> Any:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert refused()


def test_links_are_followed_to_where_nobody_else_may_write(folder: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    (shared / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    (shared / "inner" / "link").symlink_to("../../link")
    (folder / "linked").symlink_to(folder / "file")
    for file in (tmp_path / "link" / "file", shared / "inner" / "link" / "file", folder / "linked"):
        assert refusal(file) == ""
    shared.chmod(0o777)  # anyone may put another link in place of this one
    assert refusal(shared / "inner" / "link" / "file") == f"others may write to {shared}"
    (folder / "linked").unlink()
    (shared / "inner" / "file").write_bytes(b"content")
    (folder / "linked").symlink_to(shared / "inner" / "file")
    assert refusal(folder / "linked") == f"others may write to {shared}"
    shared.chmod(0o755)
    assert refusal(folder / "linked") == ""


def test_a_link_that_belongs_to_another_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    if os.geteuid() == 0:
        os.chown(tmp_path / "link", OTHER, -1, follow_symlinks=False)
        assert refusal(tmp_path / "link" / "file") == f"{tmp_path / 'link'} belongs to user {OTHER}"


def test_links_in_a_circle_and_pipes_are_no_files(folder: Path) -> None:
    (folder / "circle").symlink_to("circle")
    with pytest.raises(OSError, match="symbolic links"):
        trust.read(folder / "circle", US)
    os.mkfifo(folder / "pipe", 0o600)
    assert refusal(folder / "pipe") == f"{folder / 'pipe'} is not a file"


def test_what_is_made_can_be_written_by_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        trust.make_folder(tmp_path / "a" / "b")
        with (tmp_path / "a" / "file").open("wb") as file:
            trust.keep_to_owner(file.fileno())
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b", "a/file")]
    assert modes == [0o755, 0o755, 0o644]


PROGRAM = """
import rookery
from rookery.kernel import watch_compilation
compiled = []
with watch_compilation(lambda: compiled.append(1)):
    answer = int(rookery.technique("hyperbola").queen(27, 5))
print(answer, len(compiled))
"""


def run(cache: Path, program: str = PROGRAM) -> tuple[str, list[str]]:
    """What a new process prints, and its lines on standard error."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr.splitlines()


class Harmful:
    """What makes a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return open, (str(self.file), "w")


def test_nothing_that_others_may_have_written_is_unpickled(tmp_path: Path) -> None:
    cache, harm = tmp_path / "cache", tmp_path / "harm"
    answer = int(rookery.technique("hyperbola").queen(27, 5))
    assert run(cache) == (f"{answer} 1", [])
    assert run(cache) == (f"{answer} 0", [])
    (file,) = cache.rglob("*.code")
    good = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) & 0o022 == 0
    content = pickle.dumps(Harmful(harm))
    bad = hashlib.sha256(content).digest() + content
    # The file alone, and each folder: the line names what others may write to.
    for place, mode in ((file, 0o666), (file.parent, 0o777), (cache, 0o777)):
        file.write_bytes(bad)
        before = place.stat().st_mode
        place.chmod(mode)
        printed, lines = run(cache)
        assert printed == f"{answer} 1"
        (line,) = lines
        assert f"others may write to {place}" in line
        assert "it is compiled again" in line
        place.chmod(before)
        assert not harm.exists()
        # A file that was refused is replaced; in a folder that was refused nothing is written.
        if place is file:
            assert run(cache) == (f"{answer} 0", [])
        else:
            assert file.read_bytes() == bad
    file.write_bytes(good)
    assert run(cache) == (f"{answer} 0", [])
    # The same file, which only its owner may write, is unpickled: what protects is who may write it.
    file.write_bytes(bad)
    run(cache)
    assert harm.exists()


def test_a_folder_that_others_may_write_keeps_nothing(tmp_path: Path) -> None:
    answer = int(rookery.technique("hyperbola").queen(27, 5))
    tmp_path.chmod(0o777)
    printed, (line,) = run(tmp_path / "cache")
    assert printed == f"{answer} 1"
    assert f"compiled code cannot be cached (others may write to {tmp_path})" in line
    assert list(tmp_path.rglob("*.code")) == []


TWO_FOLDERS = """
from pathlib import Path
from rookery.kernel.codecache import cache
cache.cache_folders = lambda source: [Path({!r}), Path({!r})]
"""


def test_the_next_folder_serves_where_one_is_refused(tmp_path: Path) -> None:
    """As the user's own folder does where all may write to the one beside the source."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    first.chmod(0o777)
    answer = int(rookery.technique("hyperbola").queen(27, 5))
    program = TWO_FOLDERS.format(str(first), str(second)) + PROGRAM
    assert run(tmp_path, program) == (f"{answer} 1", [])
    assert run(tmp_path, program) == (f"{answer} 0", [])
    assert list(first.iterdir()) == []
    (kept,) = second.iterdir()
    (first / kept.name).write_bytes(b"anything")
    printed, (line,) = run(tmp_path, program)
    assert printed == f"{answer} 0"
    assert f"others may write to {first}" in line


def test_a_warning_is_issued_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "_subjects", set())
    with pytest.warns(RuntimeWarning, match="^first$"):
        notice.warn_once("a", "first")
    notice.warn_once("a", "second")  # an error, if it were issued
    assert notice.has_warned("a")
    assert not notice.has_warned("b")


def test_only_the_code_cache_unpickles_files() -> None:
    """Whatever else can run what a file says would have to decide whom it trusts."""
    able = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "code", "runpy"}
    calls = {"eval", "exec"}
    suspect = re.compile(rf"(import|from) .*\b({'|'.join(able)})\b|\b({'|'.join(calls)})\(|allow_pickle")
    found = set()
    for file in PACKAGE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if suspect.search(text) else ():
            names: set[str] = set()
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names} & able
            elif isinstance(node, ast.ImportFrom):
                names = {str(node.module).split(".")[0]} & able
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names = {node.func.id} & calls
            elif isinstance(node, ast.keyword) and node.arg == "allow_pickle" and ast.unparse(node.value) != "False":
                names = {"allow_pickle"}
            found |= {(file.relative_to(PACKAGE).as_posix(), name) for name in names}
    assert found == {
        ("kernel/codecache/cache.py", "pickle"),
        ("tasks/running.py", "pickle"),  # of an error that it has just pickled, and of tasks, as all executors do
        ("techniques/__init__.py", "pickle"),  # an error of pickling
        ("explain/run.py", "exec"),  # the code of our own kernels
        ("kernel/in_python.py", "eval"),  # literals in kernels
    }
