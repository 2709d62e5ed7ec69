"""The whole way in one file: compile a function, encrypt, compute, decrypt.

In real life the client and the server are two machines: see examples/breast_cancer.py and the command `sluice`.
"""

import numpy as np

import sluice as sl


def model(x):
    """A little of everything: a weighted sum, a square, a polynomial."""
    weights = np.array([0.5, -1.0, 0.25, 2.0])
    return (weights @ x) ** 2 + 0.5


program = sl.compile(model, sl.Secret(4, range=(-1, 1)), precision=20)
print(program)

client = sl.Client(program.manifest)  # makes the secret key; it never leaves this object
server = sl.Server(program, client.evaluation_keys)  # holds no secret

x = np.array([0.1, -0.7, 0.4, 0.9])
encrypted = client.encrypt(x)
result = client.decrypt(server(encrypted))

print(f"\nclear      {model(x):.9f}")
print(f"encrypted  {result:.9f}")
assert abs(result - model(x)) < 2**-18
