"""The options that make a C compiler check addresses and undefined behaviour, where it can."""

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

SANITIZERS: Final = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@functools.cache
def lacking(compiler: str) -> str:
    """Return why programs of a compiler cannot be run with the sanitizers here, or an empty text."""
    if not shutil.which(compiler):
        return f"no {compiler} here"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
        done = subprocess.run([compiler, *SANITIZERS, "empty.c"], cwd=folder, capture_output=True, check=False)
    return f"{compiler} lacks the libraries of the sanitizers here" if done.returncode else ""
