"""Writing MLIR text: one `Operation` per line, printed when the function is complete."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sluice.tracing.source import SourceLocation

# Above this many elements a constant is printed as its bytes in hexadecimal: exact, shorter, faster to parse.
_HEX_ABOVE = 256


def tensor_type(shape: tuple[int, ...], element: str = "f64") -> str:
    """`tensor<2x3xf64>`; a scalar is `tensor<f64>`."""
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def float_text(value: float) -> str:
    """The shortest text that MLIR reads back as exactly this double; MLIR wants a point before the exponent."""
    text = repr(float(value))
    if "." not in text:
        mantissa, exponent, power = text.partition("e")
        text = f"{mantissa}.0{exponent}{power}"
    return text


def dense_text(values: np.ndarray) -> str:
    """`dense<…>` with the elements of a float64 array, row-major."""
    if values.size > 1 and np.all(values == values.flat[0]) and not np.any(np.signbit(values) & (values == 0)):
        return f"dense<{float_text(values.flat[0])}>"
    if values.size > _HEX_ABOVE:
        return f'dense<"0x{np.ascontiguousarray(values, dtype="<f8").tobytes().hex().upper()}">'
    return f"dense<{_nested_text(values)}>"


def _nested_text(values: np.ndarray) -> str:
    if values.ndim == 0:
        return float_text(values.item())
    return "[" + ", ".join(_nested_text(row) for row in values) + "]"


def range_text(bounds: tuple[float, float]) -> str:
    """`[-8.0, 8.0]`."""
    return f"[{float_text(bounds[0])}, {float_text(bounds[1])}]"


@dataclass
class Operation:
    """One line `%result = head {attributes} tail loc(…)`. `kind` is the operation's name."""

    result: str
    head: str
    tail: str
    location: SourceLocation
    operands: tuple[str, ...]
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.head.split(" ", 1)[0]

    def as_text(self) -> str:
        attributes = ", ".join(f"{key} = {value}" for key, value in self.attributes.items())
        braces = f" {{{attributes}}}" if attributes else ""
        return f"%{self.result} = {self.head}{braces}{self.tail} {self.location.as_mlir()}"


@dataclass
class Argument:
    """One secret argument of the function."""

    name: str
    shape: tuple[int, ...]
    bounds: tuple[float, float]

    def as_text(self, location: SourceLocation) -> str:
        return (
            f'%{self.name}: {tensor_type(self.shape)} {{ckks.secret, ckks.name = "{self.name}", '
            f"ckks.range = {range_text(self.bounds)}}} {location.as_mlir()}"
        )


class FunctionBuilder:
    """Collects the operations of one function. Result names are numbers, argument names are the user's."""

    def __init__(self, name: str, location: SourceLocation, batch: int | None):
        self.name = name
        self.location = location
        self.batch = batch
        self.arguments: list[Argument] = []
        self.operations: dict[str, Operation] = {}
        self.constants: dict[str, np.ndarray] = {}
        self._constant_names: dict[tuple[tuple[int, ...], bytes], str] = {}
        self._zero_names: dict[tuple[int, ...], str] = {}

    def argument(self, name: str, shape: tuple[int, ...], bounds: tuple[float, float]) -> None:
        self.arguments.append(Argument(name, shape, bounds))

    def operation(
        self, head: str, tail: str, location: SourceLocation, operands: tuple[str, ...] = (), **attributes: str
    ) -> str:
        """Appends an operation; gives the name of its result."""
        result = str(len(self.operations))
        self.operations[result] = Operation(result, head, tail, location, operands, dict(attributes))
        return result

    def constant(self, values: np.ndarray, location: SourceLocation) -> str:
        """The name of a constant tensor of these doubles; equal constants are written once."""
        key = (values.shape, np.ascontiguousarray(values).tobytes())
        if key not in self._constant_names:
            text = f"arith.constant {dense_text(values)} : {tensor_type(values.shape)}"
            name = self.operation(text, "", location)
            self._constant_names[key] = name
            self.constants[name] = values
        return self._constant_names[key]

    def integer_constant(self, value: int, shape: tuple[int, ...], location: SourceLocation) -> str:
        return self.operation(f"arith.constant dense<{value}> : {tensor_type(shape, 'i32')}", "", location)

    def empty(self, shape: tuple[int, ...], location: SourceLocation) -> str:
        """A tensor whose content does not matter: the destination of an operation that writes all of it."""
        return self.operation(f"tensor.empty() : {tensor_type(shape)}", "", location)

    def zeros(self, shape: tuple[int, ...], location: SourceLocation) -> str:
        """A tensor of zeros: the initial value of a reduction or a product."""
        if shape not in self._zero_names:
            zero = self.operation("arith.constant 0.0 : f64", "", location)
            empty = self.empty(shape, location)
            of = tensor_type(shape)
            text = f"linalg.fill ins(%{zero} : f64) outs(%{empty} : {of}) -> {of}"
            self._zero_names[shape] = self.operation(text, "", location)
        return self._zero_names[shape]

    def as_text(self, results: list[tuple[str, str, tuple[int, ...]]], location: SourceLocation) -> str:
        """The module: one public function that returns `results`, triples of (name of the output, value, shape)."""
        where = self.location.as_mlir()
        arguments = ", ".join(argument.as_text(self.location) for argument in self.arguments)
        types = [tensor_type(shape) for _, _, shape in results]
        outputs = ", ".join(f'{of} {{ckks.name = "{name}"}}' for (name, _, _), of in zip(results, types, strict=True))
        batch = f" attributes {{ckks.batch = {self.batch} : i64}}" if self.batch is not None else ""
        values = ", ".join(f"%{value}" for _, value, _ in results)
        lines = [f"  func.func @{self.name}({arguments}) -> ({outputs}){batch} {{"]
        lines += [f"    {operation.as_text()}" for operation in self.operations.values()]
        lines += [f"    return {values} : {', '.join(types)} {location.as_mlir()}", f"  }} {where}"]
        return "module {\n" + "\n".join(lines) + f"\n}} {where}\n"
