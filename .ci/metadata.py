"""Check that all files of a release have the same metadata: ``python metadata.py FOLDER``.

Tools that lock dependencies read the metadata of one file, and install another.
"""

import sys
import tarfile
import zipfile
from pathlib import Path


def metadata_of(file: Path) -> str:
    """Return the metadata of a wheel or of a source archive."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            return wheel.read(name).decode()
    with tarfile.open(file) as archive:
        (member,) = (m for m in archive.getmembers() if m.name.count("/") == 1 and m.name.endswith("/PKG-INFO"))
        content = archive.extractfile(member)
        assert content is not None
        return content.read().decode()


def main() -> None:
    """Run the command."""
    found = {file.name: metadata_of(file) for file in sorted(Path(sys.argv[1]).iterdir()) if file.name[0] != "."}
    if len(found) < 2:
        sys.exit(f"expected a source archive and wheels, found: {', '.join(found) or 'nothing'}")
    first, *others = found
    differing = [name for name in others if found[name] != found[first]]
    if differing:
        sys.exit(f"metadata of {', '.join(differing)}: expected those of {first}")
    print(f"the same metadata: {', '.join(found)}")


main()
