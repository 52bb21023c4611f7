"""Which extension module of a wheel this CPU can run."""


def module_name() -> str:
    """Return the name of the module of the wheel for this CPU, or an empty text if there is none."""
    return ""
