// What a program becomes for CUDA devices: launches of kernels, and the source of the kernels, one for each shape of loop. Slots, rows, scalars
// and Galois elements are parameters, so that loops which differ in these only share a kernel.

// RUN: sluice-opt --plan-memory=at-once=true %s | sluice-compile - --from=fused --to=llvm --target=cuda -o /dev/null --emit-cuda=%t.cu --emit-launches=%t.txt
// RUN: FileCheck %s --check-prefix=SOURCE < %t.cu
// RUN: FileCheck %s --check-prefix=LAUNCH < %t.txt

#ring = #rns.ring<logN = 3, primes = [17, 97, 193]>
#key = {kind = "galois", element = 5 : i64, limbs = array<i64: 2, 0, 1>, digits = [array<i64: 0>, array<i64: 1>]}

// SOURCE: 5 kernels for the 10 launches of a program with N = 2^3.
// SOURCE: #define SLUICE_LOG_N 3
// SOURCE: #include "runtime/cuda/kernels/program.cuh"

// LAUNCH: kernel 0: elements, 6 parameters, 1 outputs
module attributes {rns.ring = #ring, sluice.keys = [#key],
                   sluice.inputs = [{polynomials = 2 : i64}], sluice.outputs = [{polynomials = 2 : i64}]} {
  func.func @program(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>)
      -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    %k = rns.key {kind = galois, element = 5} : !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>
    %c = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^5", high = 32.0, low = 0.0} : !rns.poly<[0, 1], eval>

    // No automorphism moves anything: y = automorphism by 5 of s is s at element 5, which is computed from x and y at element 5, and
    // the automorphism by 3 of that reads x and y at 3 * 5.
    // SOURCE-LABEL: // Launched 1 time.
    // SOURCE-NEXT: SLUICE_LIMB_KERNEL(limb_kernel_0, 6, elements) {
    // SOURCE-NEXT:   const Residues v0 = loadAt(b, 2, 3);
    // SOURCE-NEXT:   const Residues v1 = loadAt(b, 4, 3);
    // SOURCE-NEXT:   const Residues v2 = sub(b, v0, v1);
    // SOURCE-NEXT:   const Residues v3 = mulScalar(b, v2, 5);
    // SOURCE-NEXT:   store(b, 1, v3);
    // SOURCE-NEXT: }
    // LAUNCH: launch 0: limb_kernel 0
    // LAUNCH-NEXT: limb 0, slot [[M0:[0-9]+]], slot 0, 15, slot 2, 3
    // LAUNCH-NEXT: limb 1, slot [[M1:[0-9]+]], slot 1, 15, slot 3, 7
    %m = rns.limb_kernel %x, %y : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
    ^bb0(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>):
      %s = rns.sub %a, %b : !rns.poly<[0, 1], eval>
      %t = rns.automorphism %s {element = 5} : !rns.poly<[0, 1], eval>
      %u = rns.automorphism %t {element = 3} : !rns.poly<[0, 1], eval>
      %v = rns.mul_scalar %u {scalars = [3, 7]} : !rns.poly<[0, 1], eval>
      rns.yield %v : !rns.poly<[0, 1], eval>
    }

    // An operation outside of a loop is one of itself; halves of a transform work on rows.
    // SOURCE-LABEL: SLUICE_LIMB_KERNEL(limb_kernel_1, 3, rows) {
    // SOURCE-NEXT:   const Residues v0 = load(b, 2);
    // SOURCE-NEXT:   const Half h0 = inttRows(b, v0);
    // SOURCE-NEXT:   storeHalf(b, 1, h0);
    // SOURCE-NEXT: }
    // LAUNCH: launch 1: limb_kernel 1
    // LAUNCH-NEXT: limb 0, slot [[H0:[0-9]+]], slot [[M0]]
    // LAUNCH-NEXT: limb 1, slot [[H1:[0-9]+]], slot [[M1]]
    %h = rns.intt_rows %m : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>

    // LAUNCH: launch 2: base_convert_columns
    // LAUNCH-NEXT: conversion of 2 limbs to 1
    // LAUNCH-NEXT: destinations: limb 2 slot [[E:[0-9]+]]
    // LAUNCH-NEXT: sources: limb 0 slot [[H0]], limb 1 slot [[H1]]
    %e = rns.base_convert %h : !rns.poly<[0, 1], half_intt> -> !rns.poly<[2], half_ntt>
    // LAUNCH: launch 3: limb_kernel 2
    // LAUNCH-NEXT: limb 2, slot [[R:[0-9]+]], slot [[E]]
    // SOURCE-LABEL: SLUICE_LIMB_KERNEL(limb_kernel_2, 3, rows) {
    // SOURCE-NEXT:   const Residues v0 = nttRows(b, loadHalf(b, 2));
    // SOURCE-NEXT:   store(b, 1, v0);
    // SOURCE-NEXT: }
    %r = rns.ntt_rows %e : !rns.poly<[2], half_ntt> -> !rns.poly<[2], eval>

    // Whole transforms have kernels of their own.
    // LAUNCH: launch 4: intt
    // LAUNCH-NEXT: destinations: limb 2 slot [[R]]
    // LAUNCH-NEXT: sources: limb 2 slot [[R]]
    %i = rns.intt %r : !rns.poly<[2], eval> -> !rns.poly<[2], coeff>
    // LAUNCH: launch 5: base_convert{{$}}
    %f = rns.base_convert %i : !rns.poly<[2], coeff> -> !rns.poly<[0, 1], coeff>
    // LAUNCH: launch 6: ntt
    %g = rns.ntt %f : !rns.poly<[0, 1], coeff> -> !rns.poly<[0, 1], eval>

    // Two operations of one shape share a kernel.
    // SOURCE-LABEL: // Launched 2 times.
    // SOURCE-NEXT: SLUICE_LIMB_KERNEL(limb_kernel_3, 4, elements) {
    // SOURCE-NEXT:   const Residues v0 = load(b, 2);
    // SOURCE-NEXT:   const Residues v1 = mulScalar(b, v0, 3);
    // LAUNCH: launch 7: limb_kernel 3
    // LAUNCH-NEXT: limb 0, slot {{[0-9]+}}, slot {{[0-9]+}}, 2
    // LAUNCH-NEXT: limb 1, slot {{[0-9]+}}, slot {{[0-9]+}}, 6
    %o = rns.mul_scalar %g {scalars = [2, 6]} : !rns.poly<[0, 1], eval>

    // Keys by number, half, digit and row: limb 0 is row 1 of this key. Of a sum that is read at two elements,
    // each half is computed where it is read. What is read at element 9 is computed there, key rows included; the constant's rows too.
    // SOURCE-LABEL: // Launched 1 time.
    // SOURCE-NEXT: SLUICE_LIMB_KERNEL(limb_kernel_4, 12, elements) {
    // SOURCE-NEXT:   // rns.inner_product of 2 digits
    // SOURCE-NEXT:   Sum s0 = beginSum(b);
    // SOURCE-NEXT:   const Residues v0 = load(b, 3);
    // SOURCE-NEXT:   addProduct(b, s0, v0, load(b, 4));
    // SOURCE-NEXT:   const Residues v1 = load(b, 5);
    // SOURCE-NEXT:   addProduct(b, s0, v1, load(b, 6));
    // SOURCE-NEXT:   const Residues v2 = reduceSum(b, s0);
    // SOURCE-NEXT:   // rns.weighted_sum of 1 terms
    // SOURCE-NEXT:   const Residues v3 = load(b, 7);
    // SOURCE-NEXT:   Sum s1 = beginSum(b, v3);
    // SOURCE-NEXT:   // rns.inner_product of 2 digits
    // SOURCE-NEXT:   Sum s2 = beginSum(b);
    // SOURCE-NEXT:   const Residues v4 = loadAt(b, 3, 8);
    // SOURCE-NEXT:   addProduct(b, s2, v4, loadAt(b, 9, 8));
    // SOURCE-NEXT:   const Residues v5 = loadAt(b, 5, 8);
    // SOURCE-NEXT:   addProduct(b, s2, v5, loadAt(b, 10, 8));
    // SOURCE-NEXT:   const Residues v6 = reduceSum(b, s2);
    // SOURCE-NEXT:   Sum s3 = beginSum(b, v6);
    // SOURCE-NEXT:   const Residues v7 = load(b, 11);
    // SOURCE-NEXT:   addProduct(b, s1, v2, v7);
    // SOURCE-NEXT:   addProduct(b, s3, v1, v7);
    // LAUNCH: launch 8: limb_kernel 4
    // LAUNCH-NEXT: limb 0, {{.*}}, key 0.b digit 0 row 1, {{.*}}, key 0.b digit 1 row 1, {{.*}}, 9, key 0.a digit 0 row 1, key 0.a digit 1 row 1, constant 0 row 0{{$}}
    // LAUNCH-NEXT: limb 1, {{.*}}, key 0.b digit 0 row 2, {{.*}}, key 0.b digit 1 row 2, {{.*}}, 9, key 0.a digit 0 row 2, key 0.a digit 1 row 2, constant 0 row 1{{$}}
    %p:2 = rns.limb_kernel %x, %y, %o : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    ^bb0(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>, %d: !rns.poly<[0, 1], eval>):
      %s, %t = rns.inner_product %a, %b with %k : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval> with !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]> -> !rns.poly<[0, 1], eval>
      %u = rns.automorphism %t {element = 9} : !rns.poly<[0, 1], eval>
      %v, %w = rns.weighted_sum %d, %u plus [%c] times [%s] and [%b] : !rns.poly<[0, 1], eval>
      rns.yield %v, %w : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
    }

    // LAUNCH: launch 9: limb_kernel 3
    // LAUNCH-NEXT: limb 0, slot {{[0-9]+}}, slot {{[0-9]+}}, 4
    %q = rns.mul_scalar %p#0 {scalars = [4, 5]} : !rns.poly<[0, 1], eval>
    return %q, %p#1 : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }
}
