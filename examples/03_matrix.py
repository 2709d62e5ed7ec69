"""A small neural network on a batch: two matrices, a square between them, sixteen items in one ciphertext.

A matrix times an encrypted vector is a sum of rotated copies times diagonals. Rotations need keys: the manifest lists
exactly those that this program uses, and the client makes no others.
"""

import json

import numpy as np

import sluice as sl

rng = np.random.default_rng(1)
FIRST = rng.normal(size=(16, 32)) / 6
SECOND = rng.normal(size=(10, 16)) / 4


def network(x):
    hidden = FIRST @ x + 0.1
    return SECOND @ (hidden * hidden)


program = sl.compile(network, sl.Secret(32, range=(-1, 1)), precision=16, batch=16)
print(program)
for key in json.loads(program.manifest)["evaluation_keys"]:
    print(f"  key: {key['kind']}", f"element {key['element']}" if key["kind"] == "galois" else "")

client = sl.Client(program.manifest)
server = sl.Server(program, client.evaluation_keys)

items = rng.uniform(-1, 1, size=(16, 32))
results = client.decrypt(server(client.encrypt(items)))
expected = np.stack([network(item) for item in items])
print(f"\nlargest error of {results.size} results: 2^{np.log2(np.max(np.abs(results - expected))):.1f}")
assert np.max(np.abs(results - expected)) < 2**-12
