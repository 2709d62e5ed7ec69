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
