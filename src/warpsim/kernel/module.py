"""A PTX module and its kernels."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from .. import _engine as engine
from ..arguments import describe
from ..errors import bad_type, bad_value
from ..files import MOST_PROGRAM, contents, is_name, path_shown
from ..machine.link import link
from ..machine.merged import Merged
from ..sources import Sources, folders
from ..threads.once import cached_property
from .arguments import Param
from .entry import Entry, Source
from .launch import launch
from .report import KernelReport
from .watch import Progress

Text = str | bytes | os.PathLike[str]
State = tuple[dict[int, np.ndarray], dict[tuple[int, int], bytes]]  # Source.storage, Source.relocated
#: one folder or several
Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def _text(ptx: Text) -> bytes:
    if isinstance(ptx, bytes):
        return ptx
    if isinstance(ptx, os.PathLike):
        name = os.fspath(ptx)
        if not isinstance(name, str | bytes):
            raise bad_type("ptx", f"expected a path, got {describe(ptx)}")
        try:
            return contents(os.fsdecode(name), MOST_PROGRAM)
        except ValueError as error:
            raise bad_value("ptx", f"cannot read {path_shown(os.fsdecode(name))}: {error}") from error
    if isinstance(ptx, str):
        if is_name(ptx):
            raise bad_value("ptx", f"expected PTX text, got the name of a file; pass pathlib.Path({path_shown(ptx)})")
        return ptx.encode("utf-8", "surrogatepass")
    raise bad_type("ptx", f"expected PTX text or a path, got {describe(ptx)}")


def _linked(ptx: Text | Sequence[Text]) -> bytes:
    """The text, or one of several."""
    if isinstance(ptx, list | tuple) and ptx:
        return link([_text(one) for one in ptx])
    return _text(ptx)  # type: ignore[arg-type]


class Variables(Mapping[str, np.ndarray]):
    """The bytes of each variable of a module, by its name: written in place."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return repr(self._arrays)

    def __setitem__(self, name: str, value: object) -> None:
        raise bad_type("globals", f"expected that an array is written in place, as in globals[{name!r}][:] = values")

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._arrays,)


