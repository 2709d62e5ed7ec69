// Few and large launches: parts of a loop that share no computed value are limbs of one launch, and launches of one kernel that do not
// wait for each other become one.

// RUN: sluice-opt --plan-memory=at-once=true %s | sluice-compile - --from=fused --to=llvm --target=cuda -o /dev/null --emit-cuda=%t.cu --emit-launches=%t.txt
// RUN: FileCheck %s --check-prefix=SOURCE < %t.cu
// RUN: FileCheck %s --check-prefix=LAUNCH < %t.txt

// SOURCE: 3 kernels for the 4 launches
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>, sluice.keys = [],
                   sluice.inputs = [{polynomials = 2 : i64}], sluice.outputs = [{polynomials = 2 : i64}]} {
  func.func @program(%b: !rns.poly<[0, 1], eval>, %a: !rns.poly<[0, 1], eval>)
      -> (!rns.poly<[2], eval>, !rns.poly<[2], eval>) {
    // Two halves of a ciphertext, and two kernels: each has two limbs for each half, those of limb 0 first.
    // SOURCE: SLUICE_LIMB_KERNEL(limb_kernel_0, 4, rows) {
    // SOURCE-NEXT: const Residues v0 = load(b, 2);
    // SOURCE-NEXT: const Residues v1 = mulScalar(b, v0, 3);
    // SOURCE-NEXT: const Half h0 = inttRows(b, v1);
    // SOURCE-NEXT: storeHalf(b, 1, h0);
    // SOURCE-NEXT: }
    // LAUNCH: launch 0: limb_kernel 0
    // LAUNCH-NEXT: {{^  }}limb 0, slot [[B0:[0-9]+]], slot 0, 2{{$}}
    // LAUNCH-NEXT: {{^  }}limb 0, slot [[A0:[0-9]+]], slot 2, 3{{$}}
    // LAUNCH-NEXT: {{^  }}limb 1, slot [[B1:[0-9]+]], slot 1, 6{{$}}
    // LAUNCH-NEXT: {{^  }}limb 1, slot [[A1:[0-9]+]], slot 3, 7{{$}}
    %h:2 = rns.limb_kernel %b, %a : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], half_intt>, !rns.poly<[0, 1], half_intt>) {
    ^bb0(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>):
      %s = rns.mul_scalar %x {scalars = [2, 6]} : !rns.poly<[0, 1], eval>
      %t = rns.mul_scalar %y {scalars = [3, 7]} : !rns.poly<[0, 1], eval>
      %u = rns.intt_rows %s : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>
      %v = rns.intt_rows %t : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>
      rns.yield %u, %v : !rns.poly<[0, 1], half_intt>, !rns.poly<[0, 1], half_intt>
    }

    // Both conversions, though a loop stands between them, and others with fewer sources.
    // LAUNCH: launch 1: base_convert_columns
    // LAUNCH-NEXT: conversion of 2 limbs to 1
    // LAUNCH-NEXT: conversion of 1 limbs to 1
    // LAUNCH-NEXT: destinations: limb 2 slot [[C:[0-9]+]], limb 2 slot [[D:[0-9]+]]{{$}}
    // LAUNCH-NEXT: sources: limb 0 slot [[B0]], limb 1 slot [[B1]], limb 1 slot [[A1]]{{$}}
    %c = rns.base_convert %h#0 : !rns.poly<[0, 1], half_intt> -> !rns.poly<[2], half_ntt>
    // LAUNCH: launch 2: limb_kernel 1
    // LAUNCH-NEXT: limb 2, slot [[E:[0-9]+]], slot [[C]]
    // LAUNCH-NEXT: limb 2, slot [[F:[0-9]+]], slot [[D]]
    %e = rns.ntt_rows %c : !rns.poly<[2], half_ntt> -> !rns.poly<[2], eval>
    %a1 = rns.drop %h#1 : !rns.poly<[0, 1], half_intt> -> !rns.poly<[1], half_intt>
    %d = rns.base_convert %a1 : !rns.poly<[1], half_intt> -> !rns.poly<[2], half_ntt>
    %f = rns.ntt_rows %d : !rns.poly<[2], half_ntt> -> !rns.poly<[2], eval>

    // A sum of both is no part of its own.
    // SOURCE: SLUICE_LIMB_KERNEL(limb_kernel_2, 5, elements) {
    // SOURCE: store(b, 1, v{{[0-9]+}});
    // SOURCE: store(b, 2, v{{[0-9]+}});
    // LAUNCH-NEXT: launch 3: limb_kernel 2
    // LAUNCH-NEXT: limb 2, slot {{[0-9]+}}, slot {{[0-9]+}}, slot [[E]], slot [[F]]
    %g:2 = rns.limb_kernel %e, %f : (!rns.poly<[2], eval>, !rns.poly<[2], eval>) -> (!rns.poly<[2], eval>, !rns.poly<[2], eval>) {
    ^bb0(%x: !rns.poly<[2], eval>, %y: !rns.poly<[2], eval>):
      %s = rns.add %x, %y : !rns.poly<[2], eval>
      %t = rns.mul %s, %y : !rns.poly<[2], eval>
      rns.yield %s, %t : !rns.poly<[2], eval>, !rns.poly<[2], eval>
    }
    return %g#0, %g#1 : !rns.poly<[2], eval>, !rns.poly<[2], eval>
  }
}
