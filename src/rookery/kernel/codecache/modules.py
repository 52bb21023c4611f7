"""Modules for other machines on disk: each is made from all sources of the package."""

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path

from rookery.kernel.codecache import trust
from rookery.kernel.codecache.cache import cache_folders
from rookery.sources import files


def kept(source: Path, name: str, version: str, make: Callable[[], bytes]) -> bytes:
    """Return a module from the cache; make and keep it if any source of the package, or `version`, has changed."""
    digest = hashlib.sha256(version.encode())
    package = Path(__file__).parents[2]
    for file in sorted(package.rglob("*.py")):
        digest.update(f"{file.relative_to(package)}\0".encode() + file.read_bytes() + b"\0")
    stem = f"webassembly-{name}-"
    file_name = f"{stem}{digest.hexdigest()[:32]}.wasm"
    folders = cache_folders(source)
    for folder in folders:
        with contextlib.suppress(OSError, trust.Refused):
            return trust.read(folder / file_name, trust.owners(source))
    module = make()
    for folder in folders:
        with contextlib.suppress(OSError):
            trust.make_folder(folder)
            for old in folder.glob(f"{stem}*.wasm"):
                old.unlink(missing_ok=True)
            files.write(folder / file_name, module, durable=False)
            break
    return module
