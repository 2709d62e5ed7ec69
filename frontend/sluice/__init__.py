"""Sluice compiles ordinary numeric programs into circuits that run on encrypted data (CKKS), and runs them.

>>> program = sl.compile(model, sl.Secret((30,), range=(-8, 8)), precision=16)
>>> client = sl.Client(program.manifest)
>>> server = sl.Server(program, client.evaluation_keys)
>>> y = client.decrypt(server(client.encrypt(x)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluice.errors import SluiceError, TraceError
from sluice.program import Program, compile, load
from sluice.tracing.functions import polynomial
from sluice.tracing.nonlinear import (
    abs,
    exp,
    gelu,
    maximum,
    minimum,
    reciprocal,
    relu,
    sigmoid,
    silu,
    sqrt,
    tanh,
    where,
)
from sluice.tracing.tracer import Secret, program

if TYPE_CHECKING:
    from sluice.ciphertext import Ciphertext
    from sluice.client import Client
    from sluice.server import Server

__all__ = [
    "Ciphertext",
    "Client",
    "Program",
    "Secret",
    "Server",
    "SluiceError",
    "TraceError",
    "abs",
    "compile",
    "exp",
    "gelu",
    "load",
    "maximum",
    "minimum",
    "polynomial",
    "program",
    "reciprocal",
    "relu",
    "sigmoid",
    "silu",
    "sqrt",
    "tanh",
    "where",
]


def __getattr__(name: str) -> Any:
    """Loads client and server when they are first used: compiling needs neither."""
    import importlib

    modules = {"Ciphertext": "sluice.ciphertext", "Client": "sluice.client", "Server": "sluice.server"}
    if name not in modules:
        raise AttributeError(f"module 'sluice' has no attribute {name!r}")
    return getattr(importlib.import_module(modules[name]), name)
