"""Export techniques to CUDA: device functions, kernels over arrays, and a self-check that any C++ compiler can run.

texts     the parts that every export contains: intrinsics, kernels, launchers, the main function of the self-check
writer    the writer of the rest, as one header
"""

from rookery.explain.export.languages.cuda.writer import Cuda

__all__ = ["Cuda"]
