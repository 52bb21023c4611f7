"""The share of time in which a thread holds Python's lock: what other threads must wait for."""

import importlib.util
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

_NAME = "lock_held_native"


def watcher(folder: Path) -> Any | None:
    """Compile ``lock_held.c`` into a folder and return it as a module; None without a C compiler or Python's headers.

    Its function ``start()`` begins to look at the lock, and ``stop()`` returns how often it was held, and all looks.
    """
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    source, library = Path(__file__).with_name("lock_held.c"), folder / f"{_NAME}.so"
    include = sysconfig.get_path("include")
    command = [compiler, "-shared", "-fPIC", "-O1", "-pthread", f"-I{include}", f"-I{include}/internal"]
    done = subprocess.run([*command, str(source), "-o", str(library)], capture_output=True, check=False)
    spec = importlib.util.spec_from_file_location(_NAME, library)
    if done.returncode or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def share(module: Any, call: Callable[[], Any]) -> float:
    """Return the share of the time of a call in which a thread held the lock."""
    module.start()
    try:
        call()
    finally:
        held, looks = module.stop()
    return float(held / max(looks, 1))
