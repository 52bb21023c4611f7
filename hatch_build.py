"""The build hook: with ``ROOKERY_PRECOMPILE=1`` a wheel carries machine code (see `rookery.shipping.wheels`).

``ROOKERY_PRECOMPILE_FAMILIES`` names the families of CPUs that it carries, separated by spaces, all unless given;
``best`` stands for the best that this CPU belongs to.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

VARIABLE = "ROOKERY_PRECOMPILE"
FIRST_PYTHON = "cp311"  # as in `requires-python`


class MachineCodeHook(BuildHookInterface[Any]):
    """Compiles machine code into wheels."""

    PLUGIN_NAME = "custom"

    def _wanted(self) -> bool:
        value = os.environ.get(VARIABLE, "")
        if value not in ("", "0", "1"):
            raise ValueError(f"{VARIABLE}: {value!r}: expected 0 or 1")
        return value == "1" and self.target_name == "wheel"

    def dependencies(self) -> list[str]:
        """Return what compilation needs: the dependencies of the library, and two of its extras."""
        if not self._wanted():
            return []
        extras = self.metadata.core.optional_dependencies
        return [*self.metadata.core.dependencies, *extras["compile"], *extras["games"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the wheel is for an editable installation."""
        if not self._wanted() or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        source = str(Path(self.root) / "src")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([source, *sys.path])}
        # Without the site: pip's drops this source.
        command = [sys.executable, "-S", "-m", "rookery.shipping.wheels", self._folder.name]
        families = os.environ.get(f"{VARIABLE}_FAMILIES", "").split()
        command += [f"--family={family}" for family in families]
        subprocess.run(command, env=environment, check=True)
        for file in sorted(Path(self._folder.name).iterdir()):
            build_data["force_include"][str(file)] = f"rookery/machine_code/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()

    def finalize(self, *_: Any) -> None:
        """Remove the machine code."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            folder.cleanup()


def _tag() -> str:
    """Return the tag of a wheel for this kind of machine, and for this Python where it has to be the same."""
    tag = next(sys_tags())
    platform = tag.platform
    # The machine code calls nothing but Python, which needs at least this C library or system.
    platform = re.sub(r"^(?:many)?linux(?:_\d+_\d+)?_", "manylinux_2_17_", platform)
    platform = re.sub(r"^macosx_\d+_\d+_", "macosx_11_0_", platform)
    if sys.platform == "win32":  # where the stable ABI of 3.11 lacks a function that is called
        return f"{tag.interpreter}-{tag.abi}-{platform}"
    return f"{FIRST_PYTHON}-abi3-{platform}"
