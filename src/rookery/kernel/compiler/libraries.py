"""LLVM modules of kernels and entries.

A kernel's module is never compiled to machine code. It is linked into the modules of its callers, and an entry's module
is optimised as a whole, once all kernels have been inlined. Three passes over each kernel make that faster: without
them the entry of `read_pgn` has 76,000 instructions when its passes begin, with them 10,000. All of LLVM's usual passes
take longer than what they save, and unroll loops that LLVM then does not vectorise.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from llvmlite import binding as llvm
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary


class Library(JITCodeLibrary):  # type: ignore[misc]  # numba is Any
    """Numba's library without repeated checks, and with one pass manager for all functions of a module."""

    def _optimize_functions(self, module: Any) -> None:
        self._run(self._codegen._function_pass_manager()[0], module)

    def _run(self, passes: Any, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        builder = self._codegen._pass_builder()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def add_ir_module(self, ir_module: Any) -> None:
        self._raise_if_finalized()
        module = llvm.parse_assembly(normalize_ir_text(str(ir_module)))
        module.name = ir_module.name
        self.add_llvm_module(module)


class EntryLibrary(Library):
    """An entry's LLVM module, with the kernels it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        linked = self._linking_libraries
        for module in _modules_of(library for library in linked if isinstance(library, KernelLibrary)):
            self._final_module.link_in(module, preserve=True)
        for library in dict.fromkeys(linked):
            self._reload_init.update(library._reload_init)
        self._linking_libraries = [library for library in linked if not isinstance(library, KernelLibrary)]
        super().finalize()
        self._linking_libraries = linked  # the sources of the machine code: see `loader`

    def _optimize_final_module(self) -> None:
        # Nobody else calls them, so LLVM may leave out the arguments that they do not read.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        super()._optimize_final_module()


class KernelLibrary(Library):
    """A kernel's LLVM module, to be linked into others."""

    rookery_source: str
    _shared_module: Any
    _own_module: Any = None

    def add_llvm_module(self, module: Any) -> None:
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        self._run(passes, module)
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def own_module(self) -> Any:
        """Return this kernel's module, to be linked into others."""
        # Nobody needs the function under its external linkage, so the module is changed rather than copied.
        self._ensure_finalized()
        if self._own_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
            self._own_module = self._final_module
        return self._own_module

    def _get_module_for_linking(self) -> Any:
        """Return a module with all kernels that this one calls: Numba links the libraries of its own functions."""
        if self._shared_module is None:
            self._shared_module = self.own_module().clone()
            for module in _modules_of(self._linking_libraries):
                self._shared_module.link_in(module, preserve=True)
        return self._shared_module


def _modules_of(libraries: Iterable[Any]) -> Iterator[Any]:
    """Return the modules of libraries and of all kernels that these call, each once."""
    todo, seen = list(libraries), set()
    while todo:
        library = todo.pop()
        if library in seen:
            continue
        seen.add(library)
        if isinstance(library, KernelLibrary):
            yield library.own_module()
            todo += library._linking_libraries
        else:
            yield library._get_module_for_linking()
