"""`trace`: from a Python function and the description of its secrets to upstream MLIR text."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sluice.errors import InvalidArgumentError, TraceError
from sluice.tracing.array import TracedArray
from sluice.tracing.builder import FunctionBuilder
from sluice.tracing.functions import checked_count
from sluice.tracing.ranges import Range, checked_range
from sluice.tracing.source import SourceLocation, definition_location


@dataclass(frozen=True)
class Secret:
    """A secret argument: its shape and the range of its elements, which encryption enforces.

    The narrower the range, the cheaper the program: approximations and scales follow from it.
    """

    shape: tuple[int, ...] = ()
    range: Range = (-1.0, 1.0)

    def __init__(self, shape: int | tuple[int, ...] = (), *, range: Range):
        extents = shape if isinstance(shape, (tuple, list)) else (shape,)
        counts = tuple(checked_count(extent, "an extent of a secret") for extent in extents)
        object.__setattr__(self, "shape", counts)
        object.__setattr__(self, "range", checked_range(range, "the range of a secret"))


@dataclass(frozen=True)
class TracedModule:
    """The `traced` stage of a program: MLIR text and what it was made from."""

    name: str
    text: str
    function: Callable[..., Any]
    secrets: tuple[Secret, ...]


def program(*secrets: Secret) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that says which secrets a function takes, so that `sluice compile model.py:function` knows."""

    def attach(function: Callable[..., Any]) -> Callable[..., Any]:
        function.secrets = secrets  # type: ignore[attr-defined]
        return function

    return attach


def trace(
    function: Callable[..., Any], secrets: tuple[Secret, ...], *, name: str | None = None, batch: int | None = None
) -> TracedModule:
    """Runs the function once on symbols.

    Raises TraceError with the user's line where the function does what a circuit cannot.
    """
    if not callable(function):
        raise InvalidArgumentError(f"expected a function or the path of an .mlir file, not {function!r}")
    batch = None if batch is None else checked_count(batch, "batch")
    location = _location_of(function)
    names = _parameter_names(function, len(secrets), location)
    builder = FunctionBuilder(_symbol(name or str(getattr(function, "__name__", "program"))), location, batch)
    arguments = []
    for parameter, secret in zip(names, secrets, strict=True):
        builder.argument(parameter, secret.shape, secret.range)
        arguments.append(TracedArray(builder, parameter, secret.shape))
    outputs = _named_outputs(function(*arguments), location)
    for output_name, value in outputs:
        if not isinstance(value, TracedArray):
            raise TraceError(
                f"{output_name} of {builder.name!r} does not depend on a secret ({type(value).__name__})",
                "return values computed from the secret arguments",
                location,
            )
    results = [(output_name, value._name, value.shape) for output_name, value in outputs]
    return TracedModule(builder.name, builder.as_text(results, location), function, secrets)


def _location_of(function: Callable[..., Any]) -> SourceLocation:
    unwrapped = inspect.unwrap(function)
    code = getattr(unwrapped, "__code__", None) or getattr(type(unwrapped).__call__, "__code__", None)
    return definition_location(code) if code else SourceLocation("<unknown>", 1)


def _parameter_names(function: Callable[..., Any], count: int, location: SourceLocation) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = list(inspect.signature(function).parameters.values())
    positional = [p for p in parameters if p.kind in kinds]
    required = [p for p in positional if p.default is p.empty]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if count == 0 or count < len(required) or (count > len(positional) and not variadic):
        wanted = ", ".join(p.name for p in required) or "no arguments"
        raise TraceError(
            f"the function takes {wanted}; {count} secrets were given",
            "give one sl.Secret for each argument, in order",
            location,
        )
    names = [p.name for p in positional[:count]] + [f"x{k}" for k in range(len(positional), count)]
    return [name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else f"x{k}" for k, name in enumerate(names)]


def _named_outputs(returned: Any, location: SourceLocation) -> list[tuple[str, Any]]:
    """Pairs (name, value) of what the function returned: one value, a tuple, or a mapping by name."""
    if isinstance(returned, Mapping):
        outputs = [(str(key), value) for key, value in returned.items()]
    elif isinstance(returned, (tuple, list)):
        outputs = [(f"result{k}", value) for k, value in enumerate(returned)]
    else:
        outputs = [("result", returned)]
    if not outputs or not all(re.fullmatch(r"[A-Za-z0-9_.-]+", key) for key, _ in outputs):
        raise TraceError(
            "the function must return a secret value, a tuple or a dictionary of them",
            "name outputs by letters, digits, '_', '-' and '.'",
            location,
        )
    return outputs


def _symbol(name: str) -> str:
    """A name that MLIR takes without quotes; a lambda becomes `program`."""
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return cleaned if re.match(r"[A-Za-z_]", cleaned) and name != "<lambda>" else "program"
