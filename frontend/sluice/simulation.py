"""The twin of a program: what the circuit computes, in the clear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sluice import _compiler
from sluice.errors import CompileError, InvalidArgumentError
from sluice.manifest import Manifest, TensorSpec
from sluice.program import diagnostic_text


def simulate(
    text: str, phase: str, manifest: Manifest, arrays: Sequence[Any], noise_seed: int | None = None
) -> np.ndarray | tuple[np.ndarray, ...]:
    """Runs the text of a phase on one array an input; shapes of arrays and results are those of Client."""
    if len(arrays) != len(manifest.inputs):
        raise InvalidArgumentError(
            f"program {manifest.name!r} has {len(manifest.inputs)} inputs; {len(arrays)} arrays were given"
        )
    types = [np.complex128 if spec.complex else np.float64 for spec in manifest.inputs]
    values = [np.asarray(array, dtype=type_) for array, type_ in zip(arrays, types)]
    items = {_items(array, spec) for array, spec in zip(values, manifest.inputs)}
    if len(items) > 1:
        raise InvalidArgumentError(f"the inputs hold different numbers of items: {sorted(items)}")
    flat = [np.ascontiguousarray(array).reshape(-1).view(np.float64) for array in values]
    result = _compiler.simulate(text, f"<{manifest.name}>", flat, phase=phase, noise_seed=noise_seed)
    if not result.succeeded:
        raise CompileError("\n".join(diagnostic_text(diagnostic) for diagnostic in result.diagnostics))
    outputs = [
        (output.view(np.complex128) if spec.complex else output).reshape(
            (*items, *spec.shape) if spec.batched else spec.shape
        )
        for output, spec in zip(result.outputs, manifest.outputs)
    ]
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _items(array: np.ndarray, spec: TensorSpec) -> int:
    if array.shape == spec.shape:
        return 1
    if not spec.batched or array.shape[1:] != spec.shape or array.ndim != len(spec.shape) + 1:
        leading = "with a leading axis of items, " if spec.batched else ""
        raise InvalidArgumentError(f"input {spec.name!r}: shape {array.shape}, but it must be {leading}{spec.shape}")
    return int(array.shape[0])
