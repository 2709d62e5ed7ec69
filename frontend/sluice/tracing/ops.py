"""Operations on secret arrays: each checks its operands, writes its MLIR operations and gives the result.

A clear operand is anything that NumPy makes a real array of; it becomes a constant.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from sluice.errors import TraceError
from sluice.tracing.builder import FunctionBuilder, range_text, tensor_type
from sluice.tracing.source import user_location
from sluice.tracing.value import Value


# --- Operands --------------------------------------------------------------------------------------------------------
def constant_values(value: Any) -> np.ndarray:
    """A clear operand as a finite float64 array."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TraceError(
            f"a clear operand of type {array.dtype} meets a secret value", "use real numbers", user_location()
        )
    array = array.astype(np.float64)
    if not np.all(np.isfinite(array)):
        raise TraceError("a clear operand is infinite or not a number", "use finite constants", user_location())
    return array


def secret_of(*operands: Any) -> Value:
    """The first operand that is secret."""
    return next(operand for operand in operands if isinstance(operand, Value))


def _operand(value: Any) -> Value | np.ndarray:
    return value if isinstance(value, Value) else constant_values(value)


def name_of(builder: FunctionBuilder, value: Any) -> str:
    """The name of an operand in the function's text; a clear one becomes a constant."""
    operand = _operand(value)
    return operand._name if isinstance(operand, Value) else builder.constant(operand, user_location())


def unary(kind: str, x: Value) -> Value:
    return x._result(f"{kind} %{x._name}", f" : {tensor_type(x.shape)}", x.shape, (x._name,))


def broadcast(operand: Value | np.ndarray, shape: tuple[int, ...]) -> Value | np.ndarray:
    """The operand stretched to `shape` by NumPy's rules; `shape` must be reachable."""
    if isinstance(operand, np.ndarray):
        return np.broadcast_to(operand, shape)
    if operand.shape == shape:
        return operand
    added = len(shape) - operand.ndim
    repeated = [extent != target for extent, target in zip(operand.shape, shape[added:], strict=True)]
    source = slice_of(operand, tuple(0 if again else slice(None) for again in repeated))
    dimensions = list(range(added)) + [added + k for k, again in enumerate(repeated) if again]
    return stretch(source, shape, dimensions)


def stretch(x: Value, shape: tuple[int, ...], dimensions: list[int]) -> Value:
    """x repeated along new axes: the `dimensions` of the result."""
    empty = x._builder.empty(shape, user_location())
    text = (
        f"linalg.broadcast ins(%{x._name} : {tensor_type(x.shape)}) "
        f"outs(%{empty} : {tensor_type(shape)}) dimensions = {dimensions}"
    )
    return x._result(text, "", shape, (x._name,))


def _aligned(*operands: Any) -> tuple[list[Value | np.ndarray], tuple[int, ...]]:
    """The operands stretched to their common shape by NumPy's rules, and that shape."""
    arrays = [_operand(operand) for operand in operands]
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise TraceError(
            f"shapes {shapes} do not fit together", "make them equal or let one be a scalar", user_location()
        ) from None
    return [broadcast(array, shape) for array in arrays], shape


def elementwise(kind: str, left: Any, right: Any) -> Value:
    secret = secret_of(left, right)
    arrays, shape = _aligned(left, right)
    names = tuple(name_of(secret._builder, array) for array in arrays)
    return secret._result(f"{kind} %{names[0]}, %{names[1]}", f" : {tensor_type(shape)}", shape, names)


def compare(relation: str, left: Any, right: Any) -> Value:
    """1.0 where the relation ("ogt", "oge", "olt" or "ole") holds, 0.0 elsewhere."""
    secret = secret_of(left, right)
    arrays, shape = _aligned(left, right)
    builder, of = secret._builder, tensor_type(shape)
    names = tuple(name_of(builder, array) for array in arrays)
    head = f"arith.cmpf {relation}, %{names[0]}, %{names[1]}"
    truth = builder.operation(head, f" : {of}", user_location(), names)
    return secret._result(f"arith.uitofp %{truth}", f" : {tensor_type(shape, 'i1')} to {of}", shape, (truth,))


