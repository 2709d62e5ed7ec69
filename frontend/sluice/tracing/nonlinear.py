"""Nonlinear functions of secret and of clear values alike.

Each is traced in the form that the compiler finds as one function (passes/NonlinearForms.h). `range` promises the
interval of x where the compiler's bound is too wide: measured, with a margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from sluice.tracing import ops
from sluice.tracing.array import TracedArray
from sluice.tracing.ranges import Range, checked_range

_ERF = np.vectorize(math.erf, otypes=[np.float64])


def _promise(x: Any, range: Range | None) -> None:
    if range is not None:
        bounds = checked_range(range, "range")
        if isinstance(x, TracedArray):
            ops.set_range(x, bounds)


def _single(kind: str, clear: Callable[[Any], Any], x: Any, range: Range | None) -> Any:
    """A function that is one operation."""
    _promise(x, range)
    return ops.unary(kind, x) if isinstance(x, TracedArray) else clear(_numbers(x))


def _numbers(x: Any) -> Any:
    return np.asarray(x, dtype=np.float64)


# --- Smooth functions ------------------------------------------------------------------------------------------------
def exp(x: Any, *, range: Range | None = None) -> Any:
    """e ** x. `range` promises the interval of x where the compiler's bound is too wide: measured, with a margin."""
    return _single("math.exp", np.exp, x, range)


def tanh(x: Any, *, range: Range | None = None) -> Any:
    """The hyperbolic tangent of x; `range` as for `exp`."""
    return _single("math.tanh", np.tanh, x, range)


def sigmoid(x: Any, *, range: Range | None = None) -> Any:
    """1 / (1 + e ** -x); `range` as for `exp`. The degree of its approximation grows with the range."""
    _promise(x, range)
    if isinstance(x, TracedArray):
        return ops.divide(1.0, ops.elementwise("arith.addf", 1.0, ops.unary("math.exp", -x)))
    return 1.0 / (1.0 + np.exp(-_numbers(x)))


def silu(x: Any, *, range: Range | None = None) -> Any:
    """x * sigmoid(x); `range` as for `exp`."""
    return x * sigmoid(x, range=range)


def gelu(x: Any, *, range: Range | None = None) -> Any:
    """x * (1 + erf(x / sqrt(2))) / 2; `range` as for `exp`."""
    _promise(x, range)
    if isinstance(x, TracedArray):
        bell = ops.unary("math.erf", ops.divide(x, math.sqrt(2)))
        return ops.elementwise("arith.mulf", 0.5 * x, ops.elementwise("arith.addf", 1.0, bell))
    return 0.5 * _numbers(x) * (1 + _ERF(_numbers(x) / math.sqrt(2)))


def sqrt(x: Any, *, range: Range | None = None) -> Any:
    """The square root of x, which must not be negative; steep, so of high degree, near 0. `range` as for `exp`."""
    return _single("math.sqrt", np.sqrt, x, range)


def reciprocal(x: Any, *, range: Range | None = None) -> Any:
    """1 / x; the range of x must not contain 0. `range` as for `exp`."""
    _promise(x, range)
    return ops.divide(1.0, x) if isinstance(x, TracedArray) else 1.0 / _numbers(x)


# --- Functions with a kink, choices ----------------------------------------------------------------------------------
def relu(x: Any, *, range: Range | None = None) -> Any:
    """The larger of x and 0; `range` as for `exp`."""
    _promise(x, range)
    return maximum(x, 0.0)


def abs(x: Any, *, range: Range | None = None) -> Any:
    """|x|; `range` as for `exp`."""
    return _single("math.absf", np.abs, x, range)


def maximum(a: Any, b: Any) -> Any:
    """The larger of a and b, element by element."""
    return _extremum("arith.maximumf", np.maximum, a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of a and b, element by element."""
    return _extremum("arith.minimumf", np.minimum, a, b)


def _extremum(kind: str, clear: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if isinstance(a, TracedArray) or isinstance(b, TracedArray):
        return ops.elementwise(kind, a, b)
    return clear(_numbers(a), _numbers(b))


def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, b elsewhere. The condition is a comparison, or 1 and 0.

    A comparison of secret values is decided where they differ by more than the comparison gap; between, the result
    lies between a and b.
    """
    if any(isinstance(operand, TracedArray) for operand in (condition, a, b)):
        return ops.choose(condition, a, b)
    condition = np.asarray(condition)
    if condition.dtype == np.bool_:
        return np.where(condition, _numbers(a), _numbers(b))
    return _numbers(b) + condition * (_numbers(a) - _numbers(b))
