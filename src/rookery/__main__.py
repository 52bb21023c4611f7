"""The command line as ``python -m rookery``."""

from rookery.cli import main

main(prog_name="rookery")
