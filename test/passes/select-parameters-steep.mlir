// RUN: sluice-opt --select-parameters --split-input-file %s | FileCheck %s

// An approximate sign s(x) is steep: noise of x is large in it where x is small. In x s(x), which is |x|, it is small again:
// the levels have 34 bits. In y s(x) it is not: 16 bits take 4 bits more, and a larger ring.
// CHECK: #ckks.params<logN = 14, limbs = [{{[0-9]+}}, 1717{{[0-9]+}},
// CHECK-LABEL: @absolute
module attributes {ckks.slots = 64 : i64} {
  func.func @absolute(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.0, 0.68, 0.0, -0.23, 0.0, 0.15, 0.0, -0.53]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %1 = ckks.polynomial %0 {basis = chebyshev, coefficients = dense<[0.0, 0.85, 0.0, -0.29, 0.0, 0.18, 0.0, -0.40]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %2 = ckks.polynomial %1 {basis = chebyshev, coefficients = dense<[0.0, 1.1, 0.0, -0.37, 0.0, 0.19, 0.0, -0.13]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %3 = ckks.mul %2, %x : !ckks.ct
    return %3 : !ckks.ct
  }
}

// -----

// CHECK: #ckks.params<logN = 15, limbs = [{{[0-9]+}}, 2748{{[0-9]+}},
// CHECK-LABEL: @gated
module attributes {ckks.slots = 64 : i64} {
  func.func @gated(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}, %y: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.0, 0.68, 0.0, -0.23, 0.0, 0.15, 0.0, -0.53]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %1 = ckks.polynomial %0 {basis = chebyshev, coefficients = dense<[0.0, 0.85, 0.0, -0.29, 0.0, 0.18, 0.0, -0.40]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %2 = ckks.polynomial %1 {basis = chebyshev, coefficients = dense<[0.0, 1.1, 0.0, -0.37, 0.0, 0.19, 0.0, -0.13]> : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    %3 = ckks.mul %2, %y : !ckks.ct
    return %3 : !ckks.ct
  }
}
