// RUN: sluice-opt --approximate-nonlinear --split-input-file %s | FileCheck %s
// RUN: sluice-opt --approximate-nonlinear=precision=4 --split-input-file %s | FileCheck %s --check-prefix=COARSE

// The whole form 1 / (1 + exp(-x)) is one function. sigmoid - 1/2 is odd: even coefficients vanish.
// CHECK-LABEL: @sigmoid
// COARSE-LABEL: @sigmoid
func.func @sigmoid(%x: tensor<2xf64> {ckks.secret, ckks.range = [-8.0, 8.0]}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = arith.negf %x : tensor<2xf64>
  %1 = math.exp %0 : tensor<2xf64>
  %2 = arith.addf %one, %1 : tensor<2xf64>
  %3 = arith.divf %one, %2 : tensor<2xf64>
  // CHECK-NOT: math.exp
  // CHECK: ckks.polynomial %arg0 {basis = chebyshev, coefficients = dense<[5.000000e-01, 0.619{{[0-9]*}}, 0.000000e+00, -0.168{{[0-9]*}}, 0.000000e+00,
  // CHECK-SAME: tensor<28xf64>, interval = [-8.000000e+00, 8.000000e+00]}
  // COARSE: tensor<6xf64>, interval = [-8.000000e+00, 8.000000e+00]}
  // CHECK-NOT: arith
  return %3 : tensor<2xf64>
}

// -----

// An exponential that is used by itself stays, beside the sigmoid that contains it. Ranges widen to a power-of-two
// half-width, centred where that is smaller: [-1, 5] becomes [-2, 6] and not [-8, 8].
// CHECK-LABEL: @widened
func.func @widened(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 5.0]}) -> (tensor<2xf64>, tensor<2xf64>) {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = math.exp %x : tensor<2xf64>
  %1 = arith.addf %0, %one : tensor<2xf64>
  %2 = arith.divf %one, %1 : tensor<2xf64>
  // CHECK-COUNT-2: ckks.polynomial %arg0 {{.*}}, interval = [-2.000000e+00, 6.000000e+00]}
  return %0, %2 : tensor<2xf64>, tensor<2xf64>
}

// -----

// The range comes from the operation that made the argument.
// CHECK-LABEL: @inferred
func.func @inferred(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %0 = arith.mulf %x, %x {ckks.range = [-0.5, 0.5]} : tensor<2xf64>
  // CHECK: ckks.polynomial %{{.*}}, interval = [-5.000000e-01, 5.000000e-01]} {ckks.range = [-4.000000e-01, 4.000000e-01]}
  %1 = math.tanh %0 {ckks.range = [-0.4, 0.4]} : tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

// Division by a constant is no division by a secret.
// CHECK-LABEL: @constantDivisor
func.func @constantDivisor(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  // CHECK: arith.divf
  %0 = arith.divf %x, %c : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// A scalar needs no tensor around it.
// CHECK-LABEL: @scalars
func.func @scalars(%x: f64 {ckks.secret, ckks.range = [-1.0, 1.0]}) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  // CHECK: %[[EXP:.*]] = ckks.polynomial %arg0 {basis = chebyshev, {{.*}}, interval = [-1.000000e+00, 1.000000e+00]} : f64
  %0 = math.exp %x : f64
  %1 = arith.addf %one, %0 : f64
  // CHECK: %[[SIGMOID:.*]] = ckks.polynomial %arg0 {{.*}} : f64
  %2 = arith.divf %one, %1 : f64
  // CHECK: %[[TANH:.*]] = ckks.polynomial %arg0 {{.*}} : f64
  %3 = math.tanh %x : f64
  // CHECK: return %[[EXP]], %[[SIGMOID]], %[[TANH]] : f64, f64, f64
  return %0, %2, %3 : f64, f64, f64
}

// -----

// x * sigmoid(x) and 0.5 * x * (1 + erf(x / sqrt(2))) are one function each, in any order of factors. Both are x / 2 plus an
// even function: the odd coefficients but the first vanish.
// CHECK-LABEL: @silu
func.func @silu(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 4.0]}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = arith.negf %x : tensor<2xf64>
  %1 = math.exp %0 : tensor<2xf64>
  %2 = arith.addf %one, %1 : tensor<2xf64>
  %3 = arith.divf %one, %2 : tensor<2xf64>
  %4 = arith.mulf %x, %3 : tensor<2xf64>
  // CHECK-NEXT: %[[SILU:.*]] = ckks.polynomial %arg0 {basis = chebyshev, coefficients = dense<[{{[0-9.]*}}, {{2.000000e[+]00|1.99999[0-9]*}}, {{[0-9.]*}}, 0.000000e+00, {{[-0-9.]*}}, 0.000000e+00,
  // CHECK-NEXT: return %[[SILU]]
  return %4 : tensor<2xf64>
}

