// Types and attributes of the rns dialect, abstract and chosen.
// RUN: sluice-opt --verify-roundtrip %s | FileCheck %s

// CHECK: #ring = #rns.ring<logN = 3, primes = [17, 97, 113, 193]>
// CHECK: module attributes {rns.ring = #ring}
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 113, 193]>} {

// CHECK: func.func private @poly(!rns.poly<[0, 1, 2], eval>, !rns.poly<[3], coeff>)
func.func private @poly(!rns.poly<[0,1,2], eval>, !rns.poly<[3], coeff>)
// CHECK: func.func private @digits(!rns.digits<[0, 1, 2]>, !rns.digits<[0, 1, 2], groups = {{\[}}[2, 0], [1]], over = [3, 0, 1, 2]>)
func.func private @digits(!rns.digits<[0, 1, 2]>, !rns.digits<[0, 1, 2], groups = [[2, 0], [1]], over = [3, 0, 1, 2]>)
// CHECK: func.func private @key(!rns.key, !rns.key<limbs = [3, 0, 1, 2], digits = {{\[}}[0, 1], [2]]>)
func.func private @key(!rns.key, !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>)

// CHECK: func.func @slots(%{{.*}}: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 4, 5>})
// CHECK-SAME: attributes {rns.arena_slots = 6 : i64}
func.func @slots(%a: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 4, 5>}) -> !rns.poly<[0, 1], eval>
    attributes {rns.arena_slots = 6} {
  // CHECK: rns.negate %{{.*}} {rns.slots = array<i32: 0, 1>} : !rns.poly<[0, 1], eval>
  %0 = rns.negate %a {rns.slots = array<i32: 0, 1>} : !rns.poly<[0, 1], eval>
  return %0 : !rns.poly<[0, 1], eval>
}

}
