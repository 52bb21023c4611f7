"""LLVM modules of kernels and entries.

A kernel's module is never compiled to machine code. It is linked into the modules of its callers, and an entry's module
is optimised as a whole, once all kernels have been inlined. Three passes over each kernel make that faster: without
them the entry of `read_pgn` has 76,000 instructions when its passes begin, with them 10,000. All of LLVM's usual passes
take longer than what they save, and unroll loops that LLVM then does not vectorise.

Each module is linked once. A module that is linked later may call a kernel that nothing calls yet: the only call so far
may have been removed, since it could not be reached. LLVM's linker leaves out an unused function with the linkage
`linkonce_odr`, so kernels have the linkage `weak_odr` until all are linked.
"""

from collections.abc import Iterable
from typing import Any, Final

from llvmlite import binding as llvm
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary

_IN_PROCESS: Final = ("llvm.", ".numba.unresolved$")  # intrinsics, and functions of a recursion that Numba resolves


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
        _link(self._final_module, (library for library in linked if isinstance(library, KernelLibrary)))
        for library in dict.fromkeys(linked):
            self._reload_init.update(library._reload_init)
        self._linking_libraries = [library for library in linked if not isinstance(library, KernelLibrary)]
        super().finalize()
        self._linking_libraries = linked  # the sources of the machine code: see `loader`

    def _optimize_final_module(self) -> None:
        _check_resolved(self._final_module)
        # Nobody else calls them, so LLVM may leave out the arguments that they do not read.
        _change_linkage(self._final_module, {"weak_odr", "linkonce_odr"}, "internal")
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
            _change_linkage(self._final_module, {"external", "linkonce_odr"}, "weak_odr")
            self._own_module = self._final_module
        return self._own_module

    def _get_module_for_linking(self) -> Any:
        """Return a module with all kernels that this one calls: Numba links the libraries of its own functions."""
        if self._shared_module is None:
            module = self.own_module().clone()
            _link(module, self._linking_libraries)
            _check_resolved(module)
            _change_linkage(module, {"weak_odr"}, "linkonce_odr")  # nothing is missing here, so unused ones may go
            self._shared_module = module
        return self._shared_module


def _link(module: Any, libraries: Iterable[Any]) -> None:
    """Link the modules of libraries, and of all that these link, into a module, each once.

    Numba's own come last: LLVM leaves out those of their functions that nothing calls yet.
    """
    todo, seen, others = list(libraries), set(), []
    while todo:
        library = todo.pop()
        if library in seen:
            continue
        seen.add(library)
        if isinstance(library, KernelLibrary):
            module.link_in(library.own_module(), preserve=True)
            todo += library._linking_libraries
        else:
            others.append(library)
    for library in others:
        module.link_in(library._get_module_for_linking(), preserve=True)


def _change_linkage(module: Any, old: set[str], new: str) -> None:
    for function in module.functions:
        if not function.is_declaration and function.linkage.name in old:
            function.linkage = new


def _check_resolved(module: Any) -> None:
    """Check that each symbol that a linked module uses is defined in it or in this process."""
    for symbol in (*module.functions, *module.global_variables):
        name = symbol.name
        if symbol.is_declaration and not name.startswith(_IN_PROCESS) and not llvm.address_of_symbol(name):
            raise RuntimeError(f"{module.name} uses {name}, which is not defined in any module that it links")
