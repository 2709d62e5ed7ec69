// RUN: sluice-opt --approximate-nonlinear="comparison-gap=0.0001 max-depth=12" --split-input-file --verify-diagnostics %s
// RUN: not sluice-opt --approximate-nonlinear=comparison-gap=1 --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: comparison-gap must be at least 0 and less than 1; found 1
func.func @gap(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 2.0]}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@below {{a comparison of values whose difference is in [-4, 2] needs more than 12 levels to decide differences of 0.0004; widen comparison-gap, or narrow the range}}
  %0 = arith.cmpf ogt, %x, %zero : tensor<2xf64>
  %1 = arith.uitofp %0 : tensor<2xi1> to tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

func.func @kink(%x: tensor<2xf64> {ckks.secret, ckks.range = [-4.0, 2.0]}) -> tensor<2xf64> {
  // expected-error@below {{abs over [-4, 2] needs more than 12 levels for 16 bits; ask for less precision, or narrow the range}}
  %0 = math.absf %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}
