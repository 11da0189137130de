"""A property that is computed once for each object, without a lock."""

from __future__ import annotations

import functools
from typing import Any, TypeVar, overload

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):  # noqa: N801 (as the one of functools)
    """As that of functools, whose older ones hold a lock of the class while they compute.

    A fork would leave that lock held in the child for ever, if another thread computes at that moment. Without it, two
    threads may compute at once: the first value stays.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> cached_property[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        kept, name = instance.__dict__, self.attrname
        assert name is not None
        if name not in kept:
            kept.setdefault(name, self.func(instance))
        return kept[name]
