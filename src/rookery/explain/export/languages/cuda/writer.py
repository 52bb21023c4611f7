"""The writer of CUDA C++."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final

from rookery.explain.export import ir
from rookery.explain.export.languages.cpp import Cpp
from rookery.explain.export.languages.cuda import texts
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import LOOKUPS, Export, paragraphs
from rookery.kernel import bitreverse

CONSTANT_BYTES: Final = 65_536  # the size of constant memory
NATIVE: Final[dict[Callable[..., Any], str]] = {
    inspect.unwrap(bitreverse): "__brevll"
}  # translated for other languages


class Cuda(Cpp):
    """The writer of CUDA C++17: one header with a namespace, for nvcc and for any other C++ compiler."""

    language = "cuda"
    on_device: ClassVar[bool] = True
    reserved = Cpp.reserved | {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}
    instructions: ClassVar = texts.INSTRUCTIONS
    before_type: ClassVar = "static __device__ __forceinline__ "

    def __init__(self, export: Export) -> None:
        super().__init__(export)
        functions = export.module.functions
        for name, f in functions.items():
            if f.python in NATIVE:
                functions[name] = replace(
                    f, body=(ir.Return(ir.Call(NATIVE[f.python], tuple(map(ir.Name, f.parameters)))),)
                )
        export.module.pruned()
        self.small_tables = set(small_tables(export.module))

    @property
    def module_file(self) -> str:
        """Return the name of the header."""
        return f"{self.module_name}.cuh"

    @property
    def check_file(self) -> str:
        """Return the name of the self-check's file."""
        return f"{self.check_name}.cu"

    @property
    def build(self) -> str:
        """Return the command that builds the self-check from several files and runs it."""
        return f"nvcc -std=c++17 -O2 -o selfcheck {self.check_file} && ./selfcheck"

    @property
    def build_single(self) -> str:
        """Return the command that builds the self-check from one file and runs it."""
        return f"nvcc -std=c++17 -O2 -x cu -DROOKERY_SELFCHECK -o selfcheck {self.module_file} && ./selfcheck"

    def table(self, table: ir.Table) -> str:
        """Return the definition of a table, empty or written out; users choose the memory of small ones."""
        if table.name not in self.export.module.tables:
            return super().table(table)
        size = f"{self.type_of(table)} {table.name}[{table.values.size}]"
        if table.fillers:
            return f"static __device__ {size};  // filled by init_attacks"
        memory = "ROOKERY_TABLE" if table.name in self.small_tables else "__device__"
        return f"static {memory} const {size} = {{\n{self.rows(table)}\n}};"

    def load(self, table: ir.Table, index: ir.Expression) -> str:
        """Return an element as a word. Large tables are read through the read-only cache of global memory."""
        element = f"{table.name}[{self.expression(index)}]"
        if table.name in self.export.module.tables and table.name not in self.small_tables:
            element = f"__ldg(&{element})"
        return element if table.bits == 64 else f"(uint64_t){element}"

    def header(self, f: ir.Function) -> str:
        """Return the head of a function: the module's are device functions, the self-check's host functions."""
        head = super().header(f)
        if f.name not in self.export.module.functions:
            return head.replace(self.before_type, "inline ")
        return head.replace("__forceinline__ ", "inline ") if f.fills else head

    def includes(self) -> str:
        """Return the headers that the module includes, and what other compilers have in place of nvcc's."""
        written = "\n".join([*self.instruction_texts(self.export.module), *self.functions(self.export.module)])
        intrinsics = "".join(
            texts.INTRINSIC.format(name=name, text=text.strip("\n"))
            for name, text in texts.INTRINSICS.items()
            if f"{name}(" in written
        )
        return f"#include <cstdint>\n{texts.PRELUDE.rstrip()}".replace("@INTRINSICS\n", intrinsics)

    def initialiser(self) -> str:
        """Return the function that users call once, the kernels over arrays and the functions that launch them."""
        pieces = [name.removesuffix("_attacks") for name in PUBLIC]
        return paragraphs(
            *([self.filling_kernel()] if self.fillers() else []),
            self.initial_call(),
            *(texts.KERNEL.replace("@PIECE", piece) for piece in pieces),
            texts.BLOCKS,
            *(texts.LAUNCHER.replace("@PIECE", piece) for piece in pieces),
        )

    def filling_kernel(self) -> str:
        """Return the kernel that fills the tables."""
        filled = self.export.module.filled
        lines = [
            "// Fill the tables: each block runs one of the functions above, each of its 64 threads for one square.",
            "static __global__ void fill_tables() {",
            "    uint64_t square = UINT64_C(1) << threadIdx.x;",
        ]
        for block, name in enumerate(self.filling_functions()):
            squares = "square" if filled[name] == 2**64 - 1 else f"square & {self.literal(filled[name])}"
            lines += [f"    if (blockIdx.x == {block}) {{", f"        {name}({squares});", "    }"]
        return "\n".join([*lines, "}"])

    def filling_functions(self) -> list[str]:
        """Return the names of the functions that fill the tables."""
        return [name for table in self.export.module.tables.values() for name in table.fillers]

    def initial_call(self) -> str:
        """Return the function that users call once for each device."""
        number = len(self.filling_functions())
        launch = [
            f"    ROOKERY_LAUNCH(fill_tables, {number}, 64, nullptr, ());",
            "    cudaError_t error = cudaGetLastError();",
            "    return error == cudaSuccess ? cudaDeviceSynchronize() : error;",
        ]
        return "\n".join(
            [
                "// Fill the tables, and return an error or cudaSuccess. Call it first, once for each device.",
                "// Each source file that includes this one has its own tables, and must call it.",
                "static inline cudaError_t init_attacks() {",
                *(launch if number else ["    return cudaSuccess;"]),
                "}",
            ]
        )

    def check(self, inline: bool = True) -> list[str]:
        """Return the functions of the self-check. They are in the namespace, too."""
        state = self.export.module.state
        kernel, launch, wrong = "", "", ""
        if state:
            same = " && ".join(f"kept.{word} == made.{word}" for word in state.words)
            kernel, launch, wrong = texts.STATES_KERNEL.replace("@SAME", same), texts.STATES_LAUNCH, texts.STATES_WRONG
        text = texts.SELF_CHECK.replace("@LAUNCH", launch[1:]).replace("@WRONG", wrong[1:])
        return [
            f"namespace {self.namespace} {{",
            "using std::printf;\nnamespace {",
            *self.body(self.export.check),
            kernel,
            text.replace("@LOOKUPS", str(LOOKUPS)).replace("@INLINE", "inline " if inline else ""),
            f"}}  // namespace {self.namespace}",
        ]


def small_tables(module: ir.Program) -> list[str]:
    """Return the tables that fit in constant memory: those that are written out, the smallest first."""
    free = CONSTANT_BYTES
    names = []
    for table in sorted(module.tables.values(), key=lambda table: table.values.nbytes):
        free -= 0 if table.fillers else table.values.nbytes
        if not table.fillers and free >= 0:
            names.append(table.name)
    return names
