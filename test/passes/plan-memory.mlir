// RUN: sluice-opt --plan-memory --verify-diagnostics %s | FileCheck %s

// Arguments stand in slots 0 1 and 2 3.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>} {
  // Two arguments and one product: %s works in place on %x, which nobody reads again, %p on %s; %y stays until the end.
  // CHECK-LABEL: func.func @in_place(
  // CHECK-SAME: %[[X:.*]]: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}
  // CHECK-SAME: %[[Y:.*]]: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 2, 3>}
  // CHECK-SAME: rns.arena_slots = 4 : i64
  // expected-remark @below {{arena of 4 slots, 256 bytes}}
  func.func @in_place(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    // CHECK: rns.add {{.*}} {rns.slots = array<i32: 0, 1>}
    %s = rns.add %x, %y : !rns.poly<[0, 1], eval>
    // CHECK: rns.mul {{.*}} {rns.slots = array<i32: 0, 1>}
    %p = rns.mul %s, %y : !rns.poly<[0, 1], eval>
    return %p, %y : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }

  // Views cost nothing: %v is the slots of %x in another order, and keeps them alive. So the sum works in place on %z; after the
  // product %x is free, and the automorphism, which cannot work in place, moves there.
  // CHECK-LABEL: func.func @views(
  // CHECK-SAME: rns.arena_slots = 4 : i64
  // expected-remark @below {{arena of 4 slots}}
  func.func @views(%x: !rns.poly<[0, 1], eval>, %z: !rns.poly<[0, 1], eval>) -> !rns.poly<[1, 0], eval> {
    // CHECK: rns.drop {{.*}} {rns.slots = array<i32: 1, 0>}
    %v = rns.drop %x : !rns.poly<[0, 1], eval> -> !rns.poly<[1, 0], eval>
    // CHECK: rns.concat {{.*}} {rns.slots = array<i32: 0, 1>}
    %first = rns.drop %x : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
    %second = rns.drop %x : !rns.poly<[0, 1], eval> -> !rns.poly<[1], eval>
    %same = rns.concat %first, %second : !rns.poly<[0], eval>, !rns.poly<[1], eval> -> !rns.poly<[0, 1], eval>
    // CHECK: rns.add {{.*}} {rns.slots = array<i32: 2, 3>}
    %w = rns.add %same, %z : !rns.poly<[0, 1], eval>
    %turned = rns.drop %w : !rns.poly<[0, 1], eval> -> !rns.poly<[1, 0], eval>
    // CHECK: rns.mul {{.*}} {rns.slots = array<i32: 3, 2>}
    %p = rns.mul %turned, %v : !rns.poly<[1, 0], eval>
    // CHECK: rns.automorphism {{.*}} {rns.slots = array<i32: 0, 1>}
    %q = rns.automorphism %p {element = 5} : !rns.poly<[1, 0], eval>
    return %q : !rns.poly<[1, 0], eval>
  }

  // The source of a conversion is disjoint from its destination, so the free slot of %x comes too late for %c but in time
  // for %n's user: three slots at the peak. A constant has no slot.
  // CHECK-LABEL: func.func @conversion(
  // CHECK-SAME: rns.arena_slots = 3 : i64
  // expected-remark @below {{arena of 3 slots, 192 bytes}}
  func.func @conversion(%x: !rns.poly<[0], coeff>) -> (!rns.poly<[1, 2], eval>) {
    // CHECK: rns.base_convert {{.*}} {rns.slots = array<i32: 1, 2>}
    %c = rns.base_convert %x : !rns.poly<[0], coeff> -> !rns.poly<[1, 2], coeff>
    // CHECK: rns.ntt {{.*}} {rns.slots = array<i32: 1, 2>}
    %n = rns.ntt %c : !rns.poly<[1, 2], coeff> -> !rns.poly<[1, 2], eval>
    // CHECK: rns.constant
    // CHECK-NOT: rns.slots
    // CHECK-SAME: : !rns.poly
    %k = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[1, 2], eval>
    // CHECK: rns.mul {{.*}} {rns.slots = array<i32: 1, 2>}
    %m = rns.mul %n, %k : !rns.poly<[1, 2], eval>
    return %m : !rns.poly<[1, 2], eval>
  }

  // In a kernel a thread holds one limb: the product and the permuted sum need one scratch slot between them, since the sum takes the
  // place of the product and then goes to the result. The result cannot take the slots of %x, which is read after it is written; it
  // takes those of %y.
  // CHECK-LABEL: func.func @kernel(
  // CHECK-SAME: rns.arena_slots = 4 : i64, rns.scratch_slots = 1 : i64
  // expected-remark @below {{arena of 4 slots, 256 bytes; scratch of 1 slots, 64 bytes a thread}}
  func.func @kernel(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    // CHECK: rns.limb_kernel {{.*}} {rns.slots = array<i32: 2, 3, 0, 1>}
    %r:2 = rns.limb_kernel %x, %y : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    ^bb0(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>):
      // CHECK: rns.mul {{.*}} {rns.scratch = array<i32: 0>}
      %p = rns.mul %a, %b : !rns.poly<[0, 1], eval>
      // CHECK: rns.add {{.*}} {rns.scratch = array<i32: 0>}
      %s = rns.add %p, %b : !rns.poly<[0, 1], eval>
      // CHECK: rns.automorphism {{.*}} {rns.scratch = array<i32: -1>}
      %t = rns.automorphism %s {element = 5} : !rns.poly<[0, 1], eval>
      // CHECK: rns.sub {{.*}} {rns.scratch = array<i32: -2>}
      %u = rns.sub %a, %t : !rns.poly<[0, 1], eval>
      rns.yield %t, %u : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
    }
    return %r#0, %r#1 : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }

  // The words of a half form may stand in any order, so that another block may still read what a result would overwrite: the result of
  // the kernel does not take the slot of %v, which dies there, but that of %h.
  // CHECK-LABEL: func.func @half(
  // CHECK-SAME: rns.arena_slots = 2 : i64
  // expected-remark @below {{arena of 2 slots, 128 bytes; scratch of 1 slots, 64 bytes a thread}}
  func.func @half(%x: !rns.poly<[0], eval>) -> !rns.poly<[1], eval> {
    // CHECK: rns.intt_rows {{.*}} {rns.slots = array<i32: 1>}
    %h = rns.intt_rows %x : !rns.poly<[0], eval> -> !rns.poly<[0], half_intt>
    // CHECK: rns.base_convert {{.*}} {rns.slots = array<i32: 0>}
    %v = rns.base_convert %h : !rns.poly<[0], half_intt> -> !rns.poly<[1], half_ntt>
    // CHECK: rns.limb_kernel {{.*}} {rns.slots = array<i32: 1>}
    %r = rns.limb_kernel %v : (!rns.poly<[1], half_ntt>) -> !rns.poly<[1], eval> {
    ^bb0(%a: !rns.poly<[1], half_ntt>):
      %e = rns.ntt_rows %a : !rns.poly<[1], half_ntt> -> !rns.poly<[1], eval>
      %n = rns.negate %e : !rns.poly<[1], eval>
      rns.yield %n : !rns.poly<[1], eval>
    }
    return %r : !rns.poly<[1], eval>
  }

  // In blocks, too, the result takes the place of an operand, but not of %y, which dies as well: another block still reads it.
  // CHECK-LABEL: func.func @moved(
  // CHECK-SAME: rns.arena_slots = 2 : i64
  // expected-remark @below {{arena of 2 slots, 128 bytes; scratch of 2 slots, 128 bytes a thread}}
  func.func @moved(%y: !rns.poly<[0], eval>, %x: !rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
    // CHECK: rns.limb_kernel {{.*}} {rns.slots = array<i32: 1>}
    %r = rns.limb_kernel %y, %x : (!rns.poly<[0], eval>, !rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
    ^bb0(%b: !rns.poly<[0], eval>, %a: !rns.poly<[0], eval>):
      // CHECK: rns.negate {{.*}} {rns.scratch = array<i32: 0>}
      %n = rns.negate %b : !rns.poly<[0], eval>
      // CHECK: rns.automorphism {{.*}} {rns.scratch = array<i32: 1>}
      %t = rns.automorphism %n {element = 5} : !rns.poly<[0], eval>
      %s = rns.add %a, %t : !rns.poly<[0], eval>
      rns.yield %s : !rns.poly<[0], eval>
    }
    return %r : !rns.poly<[0], eval>
  }
}