class Module:
    """A whole PTX text, or the file at a path (os.PathLike); several of them are linked.

    Raises PtxSyntaxError with the place for what is not PTX. `globals` are the bytes of the module's .global and .const
    variables: kernels read and write them, and so may you. `kernels` has the kernels by name, and so has module[name].
    Reports show lines of the source files that .file and .loc name where these lie below the folder of the PTX file, or
    below a folder in `sources`.
    A pickle has the text and what the variables hold.
    """

    _templates: Mapping[str, str] = MappingProxyType({})  # of the source: name, and how an instance may be written

    def __init__(self, ptx: Text | Sequence[Text], *, sources: Folders = ()) -> None:
        own = [Path(os.fsdecode(ptx)).parent] if isinstance(ptx, os.PathLike) else []
        self._source = Source(_linked(ptx), Sources([*own, *folders(sources)]))
        self.version = f"{self._source.core.version // 10}.{self._source.core.version % 10}"
        self.targets = self._source.targets
        self._entries = [Entry(self._source, entry) for entry in self._source.core.entries()]
        self.kernels: Mapping[str, Kernel] = {entry.name: Kernel(self, entry) for entry in self._entries}

    @classmethod
    def of_python(cls, ptx: str, is_gluon: bool = False) -> Module:
        """What a compiler made of functions of this process: their source files are those that Python has loaded.

        `is_gluon`: its findings are told in Gluon's words, as its text, which is Triton's, does not tell.
        """
        module = cls(ptx)
        if is_gluon:
            module._source.core.language = engine.GLUON
        module._source.sources = Sources(python=True)
        return module

    @cached_property
    def globals(self) -> Mapping[str, np.ndarray]:
        """The bytes of each module variable (uint8), with its initial values.

        Addresses among these are zeros until the first launch, which writes them; what you put there stays.
        """
        variables = enumerate(self._source.variables)
        return Variables({
            name: self._source.bytes_of(number)
            for number, (name, space, _, _, _, _, inner, _) in variables
            if not inner and space in ("global", "const")
        })  # fmt: skip

    def __iter__(self) -> Iterator[str]:
        """The names of the kernels."""
        return iter(self.kernels)

    def __contains__(self, name: object) -> bool:
        return name in self.kernels

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of that name; a KeyError names the nearest one."""
        if not isinstance(name, str):
            raise bad_type("name", f"expected a str, got {describe(name)}")
        if name in self.kernels:
            return self.kernels[name]
        near = difflib.get_close_matches(name[:200], self.kernels, 1, 0.4)
        hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(self.kernels) or 'none'}"
        raise KeyError(f"the module has no kernel {name[:200]!r}{instance(self, name) or hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Module, (self._source.text,), self._state()

    def _state(self) -> State:
        """What the variables hold."""
        return self._source.storage, self._source.relocated

    def __setstate__(self, state: State) -> None:
        self._source.storage, self._source.relocated = state

    def __repr__(self) -> str:
        return f"Module(PTX {self.version}, {', '.join(self.targets)}, kernels: {', '.join(self.kernels)})"


class Kernel:
    """A kernel of a module: its parameters, and calls that run it."""

    def __init__(self, module: Module, entry: Entry) -> None:
        self._module, self._entry = module, entry
        self.name, self.num_statements = entry.name, entry.num_statements
        self.launch_bounds, self.max_threads = entry.launch_bounds, entry.max_threads
        self.required_block, self.required_cluster = entry.required_block, entry.required_cluster

    @property
    def label(self) -> str:
        """Its name in the source where that is known, else in the PTX."""
        return self._entry.label

    @property
    def params(self) -> tuple[Param, ...]:
        """The parameters."""
        return self._entry.params

    @property
    def unsupported(self) -> tuple[tuple[int, str], ...]:
        """(line, opcode) of each statement that the kernel reaches and that is not modelled."""
        return self._entry.unsupported

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self._entry.program().shared_bytes

    @property
    def local_bytes(self) -> int:
        """Local memory of a thread, without what its calls need."""
        return self._entry.program().local_bytes

    @property
    def merged(self) -> tuple[Merged, ...]:
        """Neighbouring accesses to shared memory that the assembler would join, told from the text alone."""
        return self._entry.merged(self._entry.program())

    def __call__(
        self,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any],
        *,
        shared_bytes: int = 0,
        cluster: int | Sequence[int] | None = None,
        cooperative: bool = False,
        blocks: int | slice | Sequence[int] | None = None,
        target: str | None = None,
        contract: bool = True,
        check: bool = True,
        strict: bool = False,
        count: bool = True,
        as_assembled: bool | Literal["text"] | Sequence[Merged] | None = None,
        on_finding: str = "record",
        threads: int = 1,
        executor: Executor | None = None,
        order: int = 0,
        stack_bytes: int | None = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        print_output: bool = False,
        progress: Progress = None,
        simd: int = 0,
    ) -> KernelReport:
        """Runs the kernel on the arrays in `args`, in place, block by block.

        `grid`, `block`: an int, or up to three. `args`, in the order of the parameters: a writable C-contiguous array
        for a pointer, None for the null pointer, a number, bytes or a record for a struct. `shared_bytes`: dynamic
        shared memory. `cluster`: thread blocks of a cluster, which run together; None: what the kernel says
        (.reqnctapercluster), or one. `cooperative`: the blocks of the grid may meet: a workspace of zeros is there for
        them, as cooperative groups want it; so it is where the kernel asks for one. `blocks`: which thread blocks run:
        None for all, n for n spread evenly, a slice, or linear indices. `target`: the GPU to emulate; else the module's
        first. `contract`: mul and add that name no rounding become fma as the assembler makes them. `check`: look for
        what is wrong; `strict`: also warn of proxy fences that PTX asks for and libraries leave out (WS-RUN-053 and
        054); `count`: count instructions. `as_assembled`: None counts accesses to shared memory as the
        assembler joins them (`merged`); True all that the machine code does (with the extra `sass`: NVIDIA's assembler
        says what it makes of each access); "text", or False, the statements as they stand; some of `merged`: with the
        joins named there. `on_finding`: "record", or "raise" at the first error.

        `threads`: CPU threads over blocks. What a check finds does not depend on them: one is taken where blocks see
        how far others have come (by an atomic that gives what is there, a strong load, malloc), or where memory has
        more than 1 GiB, and blocks run again on one where two of them race or one ends in an error.
        `executor`: any of concurrent.futures; each of its pieces has a
        memory of its own, and what pieces wrote is merged: ConflictingWritesError if two wrote different values to one
        byte, unless by integer atomics that commute. `order`: the seed of the order in which warps take turns; 0 is
        round robin. `stack_bytes` bounds calls that recurse, `max_steps` the warp instructions (2e9, some ten
        minutes), `timeout` the seconds: a StepLimitError beyond. `print_output`: what the kernel prints goes to
        standard output, too. `progress`: called with (blocks done, blocks); None: a line on a terminal for runs over
        two seconds, elsewhere a line a minute on standard error; False: nothing. `simd`: level of vector
        instructions, for tests; 0: WARPSIM_SIMD's.
        """
        options = dict(locals())
        del options["self"]
        return launch(self._entry, options)

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, (self._module, self.name)

    def __repr__(self) -> str:
        return f"Kernel({self.label}({', '.join(param.type for param in self.params)}))"


def instance(module: Module, name: str) -> str:
    """Of the name of a template: how to name one of its kernels instead; else empty."""
    how = module._templates.get(name)
    return "" if how is None else f"; {name} is a template: name an instance of it, such as {how!r}"


def only(module: Module) -> Kernel:
    """The kernel of a module that has one; a LookupError says what it has instead, and what to do."""
    if len(module.kernels) == 1:
        return next(iter(module.kernels.values()))
    hint = next(
        (instance(module, name) for name in module._templates),
        ": launching needs an .entry, which is a __global__ function in CUDA C++",
    )
    raise LookupError(f"{', '.join(module.kernels)}; name one" if module.kernels else f"no kernel{hint}")


def name_as_source(kernel: Kernel, label: str, parameters: Sequence[str]) -> None:
    """Gives a kernel and its parameters the names that the source has for them."""
    kernel._entry.label = label
    kernel._entry.name_parameters(parameters)


def refuse(kernel: Kernel, target: str | None) -> None:
    """Raises for statements that are not modelled; a launch would, too, but needs arguments."""
    entry = kernel._entry
    entry.refuse(entry.program(entry.key(target)))
