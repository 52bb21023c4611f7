"""NVIDIA's driver, called with the standard library alone: a device, its memory, and the kernels of a text of PTX."""

import ctypes
from collections.abc import Iterable
from typing import Any, Final

LIBRARY: Final = "libcuda.so.1"
_BLOCK: Final = 128  # threads
_MOST_BLOCKS: Final = 1 << 16
_ROW_BYTES: Final = 80  # a position: ten words


class DriverError(RuntimeError):
    """An error that the driver reports."""


def _library() -> Any | None:
    """Return the driver, or None where there is none or it finds no device."""
    try:
        driver = ctypes.CDLL(LIBRARY)
    except OSError:
        return None
    number = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(number)) or not number.value:
        return None
    return driver


def device() -> dict[str, str] | None:
    """Return the name of the first device and the driver's CUDA version, or None if there is no device."""
    driver = _library()
    if driver is None:
        return None
    version, name = ctypes.c_int(), ctypes.create_string_buffer(256)
    driver.cuDriverGetVersion(ctypes.byref(version))
    driver.cuDeviceGetName(name, len(name), 0)
    return {"device": name.value.decode(), "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}"}


class Levels:
    """The kernels of `cuda_levels`, and a buffer of positions for each ply."""

    def __init__(self, ptx: str, capacity: int) -> None:
        self._driver = _library()
        self._capacity = capacity
        self._buffers: list[int] = []
        place, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(place), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), place)
        self._call("cuCtxSetCurrent", context)
        self._call("cuModuleLoadData", ctypes.byref(module), ptx.encode() + b"\0")
        self._kernels = {}
        for name in ("count", "count_two", "expand"):
            self._kernels[name] = kernel = ctypes.c_void_p()
            self._call("cuModuleGetFunction", ctypes.byref(kernel), module, name.encode())
        self._total = self._allocated(8)

    def _call(self, function: str, *arguments: Any) -> None:
        error = getattr(self._driver, function)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(error, ctypes.byref(text))  # type: ignore[union-attr]
            raise DriverError(f"{function}: {(text.value or b'unknown error').decode()}")

    def _allocated(self, size: int) -> int:
        pointer = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def _write(self, pointer: int, words: Iterable[int]) -> None:
        values = [*words]
        array = (ctypes.c_uint64 * len(values))(*values)
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer), array, ctypes.c_size_t(8 * len(values)))

    def _launch(self, kernel: str, rows: int, n: int, children: int = 0) -> int:
        """Run a kernel for `n` positions, and return what it counted."""
        self._write(self._total, [0])
        numbers = [ctypes.c_uint64(number) for number in (rows, n, children, self._total)]
        pointers = (ctypes.c_void_p * len(numbers))(*(ctypes.addressof(number) for number in numbers))
        blocks = min(-(-n // _BLOCK), _MOST_BLOCKS)
        self._call("cuLaunchKernel", self._kernels[kernel], blocks, 1, 1, _BLOCK, 1, 1, 0, None, pointers, None)
        self._call("cuCtxSynchronize")
        total = ctypes.c_uint64()
        self._call("cuMemcpyDtoH_v2", ctypes.byref(total), ctypes.c_uint64(self._total), ctypes.c_size_t(8))
        return total.value

    def perft(self, row: Iterable[int], depth: int) -> int:
        """Return the leaves of a position, given as ten words, `depth` plies deep (at least 1).

        Two plies of leaves are counted in one kernel. Above them, levels of positions are written, at most `capacity`
        positions at a time.
        """
        while len(self._buffers) < max(depth - 1, 1):
            self._buffers.append(self._allocated(self._capacity * _ROW_BYTES))
        self._write(self._buffers[0], row)
        return self._below(0, self._buffers[0], 1, depth)

    def _below(self, ply: int, rows: int, n: int, depth: int) -> int:
        if depth <= 2:
            return self._launch("count_two" if depth == 2 else "count", rows, n)
        leaves = start = 0
        size = n
        while start < n:
            taken = min(size, n - start)
            here = rows + start * _ROW_BYTES
            children = self._launch("count", here, taken)
            if children > self._capacity:
                size = max(1, taken * self._capacity // (children + children // 8))
                continue
            if self._launch("expand", here, taken, self._buffers[ply + 1]) != children:
                raise DriverError(f"ply {ply}: two kernels counted different numbers of moves")
            leaves += self._below(ply + 1, self._buffers[ply + 1], children, depth - 1)
            start += taken
        return leaves
