// Every operation of the settled stage, once; test/tools/test_sluice_compile.py knows what it computes. The chain is nested:
// a bottom level of 50 bits and three steps of 40 bits.

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1099511627297, 1099511627089, 1099511626321],
                       special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]], digits = [[1], [2], [3], [4]], slots = 4, security = 0>
#vector = #ckks.layout<shape = [4], lanes = 4, batch = 1, batched = false>
!x3 = !ckks.ct<level = 3, scale = 2^40>
!x3m = !ckks.ct<level = 3, scale = 2^40 * q4>
!x2 = !ckks.ct<level = 2, scale = 2^40>
!x2p = !ckks.ct<level = 2, scale = 2^80, size = 3>
!x2r = !ckks.ct<level = 2, scale = 2^80>
!x1 = !ckks.ct<level = 1, scale = 2^80 * q3^-1>
!x1m = !ckks.ct<level = 1, scale = 2^80 * q3^-1 * q2>
!x0 = !ckks.ct<level = 0, scale = 2^80 * q3^-1>

module attributes {ckks.params = #params} {
  func.func @every(%x: !x3 {ckks.name = "x", ckks.layout = #vector, ckks.range = [-1.0, 1.0]},
                   %y: !x2 {ckks.name = "y", ckks.layout = #vector, ckks.range = [-1.0, 1.0]})
      -> (!x0 {ckks.name = "z", ckks.layout = #vector}, !x0 {ckks.name = "same", ckks.layout = #vector}) {
    // a = x [2, 2, -1, -1] + 0.5 + 0.25 x, at level 2
    %0 = ckks.mul_plain %x {value = dense<[2.0, -1.0]> : tensor<2xf64>, scale = #ckks.scale<q4>} : !x3 -> !x3m
    %1 = ckks.mul_scalar %x {value = 0.25, scale = #ckks.scale<q4>} : !x3 -> !x3m
    %2 = ckks.add %0, %1 : !x3m
    %3 = ckks.add_scalar %2 {value = 0.5} : !x3m
    %a = ckks.rescale %3 : !x3m -> !x2
    // b = a y - y^2, at level 1, the sum relinearised
    %4 = ckks.mul %a, %y : !x2, !x2 -> !x2p
    %5 = ckks.square %y : !x2 -> !x2p
    %6 = ckks.sub %4, %5 : !x2p
    %7 = ckks.relinearize %6 : !x2p -> !x2r
    %b = ckks.rescale %7 : !x2r -> !x1
    // c = i conj(i rotate(b, 3)) = rotate(b, 3): two multiplications by i with a conjugation between them cancel
    %8 = ckks.rotate %b {by = 3} : !x1
    %9 = ckks.mul_by_i %8 : !x1
    %10 = ckks.conjugate %9 : !x1
    %c = ckks.mul_by_i %10 : !x1
    // d = 2 (-c + [1, 2, 3, 4]): scale raised by an integer and divided again, then halved by declaration
    %11 = ckks.negate %c : !x1
    %12 = ckks.adjust_scale %11 : !x1 -> !x1m
    %13 = ckks.rescale %12 : !x1m -> !x0
    %14 = ckks.add_plain %13 {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>} : !x0
    %15 = ckks.reinterpret %14 {factor = 2.0} : !x0 -> !ckks.ct<level = 0, scale = 2^79 * q3^-1>
    %16 = ckks.adjust_scale %15 : !ckks.ct<level = 0, scale = 2^79 * q3^-1> -> !x0
    // The second output: c again, by dropping a level.
    %d = ckks.drop_level %c : !x1 -> !x0
    return %16, %d : !x0, !x0
  }
}
