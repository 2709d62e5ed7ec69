// RUN: sluice-opt --lower-linear-transforms --split-input-file %s | FileCheck %s
// RUN: sluice-opt --lower-linear-transforms=baby-steps=2 --split-input-file %s | FileCheck %s --check-prefix=TWO

// Eight slots of a packing of 4 lanes with 2 items each: index k of a transform rotates by 2 k slots.
#params = #ckks.params<logN = 13, limbs = [1125899904679937, 1125899903827969, 35184372121601], special = [0],
  levels = [[1], [1, 2]], digits = [[1], [2]], slots = 8, secret = "uniform-ternary", security = 0>

module attributes {ckks.params = #params} {

// The rows of the matrix are (1 2 3 4), (5 6 7 8), (9 10 11 12), (13 14 15 16). Two baby steps: the second giant step rotates
// by two lanes, so its diagonals are rotated back by two, in the clear.
// CHECK-LABEL: func.func @matrix(
// CHECK: return %{{.*}} : !ckks.ct<level = 1, scale = 2^45 * q2>
// TWO-LABEL: func.func @matrix(
// TWO-SAME: %[[X:.*]]: !ckks.ct<level = 1, scale = 2^45>)
// TWO-NEXT: %[[D0:.*]] = ckks.mul_plain %[[X]] {value = dense<[1.000000e+00, 6.000000e+00, 1.100000e+01, 1.600000e+01]> : tensor<4xf64>, scale = #ckks.scale<q2>}
// TWO-NEXT: %[[R1:.*]] = ckks.rotate %[[X]] {by = 2}
// TWO-NEXT: %[[D1:.*]] = ckks.mul_plain %[[R1]] {value = dense<[2.000000e+00, 7.000000e+00, 1.200000e+01, 1.300000e+01]>
// TWO-NEXT: %[[S0:.*]] = ckks.add %[[D0]], %[[D1]]
// TWO-NEXT: %[[D2:.*]] = ckks.mul_plain %[[X]] {value = dense<[9.000000e+00, 1.400000e+01, 3.000000e+00, 8.000000e+00]>
// TWO-NEXT: %[[D3:.*]] = ckks.mul_plain %[[R1]] {value = dense<[1.000000e+01, 1.500000e+01, 4.000000e+00, 5.000000e+00]>
// TWO-NEXT: %[[S1:.*]] = ckks.add %[[D2]], %[[D3]]
// TWO-NEXT: %[[G:.*]] = ckks.rotate %[[S1]] {by = 4}
// TWO-NEXT: %[[Y:.*]] = ckks.add %[[S0]], %[[G]]
// TWO-NEXT: return %[[Y]] : !ckks.ct<level = 1, scale = 2^45 * q2>
func.func @matrix(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45 * q2> {
  %y = ckks.linear_transform %x {indices = [0, 1, 2, 3],
    diagonals = dense<[[1.0, 6.0, 11.0, 16.0], [2.0, 7.0, 12.0, 13.0], [3.0, 8.0, 9.0, 14.0], [4.0, 5.0, 10.0, 15.0]]> : tensor<4x4xf64>,
    scale = #ckks.scale<q2>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return %y : !ckks.ct<level = 1, scale = 2^45 * q2>
}

// Complex diagonals are kept, rotated and left out in the same way.
// CHECK-LABEL: func.func @complex(
// CHECK: ckks.mul_plain {{.*}} {value = dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00)]> : tensor<2xcomplex<f64>>
// CHECK-NOT: ckks.mul_plain
// CHECK: return
func.func @complex(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45 * q2> {
  %y = ckks.linear_transform %x {indices = [0, 1],
    diagonals = dense<[[(1.0, 0.0), (0.0, 1.0)], [(0.0, 0.0), (0.0, 0.0)]]> : tensor<2x2xcomplex<f64>>,
    scale = #ckks.scale<q2>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return %y : !ckks.ct<level = 1, scale = 2^45 * q2>
}

// Diagonals -1, 0, 1: one rotation each way, none for the main diagonal; a zero diagonal is left out.
// CHECK-LABEL: func.func @tridiagonal(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 1, scale = 2^45>)
// CHECK-DAG: ckks.mul_plain %[[X]] {value = dense<1.000000e+00>
// CHECK-DAG: %[[L:.*]] = ckks.rotate %[[X]] {by = 1}
// CHECK-DAG: ckks.mul_plain %[[L]] {value = dense<2.000000e+00>
// CHECK-DAG: %[[R:.*]] = ckks.rotate %[[X]] {by = 7}
// CHECK-DAG: ckks.mul_plain %[[R]] {value = dense<3.000000e+00>
// CHECK-NOT: ckks.rotate
// CHECK: return
func.func @tridiagonal(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45 * q2> {
  %y = ckks.linear_transform %x {indices = [0, 1, 7, 4],
    diagonals = dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0],
                       [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf64>,
    scale = #ckks.scale<q2>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return %y : !ckks.ct<level = 1, scale = 2^45 * q2>
}

// Two transforms of one operand share its rotation.
// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-1: ckks.rotate
// CHECK-NOT: ckks.rotate
// CHECK: return
func.func @shared(%x: !ckks.ct<level = 1, scale = 2^45>) -> (!ckks.ct<level = 1, scale = 2^45 * q2>, !ckks.ct<level = 1, scale = 2^45 * q2>) {
  %y = ckks.linear_transform %x {indices = [0, 1], diagonals = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>, scale = #ckks.scale<q2>}
    : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  %z = ckks.linear_transform %x {indices = [0, 1], diagonals = dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf64>, scale = #ckks.scale<q2>}
    : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return %y, %z : !ckks.ct<level = 1, scale = 2^45 * q2>, !ckks.ct<level = 1, scale = 2^45 * q2>
}

// The zero matrix is one product with zeros.
// CHECK-LABEL: func.func @zero(
// CHECK-NEXT: %[[Y:.*]] = ckks.mul_plain %{{.*}} {value = dense<0.000000e+00>
// CHECK-NEXT: return %[[Y]]
func.func @zero(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45 * q2> {
  %y = ckks.linear_transform %x {indices = [0, 1], diagonals = dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf64>, scale = #ckks.scale<q2>}
    : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return %y : !ckks.ct<level = 1, scale = 2^45 * q2>
}
}
