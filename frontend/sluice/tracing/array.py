"""`TracedArray`: what the user's function sees of a secret. Python's operators and NumPy's protocols, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from sluice.errors import TraceError
from sluice.tracing import ops
from sluice.tracing.builder import tensor_type
from sluice.tracing.source import user_location
from sluice.tracing.value import Value, refuse_unsupported

# What `sluice.tracing.functions` implements of NumPy: function -> implementation.
UFUNCS: dict[np.ufunc, Callable[..., Any]] = {}
FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {}


def refuse_equality(left: Any, right: Any) -> NoReturn:
    raise TraceError(
        "the program asks whether secret values are equal",
        "values with noise never are: compare the difference, as in abs(x - y) < 0.01",
        user_location(),
    )


class TracedArray(Value):
    """A secret array that answers to Python's operators and to NumPy."""

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a scalar")
        return self.shape[0]

    def __iter__(self) -> Iterator[Value]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<secret {tensor_type(self.shape)} %{self._name}>"

    # --- Arithmetic --------------------------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Value:
        return ops.elementwise("arith.addf", self, other)

    def __radd__(self, other: Any) -> Value:
        return ops.elementwise("arith.addf", other, self)

    def __sub__(self, other: Any) -> Value:
        return ops.elementwise("arith.subf", self, other)

    def __rsub__(self, other: Any) -> Value:
        return ops.elementwise("arith.subf", other, self)

    def __mul__(self, other: Any) -> Value:
        return ops.elementwise("arith.mulf", self, other)

    def __rmul__(self, other: Any) -> Value:
        return ops.elementwise("arith.mulf", other, self)

    def __truediv__(self, other: Any) -> Value:
        return ops.divide(self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return ops.divide(other, self)

    def __pow__(self, exponent: Any) -> Value:
        return ops.power(self, exponent)

    def __rpow__(self, base: Any) -> Value:
        return ops.power(base, self)

    def __matmul__(self, other: Any) -> Value:
        return ops.matrix_product(self, other)

    def __rmatmul__(self, other: Any) -> Value:
        return ops.matrix_product(other, self)

    def __neg__(self) -> Value:
        return ops.unary("arith.negf", self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return ops.unary("math.absf", self)

    # --- Comparisons -------------------------------------------------------------------------------------------------
    def __gt__(self, other: Any) -> Condition:
        return Condition.of(ops.compare("ogt", self, other))

    def __ge__(self, other: Any) -> Condition:
        return Condition.of(ops.compare("oge", self, other))

    def __lt__(self, other: Any) -> Condition:
        return Condition.of(ops.compare("olt", self, other))

    def __le__(self, other: Any) -> Condition:
        return Condition.of(ops.compare("ole", self, other))

    # --- Shape and reductions ----------------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Value:
        return ops.slice_of(self, key)

    @property
    def T(self) -> Value:  # noqa: N802 (NumPy's name)
        return ops.transpose(self)

    def sum(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Value:
        return ops.reduce_sum(self, axis, keepdims)

    def mean(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Value:
        total = ops.reduce_sum(self, axis, keepdims)
        return ops.elementwise("arith.mulf", total, total.size / self.size)

    def dot(self, other: Any) -> Value:
        return ops.dot(self, other)

    # --- NumPy's protocols -------------------------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc is np.add and method == "reduce":
            return ops.reduce_sum(inputs[0], options.get("axis", 0), bool(options.get("keepdims", False)))
        implementation = UFUNCS.get(ufunc)
        if implementation is None or method != "__call__" or options:
            called = f"np.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
            refuse_unsupported(called + (" with options" if options and implementation else ""))
        return implementation(*inputs)

    def __array_function__(self, function: Callable[..., Any], types: Any, arguments: Any, options: Any) -> Any:
        implementation = FUNCTIONS.get(function)
        if implementation is None:
            refuse_unsupported(f"np.{function.__name__}")
        return implementation(*arguments, **options)

    # --- What a secret cannot do -------------------------------------------------------------------------------------
    def __bool__(self) -> NoReturn:
        raise TraceError(
            "the program branches on a secret value",
            "compute both branches and choose by sl.where(condition, a, b)",
            user_location(),
        )

    __eq__ = __ne__ = refuse_equality
    __hash__ = None  # type: ignore[assignment]

    def _refuse_conversion(self, *arguments: Any, **options: Any) -> NoReturn:
        raise TraceError(
            "the program converts a secret value to a Python number or a NumPy array",
            "keep it as it is: use + - * ** @ and NumPy functions on the array; build arrays of secrets by np.stack",
            user_location(),
        )

    __float__ = __int__ = __index__ = __complex__ = __array__ = item = tolist = _refuse_conversion

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TraceError(
            "the program assigns to elements of a secret array",
            "build a new array: multiply by a mask of zeros and ones and add, or use np.stack",
            user_location(),
        )

    def __mod__(self, other: Any) -> NoReturn:
        refuse_unsupported("the operator %")

    __rmod__ = __mod__

    def __floordiv__(self, other: Any) -> NoReturn:
        refuse_unsupported("the operator //")

    __rfloordiv__ = __floordiv__

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(np.ndarray, name):
            refuse_unsupported(f"the array attribute .{name}")
        raise AttributeError(f"a secret array has no attribute {name!r}")


class Condition(TracedArray):
    """What a comparison gives: 1 and 0, for sl.where, for arithmetic, and for & | ~ as on NumPy's booleans."""

    @staticmethod
    def of(value: Value) -> Condition:
        return Condition(value._builder, value._name, value.shape)

    def _result(self, head: str, tail: str, shape: tuple[int, ...], operands: tuple[str, ...]) -> Any:
        """Arithmetic on a condition makes numbers."""
        return TracedArray(self._builder, self._builder.operation(head, tail, user_location(), operands), shape)

    def __invert__(self) -> Condition:
        return Condition.of(1.0 - self)

    def __and__(self, other: Any) -> Condition:
        return Condition.of(self * other)

    def __or__(self, other: Any) -> Condition:
        neither: Condition = ~self & (1.0 - other)
        return ~neither

    __rand__, __ror__ = __and__, __or__
