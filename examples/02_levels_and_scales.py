"""What the compiler decides: levels and exact scales.

Every multiplication lets the water out of a ciphertext: its level falls by one. The compiler settles, for every value,
the level and the scale; additions of unequal scales cannot be written down. This prints a polynomial before and after.
"""

import sluice as sl


def model(x):
    return x**3 - 0.5 * x


program = sl.compile(model, sl.Secret(8, range=(-1, 1)), precision=20)

print("What was traced:\n")
print(program.stage("traced").as_text())
print("Packed into slots; no levels, no scales yet:\n")
print(program.stage("packed").as_text())
print("Settled; each !ckks.ct carries its level and its scale, a monomial in 2 and the limbs q0, q1, …:\n")
print(program.stage("settled").as_text())
print(program)
