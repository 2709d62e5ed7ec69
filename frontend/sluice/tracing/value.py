"""`Value`: a secret array inside a function that is being traced: a name, a shape, and the function's builder."""

from __future__ import annotations

from typing import NoReturn, Self

import numpy as np

from sluice.errors import TraceError
from sluice.tracing.builder import FunctionBuilder
from sluice.tracing.source import user_location


class Value:
    """A secret array of doubles: its shape is known, its values are not."""

    dtype = np.dtype(np.float64)

    def __init__(self, builder: FunctionBuilder, name: str, shape: tuple[int, ...]):
        self._builder = builder
        self._name = name
        self.shape = shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def _result(self, head: str, tail: str, shape: tuple[int, ...], operands: tuple[str, ...]) -> Self:
        """The result of a new operation on this value, located at the user's line."""
        return type(self)(self._builder, self._builder.operation(head, tail, user_location(), operands), shape)


def refuse_unsupported(what: str) -> NoReturn:
    raise TraceError(
        f"{what} is not supported on secret values",
        "use + - * / ** @, comparisons, slices, sums, means, dot products, np.exp np.tanh np.sqrt np.abs np.maximum "
        "np.minimum np.where, sl.sigmoid sl.relu sl.gelu sl.silu, or approximate the function on its range by "
        "sl.polynomial",
        user_location(),
    )
