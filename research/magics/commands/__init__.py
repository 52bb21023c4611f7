"""The commands of the laboratory: ``rookery magics find``, ``prove``, ``pilot`` and ``pack``."""
