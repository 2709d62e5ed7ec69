// RUN: sluice-opt --fuse-limb-loops --split-input-file --mlir-print-local-scope %s | FileCheck %s
// RUN: sluice-opt --fuse-limb-loops=window=2 --split-input-file %s | FileCheck %s --check-prefix=WINDOW
// RUN: sluice-opt --fuse-limb-loops=at-once=true --split-input-file %s | FileCheck %s --check-prefix=ONCE

!poly = !rns.poly<[0, 1], eval>
!coeff = !rns.poly<[0, 1], coeff>

// The tail of a division and what follows it: transform, subtract and scale, then a b + r. One loop over limbs; only what is returned
// leaves it.
// CHECK-LABEL: func.func @tail(
// CHECK-SAME: %[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[0, 1], eval>, %[[C:.*]]: !rns.poly<[0, 1], coeff>)
// CHECK-NEXT: %[[R:.*]] = rns.limb_kernel %[[C]], %[[A]], %[[B]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: !rns.poly<[0, 1], coeff>, %[[Y:.*]]: !rns.poly<[0, 1], eval>, %[[Z:.*]]: !rns.poly<[0, 1], eval>):
// CHECK-NEXT: %[[T:.*]] = rns.ntt %[[X]]
// CHECK-NEXT: %[[S:.*]] = rns.sub_mul_scalar %[[Y]], %[[T]] {scalars = [2, 3]}
// CHECK-NEXT: %[[M:.*]] = rns.mac %[[S]], %[[Y]], %[[Z]]
// CHECK-NEXT: rns.yield %[[M]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
func.func @tail(%a: !poly, %b: !poly, %c: !coeff) -> !poly {
  %t = rns.ntt %c : !coeff -> !poly
  %s = rns.sub_mul_scalar %a, %t {scalars = [2, 3]} : !poly
  %m = rns.mac %s, %a, %b : !poly
  return %m : !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>
!coeff = !rns.poly<[0, 1], coeff>
!other = !rns.poly<[2], coeff>

// A base conversion reads all limbs, so what feeds it and what it feeds are two loops; what depends on neither joins the first. An
// operation alone stays as it is, with all threads on each of its limbs.
// CHECK-LABEL: func.func @conversion(
// CHECK: %[[FIRST:.*]]:2 = rns.limb_kernel
// CHECK-NEXT: ^bb0
// CHECK-DAG: rns.intt
// CHECK-DAG: rns.negate
// CHECK-DAG: rns.mul_scalar
// CHECK: rns.yield
// CHECK: %[[V:.*]] = rns.base_convert %[[FIRST]]#0
// CHECK-NEXT: %[[W:.*]] = rns.ntt %[[V]]
// CHECK-NEXT: return %[[W]], %[[FIRST]]#1
// Nothing joined the first loop for more than two operations: it is closed, and the product stays where it was.
// WINDOW-LABEL: func.func @conversion(
// WINDOW: rns.limb_kernel
// WINDOW: rns.yield
// WINDOW: rns.base_convert
// WINDOW: rns.ntt
// WINDOW: rns.mul_scalar
func.func @conversion(%a: !poly) -> (!rns.poly<[2], eval>, !poly) {
  %n = rns.negate %a : !poly
  %i = rns.intt %n : !poly -> !coeff
  %v = rns.base_convert %i : !coeff -> !other
  %w = rns.ntt %v : !other -> !rns.poly<[2], eval>
  %s = rns.mul_scalar %n {scalars = [5, 7]} : !poly
  return %w, %s : !rns.poly<[2], eval>, !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>

// Two products of sums: each product is used up before the next sum is made, so that a thread needs one slot and not two.
// CHECK-LABEL: func.func @order(
// CHECK: ^bb0(%[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[0, 1], eval>):
// CHECK-NEXT: %[[S1:.*]] = rns.add
// CHECK-NEXT: %[[T1:.*]] = rns.automorphism %[[S1]] {element = 5}
// CHECK-NEXT: %[[S2:.*]] = rns.sub
// CHECK-NEXT: %[[T2:.*]] = rns.automorphism %[[S2]] {element = 9}
// CHECK-NEXT: %[[P:.*]] = rns.mul %[[T1]], %[[T2]]
// CHECK-NEXT: %[[Q:.*]] = rns.add %[[P]], %[[A]]
// CHECK-NEXT: rns.yield
func.func @order(%a: !poly, %b: !poly) -> (!poly, !poly) {
  %s1 = rns.add %a, %b : !poly
  %s2 = rns.sub %a, %b : !poly
  %t1 = rns.automorphism %s1 {element = 5} : !poly
  %t2 = rns.automorphism %s2 {element = 9} : !poly
  %p = rns.mul %t1, %t2 : !poly
  %q = rns.add %p, %a : !poly
  return %p, %q : !poly, !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>
!coeff = !rns.poly<[0, 1], coeff>
!half = !rns.poly<[0, 1], half_ntt>

// With all positions of a limb at once, as on a GPU, the automorphism would read what other positions have not computed yet: it waits
// for the loop of the transform's rows. What reads the rows without moving them does not. Block by block the CPU does all in one loop.
// CHECK-LABEL: func.func @rows(
// CHECK: rns.limb_kernel
// CHECK-NOT: rns.limb_kernel
// CHECK: return
// ONCE-LABEL: func.func @rows(
// ONCE: rns.limb_kernel
// ONCE: rns.ntt_rows
// ONCE-NEXT: rns.negate
// ONCE-NOT: rns.automorphism
// ONCE: rns.yield
// ONCE: rns.limb_kernel
// ONCE: rns.automorphism
// ONCE: rns.add
// ONCE: rns.yield
func.func @rows(%a: !half, %b: !poly) -> !poly {
  %r = rns.ntt_rows %a : !half -> !poly
  %n = rns.negate %r : !poly
  %t = rns.automorphism %n {element = 5} : !poly
  %s = rns.add %t, %b : !poly
  return %s : !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>
!coeff = !rns.poly<[0, 1], coeff>

// A whole transform moves words across the limb: on a GPU it is a launch of its own.
// CHECK-LABEL: func.func @whole(
// CHECK: rns.limb_kernel
// CHECK: rns.intt
// ONCE-LABEL: func.func @whole(
// ONCE: rns.limb_kernel
// ONCE: rns.add
// ONCE-NEXT: rns.negate
// ONCE-NEXT: rns.yield
// ONCE: rns.intt
// ONCE-NEXT: return
func.func @whole(%a: !poly, %b: !poly) -> !coeff {
  %s = rns.add %a, %b : !poly
  %n = rns.negate %s : !poly
  %i = rns.intt %n : !poly -> !coeff
  return %i : !coeff
}
