// RUN: sluice-opt --hoist --cse --split-input-file --mlir-print-local-scope %s | FileCheck %s

// Two rotations of one ciphertext (c0, c1), as ckks-to-rns writes them: each permutes c1 and decomposes the result. Afterwards c1 is
// decomposed once, the keys are permuted instead of the digits, and each rotation permutes its two results, over the limbs without P.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>} {
  // CHECK-LABEL: func.func @two_rotations(
  // CHECK-SAME: %[[C0:.*]]: !rns.poly<[0, 1], eval>, %[[C1:.*]]: !rns.poly<[0, 1], eval>)
  // CHECK: %[[D:.*]] = rns.decompose %[[C1]]
  // CHECK-NOT: rns.decompose
  // CHECK: %[[K5:.*]] = rns.key {kind = galois, element = 5} permuted
  // CHECK: %[[B5:.*]], %[[A5:.*]] = rns.inner_product %[[D]] with %[[K5]]
  // CHECK: %[[DOWN_B5:.*]] = rns.mod_down %[[B5]]
  // CHECK: %[[DOWN_A5:.*]] = rns.mod_down %[[A5]]
  // CHECK: %[[SIGMA_A5:.*]] = rns.automorphism %[[DOWN_A5]] {element = 5} : !rns.poly<[0, 1], eval>
  // CHECK: %[[SUM5:.*]] = rns.add %[[C0]], %[[DOWN_B5]]
  // CHECK: %[[SIGMA_B5:.*]] = rns.automorphism %[[SUM5]] {element = 5} : !rns.poly<[0, 1], eval>
  // CHECK: rns.key {kind = galois, element = 9} permuted
  // CHECK: rns.inner_product %[[D]] with
  // CHECK: return %[[SIGMA_B5]], %[[SIGMA_A5]]
  func.func @two_rotations(%c0: !rns.poly<[0, 1], eval>, %c1: !rns.poly<[0, 1], eval>)
      -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    %p0 = rns.automorphism %c0 {element = 5} : !rns.poly<[0, 1], eval>
    %p1 = rns.automorphism %c1 {element = 5} : !rns.poly<[0, 1], eval>
    %k = rns.key {kind = galois, element = 5} : !rns.key
    %d = rns.decompose %p1 : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
    %bd = rns.mod_down %b {by = [2]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
    %ad = rns.mod_down %a {by = [2]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
    %r0 = rns.add %p0, %bd : !rns.poly<[0, 1], eval>
    %q0 = rns.automorphism %c0 {element = 9} : !rns.poly<[0, 1], eval>
    %q1 = rns.automorphism %c1 {element = 9} : !rns.poly<[0, 1], eval>
    %l = rns.key {kind = galois, element = 9} : !rns.key
    %e = rns.decompose %q1 : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
    %f, %g = rns.inner_product %e with %l : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
    %fd = rns.mod_down %f {by = [2]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
    %gd = rns.mod_down %g {by = [2]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
    %s0 = rns.add %q0, %fd : !rns.poly<[0, 1], eval>
    return %r0, %ad, %s0, %gd
      : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }
}

// -----

// The permutation stays before the decomposition where the key cannot follow it: sigma_5(c) is switched with the relinearisation key.
// And sigma_5(a) + sigma_9(b) has nothing in common.

// CHECK-LABEL: func.func @stays(
// CHECK: %[[P:.*]] = rns.automorphism %{{.*}} {element = 5}
// CHECK: rns.decompose %[[P]]
// CHECK: rns.key {kind = relinearize}
// CHECK: %[[Q:.*]] = rns.automorphism %{{.*}} {element = 9}
// CHECK: rns.add %[[P]], %[[Q]]
func.func @stays(%c: !rns.poly<[0, 1], eval>, %d: !rns.poly<[0, 1], eval>)
    -> (!rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1], eval>) {
  %p = rns.automorphism %c {element = 5} : !rns.poly<[0, 1], eval>
  %e = rns.decompose %p : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
  %k = rns.key {kind = relinearize} : !rns.key
  %b, %a = rns.inner_product %e with %k : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
  %q = rns.automorphism %d {element = 9} : !rns.poly<[0, 1], eval>
  %s = rns.add %p, %q : !rns.poly<[0, 1], eval>
  return %b, %s : !rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1], eval>
}
