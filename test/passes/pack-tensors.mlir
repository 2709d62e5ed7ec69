// RUN: sluice-opt --pack-tensors --split-input-file %s | FileCheck %s
// RUN: sluice-opt --pack-tensors=batch=4 --split-input-file %s | FileCheck %s --check-prefix=BATCH

// One output: a plain product, then a sum over the lanes that leaves it everywhere. A batch multiplies the shifts.
// CHECK: module attributes {ckks.slots = 4 : i64}
// CHECK-LABEL: @dot
// CHECK-SAME: ckks.layout = #ckks.layout<shape = [3], lanes = 4, batch = 1, batched = false>, ckks.name = "x"
// CHECK-SAME: ckks.layout = #ckks.layout<shape = [], lanes = 1, batch = 1, batched = false>, ckks.name = "result"
// BATCH: module attributes {ckks.slots = 16 : i64}
// BATCH-LABEL: @dot
// BATCH-SAME: #ckks.layout<shape = [3], lanes = 4, batch = 4, batched = true>
func.func @dot(%x: tensor<3xf64> {ckks.secret, ckks.name = "x", ckks.range = [-1.0, 1.0]}) -> tensor<f64> {
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %b = arith.constant dense<0.5> : tensor<f64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  // CHECK-NEXT: %[[P:.*]] = ckks.mul_plain %arg0 {value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf64>}
  // CHECK-NEXT: %[[R2:.*]] = ckks.rotate %[[P]] {by = 2}
  // CHECK-NEXT: %[[S2:.*]] = ckks.add %[[P]], %[[R2]]
  // CHECK-NEXT: %[[R1:.*]] = ckks.rotate %[[S2]] {by = 1}
  // CHECK-NEXT: %[[S1:.*]] = ckks.add %[[S2]], %[[R1]]
  // CHECK-NEXT: %[[Y:.*]] = ckks.add_scalar %[[S1]] {value = 0.5
  // CHECK-NEXT: return %[[Y]] : !ckks.ct
  // BATCH: ckks.rotate %{{.*}} {by = 8}
  // BATCH: ckks.rotate %{{.*}} {by = 4}
  // BATCH-NOT: ckks.rotate
  // BATCH: return
  %0 = linalg.dot ins(%w, %x : tensor<3xf64>, tensor<3xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  %1 = arith.addf %0, %b : tensor<f64>
  return %1 : tensor<f64>
}

// -----

// [[1, 2], [0, 3]]: diagonal 0 is (1, 3), diagonal 1 is (2, 0).
// CHECK-LABEL: @matvec
func.func @matvec(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %w = arith.constant dense<[[1.0, 2.0], [0.0, 3.0]]> : tensor<2x2xf64>
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  // CHECK-NEXT: ckks.linear_transform %arg0 {indices = [0, 1], diagonals = dense<{{\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 0.000000e+00]]> : tensor<2x2xf64>}
  // CHECK-NEXT: return
  %0 = linalg.matvec ins(%w, %x : tensor<2x2xf64>, tensor<2xf64>) outs(%zero : tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// All tensors have the lanes of the largest. Element-wise operations are direct; constants keep padding zero.
// CHECK-LABEL: @elementwise
// CHECK-SAME: shape = [3], lanes = 4
func.func @elementwise(%x: tensor<3xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<3xf64> {
  %c = arith.constant dense<0.5> : tensor<3xf64>
  %four = arith.constant dense<4.0> : tensor<3xf64>
  %three = arith.constant dense<3> : tensor<3xi32>
  // CHECK-NEXT: %[[A:.*]] = ckks.add_plain %arg0 {value = dense<[5.000000e-01, 5.000000e-01, 5.000000e-01, 0.000000e+00]> : tensor<4xf64>}
  %0 = arith.addf %x, %c : tensor<3xf64>
  // CHECK-NEXT: %[[D:.*]] = ckks.mul_scalar %[[A]] {value = 0.25
  %1 = arith.divf %0, %four : tensor<3xf64>
  // CHECK-NEXT: %[[S:.*]] = ckks.square %[[D]]
  // CHECK-NEXT: %[[P:.*]] = ckks.mul %[[S]], %[[D]]
  %2 = math.fpowi %1, %three : tensor<3xf64>, tensor<3xi32>
  // CHECK-NEXT: ckks.sub %[[P]], %arg0
  %3 = arith.subf %2, %x : tensor<3xf64>
  return %3 : tensor<3xf64>
}

// -----

// A sum needs zeros in the lane without element: a mask, and with weights no product more than theirs.
// CHECK-LABEL: @sums
func.func @sums(%x: tensor<3xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> (tensor<f64>, tensor<f64>) {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %w = arith.constant dense<2.0> : tensor<3xf64>
  // CHECK-NEXT: %[[P:.*]] = ckks.polynomial %arg0
  %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[1.0, 1.0]> : tensor<2xf64>, interval = [-1.0, 1.0]}
       : tensor<3xf64>
  // CHECK-NEXT: %[[M:.*]] = ckks.mul_plain %[[P]] {value = dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]>
  // CHECK-NEXT: ckks.rotate %[[M]] {by = 2}
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<3xf64>) outs(%zero : tensor<f64>) dimensions = [0]
  // CHECK: %[[W:.*]] = ckks.mul_plain %[[P]] {value = dense<[2.000000e+00, 2.000000e+00, 2.000000e+00, 0.000000e+00]>
  // CHECK-NEXT: ckks.rotate %[[W]] {by = 2}
  %2 = linalg.dot ins(%0, %w : tensor<3xf64>, tensor<3xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  return %1, %2 : tensor<f64>, tensor<f64>
}

// -----

// Zeros outside of the polynomial's interval would make huge slots: the padding moves to its middle, for free.
// CHECK-LABEL: @confined
func.func @confined(%x: tensor<3xf64> {ckks.secret, ckks.range = [4.0, 6.0]}) -> tensor<3xf64> {
  // CHECK-NEXT: %[[M:.*]] = ckks.add_plain %arg0 {value = dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 5.000000e+00]>
  // CHECK-NEXT: ckks.polynomial %[[M]]
  %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[1.0, 1.0]> : tensor<2xf64>, interval = [4.0, 6.0]}
       : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// A leading slice moves nothing; another one is a transform. A broadcast scalar fills all lanes.
// CHECK-LABEL: @movement
// CHECK-SAME: %arg1: !ckks.ct {ckks.layout = #ckks.layout<shape = [], lanes = 1, batch = 4, batched = false>
// BATCH-LABEL: @movement
// BATCH-SAME: %arg1: !ckks.ct {ckks.layout = #ckks.layout<shape = [], lanes = 4, batch = 4, batched = true>
func.func @movement(%x: tensor<4xf64> {ckks.secret}, %s: tensor<f64> {ckks.secret})
    -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = tensor.extract_slice %x[0] [2] [1] : tensor<4xf64> to tensor<2xf64>
  // CHECK-NEXT: %[[T:.*]] = ckks.linear_transform %arg0 {indices = [1, 2], diagonals = dense<{{\[}}[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00,
  %1 = tensor.extract_slice %x[1] [2] [2] : tensor<4xf64> to tensor<2xf64>
  %e = tensor.empty() : tensor<2xf64>
  // BATCH: ckks.rotate %arg1 {by = 8}
  // BATCH: ckks.rotate %{{.*}} {by = 4}
  %2 = linalg.broadcast ins(%s : tensor<f64>) outs(%e : tensor<2xf64>) dimensions = [0]
  // CHECK-NEXT: return %arg0, %[[T]], %arg1
  return %0, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
