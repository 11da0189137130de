"""A module that a compiler made: its kernels by the names of the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from .._engine import plain_name
from ..kernel.module import Kernel, Module
from .source import declarations, element_of, name_of, templates


def _squeezed(name: str) -> str:
    return re.sub(r"\s+", "", name)


class CompiledModule(Module):
    """A module that ws.compile made: `kernels` by their C++ names where these are unique, `log` of the compiler.

    module[name] takes the C++ name (with or without its namespace), the expression that was given as `name`, or the
    name in the PTX.
    """

    def __init__(
        self,
        ptx: bytes,
        source: str,
        file: str,
        names: Mapping[str, str] = MappingProxyType({}),
        log: str = "",
        folders: Sequence[str] = (),
    ) -> None:
        super().__init__(ptx, sources=folders)
        self._made_of = (ptx, source, file, dict(names), log, folders)
        self.log = log
        for name in self._source.files:  # a text has no file: the one of that name, if any, is another
            if PurePath(name).name == PurePath(file).name:
                self._source.sources.know(name, source)
        self._templates = templates(source)
        self._name_parameters(source)
        self._name_kernels({lowered: name for name, lowered in names.items()})

    def _name_parameters(self, source: str) -> None:
        declared = declarations(source)
        for entry in self._entries:
            lists = declared.get(plain_name(entry.name).rpartition("::")[2], set())
            fitting = [one for one in lists if len(one) == len(entry.params)]
            names, elements = ({tuple(map(of, one)) for one in fitting} for of in (name_of, element_of))
            if len(names) == 1:
                entry.name_parameters(names.pop(), elements.pop() if len(elements) == 1 else ())

    def _name_kernels(self, expressions: Mapping[str, str]) -> None:
        labels = [expressions.get(entry.name, plain_name(entry.name)) for entry in self._entries]
        times = Counter(labels)
        for entry, label in zip(self._entries, labels, strict=True):
            entry.label = label if times[label] == 1 else entry.name
        self.kernels = {kernel.label: kernel for kernel in self.kernels.values()}

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of that name; a KeyError names the nearest one."""
        if isinstance(name, str) and name not in self.kernels:
            wanted = _squeezed(name)
            for says in (
                lambda kernel: kernel.name,
                lambda kernel: _squeezed(kernel.label),
                lambda kernel: plain_name(kernel.name).rpartition("::")[2],
            ):
                found = [kernel for kernel in self.kernels.values() if says(kernel) == wanted]
                if len(found) == 1:
                    return found[0]
        return super().__getitem__(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledModule, self._made_of, self._state()