// -----

// CHECK-LABEL: @siluAsQuotient
func.func @siluAsQuotient(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 4.0]}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = arith.negf %x : tensor<2xf64>
  %1 = math.exp %0 : tensor<2xf64>
  %2 = arith.addf %1, %one : tensor<2xf64>
  %3 = arith.divf %x, %2 : tensor<2xf64>
  // CHECK-NEXT: %[[SILU:.*]] = ckks.polynomial %arg0
  // CHECK-NEXT: return %[[SILU]]
  return %3 : tensor<2xf64>
}

// -----

// CHECK-LABEL: @gelu
func.func @gelu(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 4.0]}) -> tensor<2xf64> {
  %half = arith.constant dense<0.5> : tensor<2xf64>
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %root = arith.constant dense<1.4142135623730951> : tensor<2xf64>
  %0 = arith.divf %x, %root : tensor<2xf64>
  %1 = math.erf %0 : tensor<2xf64>
  %2 = arith.addf %one, %1 : tensor<2xf64>
  %3 = arith.mulf %half, %x : tensor<2xf64>
  %4 = arith.mulf %3, %2 : tensor<2xf64>
  // CHECK-NEXT: %[[GELU:.*]] = ckks.polynomial %arg0 {basis = chebyshev, coefficients = dense<[{{[0-9.]*}}, {{2.000000e[+]00|1.99999[0-9]*}}, {{[0-9.]*}}, 0.000000e+00, {{[-0-9.]*}}, 0.000000e+00,
  // CHECK-NEXT: return %[[GELU]]
  return %4 : tensor<2xf64>
}

// -----

// A factor more, and the functions are still found inside.
// CHECK-LABEL: @gated
func.func @gated(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 4.0]}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %half = arith.constant dense<0.5> : tensor<2xf64>
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %reciprocal = arith.constant dense<0.70710678118654757> : tensor<2xf64>
  %0 = arith.mulf %reciprocal, %x : tensor<2xf64>
  %1 = math.erf %0 : tensor<2xf64>
  %2 = arith.addf %1, %one : tensor<2xf64>
  %3 = arith.mulf %x, %2 : tensor<2xf64>
  %4 = arith.mulf %3, %half : tensor<2xf64>
  // CHECK-NEXT: %[[GELU:.*]] = ckks.polynomial %arg0
  // CHECK-NEXT: arith.mulf %[[GELU]], %arg1
  %5 = arith.mulf %4, %y : tensor<2xf64>
  return %5 : tensor<2xf64>
}

// -----

// Roots and reciprocals are steep near 0: their intervals are widened at the other end only, [0.5, 3] to [0.5, 4.5].
// CHECK-LABEL: @steep
func.func @steep(%x: tensor<2xf64> {ckks.secret, ckks.range = [0.5, 3.0]})
    -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %c = arith.constant dense<3.0> : tensor<2xf64>
  // CHECK-COUNT-3: ckks.polynomial %arg0 {{.*}}, interval = [5.000000e-01, 4.500000e+00]}
  %0 = math.sqrt %x : tensor<2xf64>
  %1 = math.rsqrt %x : tensor<2xf64>
  // A number over a secret is one polynomial.
  %2 = arith.divf %c, %x : tensor<2xf64>
  // CHECK-NEXT: return
  return %0, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// -----

