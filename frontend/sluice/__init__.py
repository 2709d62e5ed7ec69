"""Sluice compiles ordinary numeric programs into circuits that run on encrypted data (CKKS), and runs them.

>>> program = sl.compile(model, sl.Secret((30,), range=(-8, 8)), precision=16)
>>> client = sl.Client(program.manifest)
>>> server = sl.Server(program, client.evaluation_keys)
>>> y = client.decrypt(server(client.encrypt(x)))
"""

from sluice.errors import SluiceError, TraceError
from sluice.tracing.functions import exp, polynomial, sigmoid, tanh
from sluice.tracing.tracer import Secret, program

__all__ = [
    "Secret",
    "SluiceError",
    "TraceError",
    "exp",
    "polynomial",
    "program",
    "sigmoid",
    "tanh",
]
