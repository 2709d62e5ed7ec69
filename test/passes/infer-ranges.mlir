// RUN: sluice-opt --infer-ranges --split-input-file %s | FileCheck %s

// Each element has its own interval: 2x0 - x1 + 1 for x in [-1, 3].
// CHECK-LABEL: @proved
func.func @proved(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 3.0]}) -> tensor<f64> {
  %w = arith.constant dense<[2.0, -1.0]> : tensor<2xf64>
  %init = arith.constant dense<1.0> : tensor<f64>
  // CHECK: linalg.dot {ckks.range = [-4.000000e+00, 8.000000e+00], sluice.range_source = "proved"}
  %0 = linalg.dot ins(%w, %x : tensor<2xf64>, tensor<2xf64>) outs(%init : tensor<f64>) -> tensor<f64>
  %1 = math.tanh %0 : tensor<f64>
  return %1 : tensor<f64>
}

// -----

// A sigmoid's argument gets its range too, through the negation. A user's range wins and narrows what follows.
// CHECK-LABEL: @measured
func.func @measured(%x: tensor<2xf64> {ckks.secret, ckks.range = [-100.0, 100.0]}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  // CHECK: arith.addf %{{.*}} {ckks.range = [-2.000000e+00, 6.000000e+00], sluice.range_source = "measured"}
  %0 = arith.addf %x, %one {ckks.range = [-2.0, 6.0]} : tensor<2xf64>
  // CHECK: arith.negf %{{.*}} {ckks.range = [-6.000000e+00, 2.000000e+00], sluice.range_source = "proved"}
  %1 = arith.negf %0 : tensor<2xf64>
  %2 = math.exp %1 : tensor<2xf64>
  %3 = arith.addf %one, %2 : tensor<2xf64>
  %4 = arith.divf %one, %3 : tensor<2xf64>
  return %4 : tensor<2xf64>
}

// -----

// A square is not negative, a product of different values may be.
// CHECK-LABEL: @squares
func.func @squares(%x: tensor<2xf64> {ckks.secret, ckks.range = [-2.0, 1.0]}) -> (tensor<2xf64>, tensor<2xf64>) {
  // CHECK: arith.mulf %{{.*}} {ckks.range = [0.000000e+00, 4.000000e+00], sluice.range_source = "proved"}
  %0 = arith.mulf %x, %x : tensor<2xf64>
  %1 = math.exp %0 : tensor<2xf64>
  %2 = arith.negf %x : tensor<2xf64>
  // CHECK: arith.mulf %{{.*}} {ckks.range = [-4.000000e+00, 2.000000e+00], sluice.range_source = "proved"}
  %3 = arith.mulf %x, %2 : tensor<2xf64>
  %4 = math.exp %3 : tensor<2xf64>
  return %1, %4 : tensor<2xf64>, tensor<2xf64>
}

// -----

// Places that a batch leaves free hold items of zeros: their value 10 belongs to the range.
// CHECK-LABEL: @emptyItems
func.func @emptyItems(%x: tensor<2xf64> {ckks.secret, ckks.range = [2.0, 3.0]}) -> tensor<2xf64>
    attributes {ckks.batch = 8 : i64} {
  %ten = arith.constant dense<10.0> : tensor<2xf64>
  // CHECK: arith.subf %{{.*}} {ckks.range = [7.000000e+00, 1.000000e+01], sluice.range_source = "proved"}
  %0 = arith.subf %ten, %x : tensor<2xf64>
  %1 = math.tanh %0 : tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

// Without a declared range nothing is known, except what a bounded function returns.
// CHECK-LABEL: @unknown
func.func @unknown(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %two = arith.constant dense<2.0> : tensor<2xf64>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<2xf64>
  %0 = arith.mulf %x, %two : tensor<2xf64>
  // CHECK: math.tanh %{{.*}} {ckks.range = [-1.000000e+00, 1.000000e+00], sluice.range_source = "proved"}
  %1 = math.tanh %0 : tensor<2xf64>
  %2 = math.exp %1 : tensor<2xf64>
  return %2 : tensor<2xf64>
}