def choose(condition: Any, a: Any, b: Any) -> Value:
    """a where the condition is 1, b where it is 0. A comparison that fits in shape chooses by itself."""
    secret = secret_of(condition, a, b)
    (weight, yes, no), shape = _aligned(condition, a, b)
    made_by = secret._builder.operations.get(weight._name) if isinstance(weight, Value) else None
    if made_by is None or made_by.kind != "arith.uitofp":
        if not (isinstance(yes, Value) or isinstance(no, Value)):
            return elementwise("arith.addf", no, elementwise("arith.mulf", weight, yes - no))
        return elementwise("arith.addf", no, elementwise("arith.mulf", weight, elementwise("arith.subf", yes, no)))
    names = (*made_by.operands, name_of(secret._builder, yes), name_of(secret._builder, no))
    head = "arith.select " + ", ".join(f"%{name}" for name in names)
    return secret._result(head, f" : {tensor_type(shape, 'i1')}, {tensor_type(shape)}", shape, names)


def divide(left: Any, right: Any) -> Value:
    """left / right; of a secret divisor the range must not contain 0."""
    if not isinstance(right, Value) and np.any(constant_values(right) == 0):
        raise TraceError("division by zero", "use a divisor without zeros", user_location())
    return elementwise("arith.divf", left, right)


def power(base: Any, exponent: Any) -> Value:
    """base ** exponent for a clear exponent: an integer other than 0, 0.5 or -0.5."""
    if isinstance(exponent, Value):
        raise TraceError("the exponent of ** is secret", "use a clear exponent, or sl.exp", user_location())
    x: Value = base  # since the exponent is clear
    number = float(exponent) if np.ndim(exponent) == 0 else 0.0
    if abs(number) == 0.5:
        return unary("math.sqrt" if number > 0 else "math.rsqrt", x)
    if number == 0 or not number.is_integer():
        raise TraceError(
            f"a secret value is raised to the power {exponent}",
            "use an integer other than 0, 0.5 or -0.5, or approximate the function on its range by sl.polynomial",
            user_location(),
        )
    raised = _whole_power(x, int(abs(number)))
    return raised if number > 0 else divide(1.0, raised)


def _whole_power(x: Value, count: int) -> Value:
    if count == 1:
        return x
    integer = x._builder.integer_constant(count, x.shape, user_location())
    types = f"{tensor_type(x.shape)}, {tensor_type(x.shape, 'i32')}"
    return x._result(f"math.fpowi %{x._name}, %{integer}", f" : {types}", x.shape, (x._name, integer))


def matrix_product(left: Any, right: Any) -> Value:
    """left @ right for vectors and matrices; at most one of them secret, except for two vectors."""
    secret = secret_of(left, right)
    a, b = _operand(left), _operand(right)
    ranks = (len(a.shape), len(b.shape))
    operations = {(1, 1): "linalg.dot", (2, 1): "linalg.matvec", (1, 2): "linalg.vecmat", (2, 2): "linalg.matmul"}
    if ranks not in operations:
        raise TraceError(
            f"@ of arrays with {ranks[0]} and {ranks[1]} dimensions", "use vectors and matrices", user_location()
        )
    if a.shape[-1] != b.shape[0]:
        raise TraceError(
            f"@ of shapes {a.shape} and {b.shape}: {a.shape[-1]} columns meet {b.shape[0]} rows",
            "make the inner dimensions equal",
            user_location(),
        )
    if ranks != (1, 1) and isinstance(a, Value) and isinstance(b, Value):
        raise TraceError(
            "@ of two secret arrays, one of them a matrix",
            "keep one of them clear, or write the product as sums of element-wise products",
            user_location(),
        )
    shape = a.shape[:-1] + b.shape[1:]
    names = (name_of(secret._builder, a), name_of(secret._builder, b))
    zeros, of = secret._builder.zeros(shape, user_location()), tensor_type(shape)
    tail = (
        f" ins(%{names[0]}, %{names[1]} : {tensor_type(a.shape)}, {tensor_type(b.shape)}) outs(%{zeros} : {of}) -> {of}"
    )
    return secret._result(operations[ranks], tail, shape, names)


def dot(left: Any, right: Any) -> Value:
    """np.dot: a product with a scalar, else `matrix_product`."""
    if np.ndim(left) == 0 or np.ndim(right) == 0:
        return elementwise("arith.mulf", left, right)
    return matrix_product(left, right)


def reduce_sum(x: Value, axis: Any, keepdims: bool) -> Value:
    axes = tuple(range(x.ndim)) if axis is None else tuple(np.atleast_1d(axis).tolist())
    if any(not -x.ndim <= a < x.ndim for a in axes):
        raise TraceError(f"axis {axis} of an array of shape {x.shape}", "use one of its axes", user_location())
    axes = tuple(sorted({a % x.ndim for a in axes}))
    if not axes:
        return x
    kept = tuple(extent for k, extent in enumerate(x.shape) if k not in axes)
    zeros = x._builder.zeros(kept, user_location())
    text = (
        f"linalg.reduce {{ arith.addf }} ins(%{x._name} : {tensor_type(x.shape)}) "
        f"outs(%{zeros} : {tensor_type(kept)}) dimensions = {list(axes)}"
    )
    total = x._result(text, "", kept, (x._name,))
    if not keepdims:
        return total
    return stretch(total, tuple(1 if k in axes else extent for k, extent in enumerate(x.shape)), list(axes))


