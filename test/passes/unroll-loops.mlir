// RUN: sluice-opt --unroll-loops --split-input-file %s | FileCheck %s

// sum of i x[i] for i = 1, 3: two copies of the body; indices and the products with them are numbers.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[A:.*]] = tensor.extract %[[X]][%[[ONE]]]
// CHECK: %[[S:.*]] = arith.addf %[[ZERO]], %[[A]]
// CHECK: %[[B:.*]] = tensor.extract %[[X]][%[[THREE]]]
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NOT: scf.for
// CHECK: return %[[T]]
func.func @sum(%x: tensor<4xf64> {ckks.secret}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %low = arith.constant 1 : index
  %high = arith.constant 4 : index
  %step = arith.constant 2 : index
  %sum = scf.for %i = %low to %high step %step iter_args(%acc = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<4xf64>
    %s = arith.addf %acc, %e : f64
    scf.yield %s : f64
  }
  return %sum : f64
}

// -----

// A loop in a loop, with an index computed from both; two values are carried and swapped. A loop that does not run leaves what it was given.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64> {ckks.secret}, %[[A:.*]]: f64 {ckks.secret}, %[[B:.*]]: f64 {ckks.secret})
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[E0:.*]] = tensor.extract %[[X]][%[[C0]]]
// CHECK: %[[S0:.*]] = arith.addf %[[A]], %[[E0]]
// CHECK: %[[E1:.*]] = tensor.extract %[[X]][%[[C1]]]
// CHECK: %[[S1:.*]] = arith.addf %[[B]], %[[E1]]
// CHECK: %[[E2:.*]] = tensor.extract %[[X]][%[[C2]]]
// CHECK: %[[S2:.*]] = arith.addf %[[S0]], %[[E2]]
// CHECK: %[[E3:.*]] = tensor.extract %[[X]][%[[C3]]]
// CHECK: %[[S3:.*]] = arith.addf %[[S1]], %[[E3]]
// CHECK: return %[[S2]], %[[S3]]
func.func @nested(%x: tensor<4xf64> {ckks.secret}, %a: f64 {ckks.secret}, %b: f64 {ckks.secret}) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %a, %q = %b) -> (f64, f64) {
    %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %p, %v = %q) -> (f64, f64) {
      %row = arith.muli %i, %c2 : index
      %k = arith.addi %row, %j : index
      %e = tensor.extract %x[%k] : tensor<4xf64>
      %t = arith.addf %u, %e : f64
      scf.yield %v, %t : f64, f64
    }
    scf.yield %s#0, %s#1 : f64, f64
  }
  %n:2 = scf.for %i = %c2 to %c2 step %c1 iter_args(%p = %r#0, %q = %r#1) -> (f64, f64) {
    scf.yield %q, %p : f64, f64
  }
  return %n#0, %n#1 : f64, f64
}
