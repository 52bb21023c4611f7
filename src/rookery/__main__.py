"""The command line as ``python -m rookery``."""

from rookery.cli import main

if __name__ == "__main__":  # workers of MPI import this module under another name
    main(prog_name="rookery")
