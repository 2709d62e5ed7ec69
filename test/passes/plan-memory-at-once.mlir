// RUN: sluice-opt --plan-memory %s 2>/dev/null | FileCheck %s --check-prefix=BLOCKS
// RUN: sluice-opt --plan-memory=at-once=true %s 2>/dev/null | FileCheck %s --check-prefix=ONCE

// %x is read at element 5 only. Block by block the first result may take its slot, since it is written at that element too. With all
// positions at once the second result may still need what the first one writes: none takes the slot of %x; that of %y, which is read
// where results are written, one does.
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>} {
  // BLOCKS: rns.arena_slots = 2 : i64
  // ONCE: rns.arena_slots = 3 : i64
  func.func @moved(%x: !rns.poly<[0], eval>, %y: !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    // BLOCKS: rns.limb_kernel {{.*}} {rns.slots = array<i32: 0, 1>}
    // ONCE: rns.limb_kernel {{.*}} {rns.slots = array<i32: 2, 1>}
    %r:2 = rns.limb_kernel %x, %y : (!rns.poly<[0], eval>, !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    ^bb0(%a: !rns.poly<[0], eval>, %b: !rns.poly<[0], eval>):
      %n = rns.negate %a : !rns.poly<[0], eval>
      %t = rns.automorphism %n {element = 5} : !rns.poly<[0], eval>
      %s = rns.add %b, %t : !rns.poly<[0], eval>
      rns.yield %n, %s : !rns.poly<[0], eval>, !rns.poly<[0], eval>
    }
    return %r#0, %r#1 : !rns.poly<[0], eval>, !rns.poly<[0], eval>
  }

  // Two parts that share no computed value. Block by block %m is written after all have read %y, and takes its slot. With all at once
  // the other part may still need it.
  // BLOCKS: @parts
  // ONCE: @parts
  func.func @parts(%x: !rns.poly<[0], eval>, %y: !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    // BLOCKS: rns.limb_kernel {{.*}} {rns.slots = array<i32: 1, 2>}
    // ONCE: rns.limb_kernel {{.*}} {rns.slots = array<i32: 2, 1>}
    %r:2 = rns.limb_kernel %x, %y : (!rns.poly<[0], eval>, !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    ^bb0(%a: !rns.poly<[0], eval>, %b: !rns.poly<[0], eval>):
      %n = rns.negate %b : !rns.poly<[0], eval>
      %m = rns.negate %a : !rns.poly<[0], eval>
      rns.yield %m, %n : !rns.poly<[0], eval>, !rns.poly<[0], eval>
    }
    return %x, %r#0, %r#1 : !rns.poly<[0], eval>, !rns.poly<[0], eval>, !rns.poly<[0], eval>
  }

  // What could run at the same time shall not share slots: three are needed at the end, so that with at-once %q takes the third one,
  // and not that of %p, which nobody reads.
  // BLOCKS: @resting{{.*}}rns.arena_slots = 3
  // ONCE: @resting{{.*}}rns.arena_slots = 3
  func.func @resting(%x: !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    // BLOCKS: rns.automorphism {{.*}} {element = 3} {rns.slots = array<i32: 1>}
    // ONCE: rns.automorphism {{.*}} {element = 3} {rns.slots = array<i32: 1>}
    %p = rns.automorphism %x {element = 3} : !rns.poly<[0], eval>
    // BLOCKS: rns.automorphism {{.*}} {element = 5} {rns.slots = array<i32: 1>}
    // ONCE: rns.automorphism {{.*}} {element = 5} {rns.slots = array<i32: 2>}
    %q = rns.automorphism %x {element = 5} : !rns.poly<[0], eval>
    %r = rns.automorphism %x {element = 7} : !rns.poly<[0], eval>
    return %x, %q, %r : !rns.poly<[0], eval>, !rns.poly<[0], eval>, !rns.poly<[0], eval>
  }
}
