// RUN: sluice-compile --to=settled %s | FileCheck %s

// A dot product of 17 terms, as a loop that accumulates products: the products are summed first, and the sum is relinearised and
// rescaled once.

// CHECK-LABEL: func.func @dot(
// CHECK-COUNT-17: ckks.mul %
// CHECK: ckks.relinearize
// CHECK-NOT: ckks.relinearize
// CHECK: return
func.func @dot(%x: tensor<17xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}, %y: tensor<17xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 17 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %a = tensor.extract %x[%i] : tensor<17xf64>
    %b = tensor.extract %y[%i] : tensor<17xf64>
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %acc, %p : f64
    scf.yield %s : f64
  }
  return %sum : f64
}
