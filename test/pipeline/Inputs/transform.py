"""transform.py DIAGONALS: a module with one linear transform of that many diagonals, all different, and its rescale.

N = 2^13, six levels of one limb, P of two, three digits.
"""

import sys

LIMBS = [
    1125899906826241, 1125899906629633,
    35184371613697, 35184371417089, 35184371138561, 35184371089409, 35184370941953, 35184370794497,
]  # fmt: skip
count = int(sys.argv[1])
levels = ", ".join(str(list(range(2, 3 + level))) for level in range(6))
diagonals = [[(7 * k + 3 * j) % 11 + 0.5 + k / 64 for j in range(64)] for k in range(count)]
top, low = "!ckks.ct<level = 5, scale = 2^45>", "!ckks.ct<level = 4, scale = 2^45>"
product = "!ckks.ct<level = 5, scale = 2^45 * q7>"

print(f"""
#params = #ckks.params<logN = 13, limbs = {LIMBS}, special = [0, 1], levels = [{levels}],
  digits = [[2, 3], [4, 5], [6, 7]], slots = 64, secret = "uniform-ternary", security = 0>
module attributes {{ckks.params = #params}} {{
func.func @transform(%x: {top}) -> {low} {{
  %y = ckks.linear_transform %x {{indices = {list(range(count))},
    diagonals = dense<{diagonals}> : tensor<{count}x64xf64>, scale = #ckks.scale<q7>}} : {top} -> {product}
  %z = ckks.rescale %y : {product} -> {low}
  return %z : {low}
}}
}}""")