// A secret over a secret is multiplied by the reciprocal. Negative ranges are widened downwards.
// CHECK-LABEL: @quotient
func.func @quotient(%x: tensor<2xf64> {ckks.secret, ckks.range = [-3.0, -0.5]}, %y: tensor<2xf64> {ckks.secret, ckks.range = [-8.0, 8.0]})
    -> tensor<2xf64> {
  // CHECK: %[[RECIPROCAL:.*]] = ckks.polynomial %arg0 {{.*}}, interval = [-4.500000e+00, -5.000000e-01]}
  // CHECK: arith.mulf %arg1, %[[RECIPROCAL]]
  %0 = arith.divf %y, %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// relu(x) = x (1 + sign(x)) / 2. The sign is composed of odd polynomials, the first on the range, the others on [-1, 1];
// the last one's constant term makes (1 + sign) / 2 of it. 4 bits take the steps of degrees 3 (2 levels) and one product.
// CHECK-LABEL: @relu
// COARSE-LABEL: @relu
func.func @relu(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  // COARSE-NEXT: %[[STEP:.*]] = ckks.polynomial %arg0 {basis = chebyshev, coefficients = dense<[5.000000e-01, {{.*}}, 0.000000e+00, {{.*}}]> : tensor<4xf64>
  // COARSE-NEXT: %[[RELU:.*]] = arith.mulf %arg0, %[[STEP]]
  // COARSE-NEXT: return %[[RELU]]
  // 16 bits: degrees 15, 61 and 61, 16 levels.
  // CHECK-NEXT: %[[FIRST:.*]] = ckks.polynomial %arg0 {{.*}} : tensor<16xf64>, interval = [-1.000000e+00, 1.000000e+00]}
  // CHECK-NEXT: %[[SECOND:.*]] = ckks.polynomial %[[FIRST]] {{.*}} : tensor<62xf64>, interval = [-1.000000e+00, 1.000000e+00]}
  // CHECK-NEXT: %[[STEP:.*]] = ckks.polynomial %[[SECOND]] {basis = chebyshev, coefficients = dense<[5.000000e-01, {{.*}} : tensor<62xf64>, interval = [-1.000000e+00, 1.000000e+00]}
  // CHECK-NEXT: %[[RELU:.*]] = arith.mulf %arg0, %[[STEP]]
  // CHECK-NEXT: return %[[RELU]]
  %0 = arith.maximumf %x, %zero : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// |x| = x sign(x); a wider range is folded into the first interval, whose half-width is a power of two.
// CHECK-LABEL: @absolute
// COARSE-LABEL: @absolute
func.func @absolute(%x: tensor<2xf64> {ckks.secret, ckks.range = [-3.0, 1.0]}) -> tensor<2xf64> {
  // COARSE: %[[FIRST:.*]] = ckks.polynomial %arg0 {{.*}}, interval = [-4.000000e+00, 4.000000e+00]}
  // COARSE: %[[SIGN:.*]] = ckks.polynomial %[[FIRST]] {basis = chebyshev, coefficients = dense<[0.000000e+00, {{.*}}, interval = [-1.000000e+00, 1.000000e+00]}
  // COARSE: arith.mulf %arg0, %[[SIGN]]
  %0 = math.absf %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// max(a, b) = b + (a - b) (1 + sign(a - b)) / 2, min the same with the other sign.
// COARSE-LABEL: @extrema
func.func @extrema(%x: tensor<2xf64> {ckks.secret, ckks.range = [-0.5, 0.5]}, %y: tensor<2xf64> {ckks.secret, ckks.range = [-0.5, 0.5]})
    -> (tensor<2xf64>, tensor<2xf64>) {
  // COARSE: %[[DIFFERENCE:.*]] = arith.subf %arg0, %arg1
  // COARSE-NEXT: %[[STEP:.*]] = ckks.polynomial %[[DIFFERENCE]] {{.*}}dense<[5.000000e-01, 0.
  // COARSE-NEXT: %[[PART:.*]] = arith.mulf %[[DIFFERENCE]], %[[STEP]]
  // COARSE-NEXT: %[[MAXIMUM:.*]] = arith.addf %arg1, %[[PART]]
  %0 = arith.maximumf %x, %y : tensor<2xf64>
  // COARSE: %[[DIFFERENCE:.*]] = arith.subf %arg0, %arg1
  // COARSE-NEXT: %[[STEP:.*]] = ckks.polynomial %[[DIFFERENCE]] {{.*}}dense<[5.000000e-01, -0.
  // COARSE-NEXT: %[[PART:.*]] = arith.mulf %[[DIFFERENCE]], %[[STEP]]
  // COARSE-NEXT: %[[MINIMUM:.*]] = arith.addf %arg1, %[[PART]]
  // COARSE-NEXT: return %[[MAXIMUM]], %[[MINIMUM]]
  %1 = arith.minimumf %x, %y : tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}

// -----

// What the range decides costs nothing.
// CHECK-LABEL: @decided
func.func @decided(%x: tensor<2xf64> {ckks.secret, ckks.range = [1.0, 2.0]}) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %0 = arith.maximumf %x, %zero : tensor<2xf64>
  %1 = arith.negf %x {ckks.range = [-2.0, -1.0]} : tensor<2xf64>
  %2 = math.absf %1 : tensor<2xf64>
  %3 = arith.cmpf oge, %zero, %x : tensor<2xf64>
  %4 = arith.select %3, %zero, %x : tensor<2xi1>, tensor<2xf64>
  // CHECK-NOT: ckks.polynomial
  // CHECK: return %arg0, %{{.*}}, %arg0
  return %0, %2, %4 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// -----

// A comparison is (1 + sign(a - b)) / 2. All that chooses by it shares the first steps; a choice of two numbers is in the last
// one's coefficients: 0.25 or 5 has the mean 2.625.
// CHECK-LABEL: @choices
// COARSE-LABEL: @choices
func.func @choices(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}, %y: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 1.0]})
    -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %quarter = arith.constant dense<0.25> : tensor<2xf64>
  %five = arith.constant dense<5.0> : tensor<2xf64>
  // CHECK: %[[DIFFERENCE:.*]] = arith.subf %cst, %arg0
  // CHECK-NEXT: %[[FIRST:.*]] = ckks.polynomial %[[DIFFERENCE]] {{.*}}, interval = [-2.000000e+00, 2.000000e+00]}
  // CHECK-NEXT: %[[SECOND:.*]] = ckks.polynomial %[[FIRST]]
  // CHECK-NEXT: %[[TRUTH:.*]] = ckks.polynomial %[[SECOND]] {{.*}} dense<[5.000000e-01,
  %0 = arith.cmpf olt, %x, %quarter : tensor<2xf64>
  // CHECK-NEXT: %[[SPREAD:.*]] = arith.subf %arg0, %arg1
  // CHECK-NEXT: %[[PART:.*]] = arith.mulf %[[TRUTH]], %[[SPREAD]]
  // CHECK-NEXT: %[[CHOICE:.*]] = arith.addf %arg1, %[[PART]]
  %1 = arith.select %0, %x, %y : tensor<2xi1>, tensor<2xf64>
  %2 = arith.uitofp %0 : tensor<2xi1> to tensor<2xf64>
  // CHECK-NEXT: %[[NUMBER:.*]] = ckks.polynomial %[[SECOND]] {{.*}} dense<[2.625000e+00,
  %3 = arith.select %0, %five, %quarter : tensor<2xi1>, tensor<2xf64>
  // CHECK-NEXT: return %[[CHOICE]], %[[TRUTH]], %[[NUMBER]]
  return %1, %2, %3 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// -----

