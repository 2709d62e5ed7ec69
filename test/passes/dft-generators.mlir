// What a matrix of SlotsToCoeffs is generated from goes with each of its diagonals to the constant that is encoded.
// RUN: sluice-opt --lower-linear-transforms=baby-steps=1 %s | FileCheck %s --check-prefix=LOWERED
// RUN: sluice-opt --lower-linear-transforms=baby-steps=1 --ckks-to-rns %s | FileCheck %s --check-prefix=RNS

#params = #ckks.params<logN = 3, limbs = [17, 97, 193, 113, 1697], special = [4], levels = [[3, 2], [0, 1, 2]],
                       digits = [[0, 1], [3], [2]], slots = 2, security = 0>

// V_1 for two slots is (1 w; 1 -w), w = exp(i pi / 4). Diagonal 1 is rotated back by one, since the giant step rotates it by one.
#matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.000000e+00 : f64>

module attributes {ckks.params = #params} {
// LOWERED-LABEL: func.func @transform(
// LOWERED: ckks.mul_plain {{.*}} {value = dense<[(1.000000e+00,0.000000e+00), (-0.70710678118654757,-0.70710678118654757)]>
// LOWERED-SAME: generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.000000e+00 : f64>, index = 0, rotation = 0>}
// LOWERED: ckks.mul_plain {{.*}} {value = dense<[(1.000000e+00,0.000000e+00), (0.70710678118654757,0.70710678118654757)]>
// LOWERED-SAME: generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.000000e+00 : f64>, index = 1, rotation = 1>}
// RNS-LABEL: func.func @transform(
// RNS: rns.constant {generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.000000e+00 : f64>, index = 0, rotation = 0>,
// RNS-SAME: kind = complex_slots, values = dense<[1.000000e+00, 0.000000e+00, -0.70710678118654757, -0.70710678118654757]>
// RNS: rns.constant {generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.000000e+00 : f64>, index = 1, rotation = 1>,
// RNS-SAME: kind = complex_slots, values = dense<[1.000000e+00, 0.000000e+00, 0.70710678118654757, 0.70710678118654757]>
func.func @transform(%x: !ckks.ct<level = 1, scale = 2^8>) -> !ckks.ct<level = 1, scale = 2^16> {
  %y = ckks.linear_transform %x {indices = [0, 1],
    diagonals = dense<[[(1.0, 0.0), (-0.70710678118654757, -0.70710678118654757)],
                       [(0.70710678118654757, 0.70710678118654757), (1.0, 0.0)]]> : tensor<2x2xcomplex<f64>>,
    scale = #ckks.scale<2^8>, generator = #matrix}
    : !ckks.ct<level = 1, scale = 2^8> -> !ckks.ct<level = 1, scale = 2^16>
  return %y : !ckks.ct<level = 1, scale = 2^16>
}
}
