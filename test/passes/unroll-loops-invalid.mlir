// RUN: sluice-opt --unroll-loops=max-operations=50 --split-input-file --verify-diagnostics %s

func.func @unknown_bound(%x: tensor<4xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{the bounds and the step of a loop must be constants: how often it runs decides the circuit}}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<4xf64>
    %s = arith.addf %acc, %e : f64
    scf.yield %s : f64
  }
  return %sum : f64
}

// -----

func.func @too_long(%x: tensor<40xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 40 : index
  // expected-error @below {{the loops of this program unroll to more than 50 operations; use whole tensors instead of loops over their elements}}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<40xf64>
    %s = arith.addf %acc, %e : f64
    scf.yield %s : f64
  }
  return %sum : f64
}
