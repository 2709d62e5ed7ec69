"""Functions on secret and on clear values alike, and the NumPy functions that a traced array answers to.

The same user function runs on `TracedArray`s (to compile) and on NumPy arrays (the clear reference).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from sluice.errors import InvalidArgumentError
from sluice.tracing import ops
from sluice.tracing.array import FUNCTIONS, UFUNCS, TracedArray, refuse_equality
from sluice.tracing.builder import dense_text, float_text, range_text, tensor_type
from sluice.tracing.nonlinear import abs, exp, maximum, minimum, reciprocal, sqrt, tanh, where
from sluice.tracing.ranges import Range, checked_range
from sluice.tracing.source import user_location
from sluice.tracing.value import Value, refuse_unsupported


def checked_count(value: Any, what: str) -> int:
    """A positive integer as a Python one; NumPy's are taken, booleans are not."""
    try:
        count = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        count = 0
    if count < 1:
        raise InvalidArgumentError(f"{what} must be a positive integer, not {value!r}")
    return count


# --- Public functions ------------------------------------------------------------------------------------------------
def polynomial(
    x: Any,
    coefficients: Sequence[float] | np.ndarray,
    *,
    basis: Literal["chebyshev", "monomial"] = "monomial",
    interval: Range = (-1.0, 1.0),
) -> Any:
    """The polynomial with these coefficients, lowest degree first, on the interval (a, b) that holds x.

    "monomial": sum of c_k x**k. "chebyshev": sum of c_k T_k(t) with t = (2x - a - b) / (b - a).
    """
    if basis not in ("chebyshev", "monomial"):
        raise InvalidArgumentError(f'basis must be "chebyshev" or "monomial", not {basis!r}')
    low, high = checked_range(interval, "interval")
    values = ops.constant_values(coefficients)
    if values.ndim != 1 or values.size == 0:
        raise InvalidArgumentError(f"coefficients must be a non-empty vector, not of shape {values.shape}")
    if isinstance(x, TracedArray):
        text = (
            f"ckks.polynomial %{x._name} {{basis = {basis}, coefficients = {dense_text(values)} : "
            f"{tensor_type(values.shape)}, interval = {range_text((low, high))}}}"
        )
        name = x._builder.operation(text, f" : {tensor_type(x.shape)}", user_location(), (x._name,))
        return TracedArray(x._builder, name, x.shape)
    x = np.asarray(x, dtype=np.float64)
    if basis == "monomial":
        return np.polynomial.polynomial.polyval(x, values)
    return np.polynomial.chebyshev.chebval((2 * x - low - high) / (high - low), values)


# --- NumPy -----------------------------------------------------------------------------------------------------------
def _elementwise(kind: str) -> Callable[[Any, Any], Value]:
    return functools.partial(ops.elementwise, kind)


UFUNCS.update(
    {
        np.add: _elementwise("arith.addf"),
        np.subtract: _elementwise("arith.subf"),
        np.multiply: _elementwise("arith.mulf"),
        np.divide: ops.divide,
        np.negative: lambda x: -x,
        np.positive: lambda x: x,
        np.square: lambda x: ops.power(x, 2),
        np.power: ops.power,
        np.float_power: ops.power,
        np.exp: exp,
        np.tanh: tanh,
        np.sqrt: sqrt,
        np.reciprocal: reciprocal,
        np.absolute: abs,
        np.fabs: abs,
        np.maximum: maximum,
        np.minimum: minimum,
        np.greater: lambda a, b: operator.gt(a, b) if isinstance(a, TracedArray) else operator.lt(b, a),
        np.greater_equal: lambda a, b: operator.ge(a, b) if isinstance(a, TracedArray) else operator.le(b, a),
        np.less: lambda a, b: operator.lt(a, b) if isinstance(a, TracedArray) else operator.gt(b, a),
        np.less_equal: lambda a, b: operator.le(a, b) if isinstance(a, TracedArray) else operator.ge(b, a),
        np.equal: refuse_equality,
        np.not_equal: refuse_equality,
        np.matmul: ops.matrix_product,
    }
)


def _implements(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS[function] = implementation
        return implementation

    return register


FUNCTIONS.update({np.where: where, np.shape: lambda a: a.shape, np.ndim: lambda a: a.ndim, np.size: lambda a: a.size})


@_implements(np.sum)
def _sum(a: TracedArray, axis: Any = None, *, keepdims: bool = False) -> Value:
    return a.sum(axis, keepdims)


@_implements(np.mean)
def _mean(a: TracedArray, axis: Any = None, *, keepdims: bool = False) -> Value:
    return a.mean(axis, keepdims)


@_implements(np.dot)
def _dot(a: Any, b: Any) -> Value:
    return ops.dot(a, b)


@_implements(np.inner)
@_implements(np.vdot)
def _inner(a: Any, b: Any) -> Value:
    if np.ndim(a) > 1 or np.ndim(b) > 1:
        refuse_unsupported("an inner product of matrices")
    return ops.dot(a, b)


@_implements(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    raised = a if a_min is None else maximum(a, a_min)
    return raised if a_max is None else minimum(raised, a_max)


@_implements(np.transpose)
def _transpose(a: Value, axes: Any = None) -> Value:
    return ops.transpose(a, axes)


@_implements(np.broadcast_to)
def _broadcast_to(array: Value, shape: Any) -> Any:
    return ops.broadcast(array, (shape,) if isinstance(shape, int) else tuple(shape))


@_implements(np.stack)
def _stack(arrays: Sequence[Any], axis: int = 0) -> Value:
    """A vector of scalars, secret or clear."""
    if axis != 0 or any(np.shape(element) != () for element in arrays):
        refuse_unsupported("np.stack of arrays that are not scalars")
    builder, location = ops.secret_of(*arrays)._builder, user_location()
    names = []
    operands: tuple[str, ...]
    for element in arrays:
        if isinstance(element, Value):
            text, operands = f"tensor.extract %{element._name}[] : tensor<f64>", (element._name,)
        else:
            text, operands = f"arith.constant {float_text(ops.constant_values(element).item())} : f64", ()
        names.append(builder.operation(text, "", location, operands))
    shape = (len(names),)
    text = f"tensor.from_elements {', '.join('%' + name for name in names)} : {tensor_type(shape)}"
    return TracedArray(builder, builder.operation(text, "", location, tuple(names)), shape)