def transpose(x: Value, axes: Any = None) -> Value:
    order = list(range(x.ndim))[::-1] if axes is None else [int(a) % x.ndim for a in axes]
    if order == list(range(x.ndim)):
        return x
    shape = tuple(x.shape[a] for a in order)
    empty = x._builder.empty(shape, user_location())
    text = (
        f"linalg.transpose ins(%{x._name} : {tensor_type(x.shape)}) "
        f"outs(%{empty} : {tensor_type(shape)}) permutation = {order}"
    )
    return x._result(text, "", shape, (x._name,))


def slice_of(x: Value, key: Any) -> Value:
    """Basic indexing: integers, slices with positive step, an ellipsis, np.newaxis."""
    keys = list(key) if isinstance(key, tuple) else [key]
    position = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    used = sum(k is not None for k in keys) - (position < len(keys))
    if used > x.ndim:
        raise TraceError(f"{used} indices for an array of shape {x.shape}", "use fewer", user_location())
    keys[position : position + 1] = [slice(None)] * (x.ndim - used)
    offsets, sizes, strides = [], [], []
    shape: list[int] = []
    added: list[int] = []
    extents = iter(x.shape)
    for k in keys:
        if k is None:
            added.append(len(shape) + len(added))
            continue
        start, size, step, is_range = _range_of(k, next(extents))
        offsets.append(start)
        sizes.append(size)
        strides.append(step)
        shape += [size] if is_range else []
    if added:
        source = _slice(x, offsets, sizes, strides, shape)
        for axis in added:
            shape.insert(axis, 1)
        return stretch(source, tuple(shape), added)
    return _slice(x, offsets, sizes, strides, shape)


def _slice(x: Value, offsets: list[int], sizes: list[int], strides: list[int], shape: list[int]) -> Value:
    if offsets == [0] * x.ndim and tuple(sizes) == x.shape == tuple(shape):
        return x
    types = f"{tensor_type(x.shape)} to {tensor_type(tuple(shape))}"
    head = f"tensor.extract_slice %{x._name}{offsets} {sizes} {strides}"
    return x._result(head, f" : {types}", tuple(shape), (x._name,))


def _range_of(key: Any, extent: int) -> tuple[int, int, int, bool]:
    """(start, size, step, whether the axis stays) of one index along an axis of this extent."""
    if isinstance(key, slice):
        start, stop, step = key.indices(extent)
        size = len(range(start, stop, step))
        if step < 1 or size < 1:
            raise TraceError(
                "a slice that is empty or runs backwards",
                "use a positive step and at least one element",
                user_location(),
            )
        return start, size, step, True
    if isinstance(key, Value):
        raise TraceError(
            "a secret value is used as an index", "multiply by a mask, or sum over all positions", user_location()
        )
    try:
        index = operator.index(key)
        if isinstance(key, bool):  # to NumPy a mask
            raise TypeError
    except TypeError:
        raise TraceError(
            f"indexing by {type(key).__name__}", "use integers and slices; np.stack rearranges", user_location()
        ) from None
    if not -extent <= index < extent:
        # IndexError, so that iteration and unpacking end as they do for NumPy arrays.
        raise IndexError(f"index {index} is out of bounds for axis of size {extent}")
    return index % extent, 1, 1, False


def set_range(x: Value, bounds: tuple[float, float]) -> None:
    """Records on the operation that makes x the range that the user measured."""
    location = user_location()
    operation = x._builder.operations.get(x._name)
    if operation is None:
        argument = next(a for a in x._builder.arguments if a.name == x._name)
        if not (bounds[0] <= argument.bounds[0] and argument.bounds[1] <= bounds[1]):
            raise TraceError(
                f"range={bounds} is narrower than the range {argument.bounds} of secret {argument.name!r}",
                f"give the narrower range to sl.Secret, where values of {argument.name!r} are checked against it",
                location,
            )
        return
    text = range_text(bounds)
    if operation.attributes.setdefault("ckks.range", text) != text:
        raise TraceError("two different ranges for the same value", "give one range", location)
