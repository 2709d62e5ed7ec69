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

// -----

// Functions that are written as several operations have their own image: the least value of gelu is -0.17, of silu -0.28.
// CHECK-LABEL: @wholeFunctions
func.func @wholeFunctions(%x: tensor<2xf64> {ckks.secret, ckks.range = [-8.0, 4.0]}) -> (tensor<2xf64>, tensor<2xf64>) {
  %half = arith.constant dense<0.5> : tensor<2xf64>
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %root = arith.constant dense<1.4142135623730951> : tensor<2xf64>
  %0 = arith.divf %x, %root : tensor<2xf64>
  %1 = math.erf %0 : tensor<2xf64>
  %2 = arith.addf %one, %1 : tensor<2xf64>
  %3 = arith.mulf %half, %x : tensor<2xf64>
  // CHECK: %[[GELU:.*]] = arith.mulf %{{.*}} {ckks.range = [-0.16997{{[0-9]*}}, 3.99987{{[0-9]*}}], sluice.range_source = "proved"}
  %4 = arith.mulf %3, %2 : tensor<2xf64>
  %5 = arith.negf %x : tensor<2xf64>
  %6 = math.exp %5 : tensor<2xf64>
  %7 = arith.addf %one, %6 : tensor<2xf64>
  %8 = arith.divf %one, %7 : tensor<2xf64>
  // CHECK: %[[SILU:.*]] = arith.mulf %{{.*}} {ckks.range = [-0.27846{{[0-9]*}}, 3.92805{{[0-9]*}}], sluice.range_source = "proved"}
  %9 = arith.mulf %x, %8 : tensor<2xf64>
  %10 = math.exp %4 : tensor<2xf64>
  %11 = math.exp %9 : tensor<2xf64>
  return %10, %11 : tensor<2xf64>, tensor<2xf64>
}

// -----

// CHECK-LABEL: @roots
func.func @roots(%x: tensor<2xf64> {ckks.secret, ckks.range = [1.0, 4.0]}) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %two = arith.constant dense<2.0> : tensor<2xf64>
  // CHECK: math.sqrt %{{.*}} {ckks.range = [1.000000e+00, 2.000000e+00], sluice.range_source = "proved"}
  %0 = math.sqrt %x : tensor<2xf64>
  // CHECK: math.rsqrt %{{.*}} {ckks.range = [5.000000e-01, 1.000000e+00], sluice.range_source = "proved"}
  %1 = math.rsqrt %x : tensor<2xf64>
  // CHECK: arith.divf %{{.*}} {ckks.range = [5.000000e-01, 2.000000e+00], sluice.range_source = "proved"}
  %2 = arith.divf %two, %x : tensor<2xf64>
  %3 = math.erf %0 : tensor<2xf64>
  %4 = math.erf %1 : tensor<2xf64>
  %5 = math.erf %2 : tensor<2xf64>
  return %3, %4, %5 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// -----

// Both sides of a comparison and of a choice get their ranges; a maximum written as a choice is one.
// CHECK-LABEL: @choices
func.func @choices(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 3.0]}) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %two = arith.constant dense<2.0> : tensor<2xf64>
  // CHECK: math.absf %{{.*}} {ckks.range = [0.000000e+00, 3.000000e+00], sluice.range_source = "proved"}
  %0 = math.absf %x : tensor<2xf64>
  // CHECK: arith.mulf %{{.*}} {ckks.range = [-2.000000e+00, 6.000000e+00], sluice.range_source = "proved"}
  %1 = arith.mulf %x, %two : tensor<2xf64>
  // CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : tensor<2xf64>
  %2 = arith.cmpf ogt, %0, %two : tensor<2xf64>
  // CHECK: arith.select %{{.*}} {ckks.range = [-2.000000e+00, 6.000000e+00], sluice.range_source = "proved"}
  %3 = arith.select %2, %0, %1 : tensor<2xi1>, tensor<2xf64>
  %4 = arith.cmpf oge, %x, %zero : tensor<2xf64>
  // CHECK: arith.select %{{.*}} {ckks.range = [0.000000e+00, 3.000000e+00], sluice.range_source = "proved"}
  %5 = arith.select %4, %x, %zero : tensor<2xi1>, tensor<2xf64>
  // CHECK: arith.minimumf %{{.*}} {ckks.range = [-1.000000e+00, 2.000000e+00], sluice.range_source = "proved"}
  %6 = arith.minimumf %x, %two : tensor<2xf64>
  %7 = math.exp %3 : tensor<2xf64>
  %8 = math.exp %5 : tensor<2xf64>
  %9 = math.exp %6 : tensor<2xf64>
  return %7, %8, %9 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