// One condition for a whole tensor is spread.
// COARSE-LABEL: @spread
func.func @spread(%c: f64 {ckks.secret, ckks.range = [-1.0, 1.0]}, %x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<2xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %0 = arith.cmpf ogt, %c, %zero : f64
  // COARSE: %[[SPLAT:.*]] = tensor.splat %{{.*}} : tensor<2xf64>
  // COARSE-NEXT: %[[PART:.*]] = arith.mulf %[[SPLAT]], %arg1
  // COARSE-NEXT: return %[[PART]]
  %1 = arith.select %0, %x, %zeros : tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

// A maximum written as a choice is a maximum: no difference is too small for it.
// COARSE-LABEL: @idioms
func.func @idioms(%x: tensor<2xf64> {ckks.secret, ckks.range = [-0.5, 0.5]}) -> (tensor<2xf64>, tensor<2xf64>) {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %0 = arith.cmpf olt, %x, %zero : tensor<2xf64>
  // COARSE: %[[STEP:.*]] = ckks.polynomial %arg0 {{.*}} : tensor<4xf64>
  // COARSE-NEXT: %[[RELU:.*]] = arith.mulf %arg0, %[[STEP]]
  %1 = arith.select %0, %zero, %x : tensor<2xi1>, tensor<2xf64>
  %2 = arith.negf %x : tensor<2xf64>
  %3 = arith.cmpf oge, %x, %zero : tensor<2xf64>
  // COARSE-NEXT: %[[SIGN:.*]] = ckks.polynomial %arg0
  // COARSE-NEXT: %[[ABSOLUTE:.*]] = arith.mulf %arg0, %[[SIGN]]
  // COARSE-NEXT: return %[[RELU]], %[[ABSOLUTE]]
  %4 = arith.select %3, %x, %2 : tensor<2xi1>, tensor<2xf64>
  return %1, %4 : tensor<2xf64>, tensor<2xf64>
}
