"""The CPU that entries are compiled for."""

from rookery.kernel.settings import target


def cpu() -> tuple[str, str]:
    """Return the CPU that entries are compiled for: its LLVM name and its feature list."""
    return target()[1:]


def has_full_width() -> bool:
    """Check whether loops prefer vectors of 512 bits."""
    return {"+avx512f", "+avx512vpopcntdq"} <= {*cpu()[1].split(",")}
