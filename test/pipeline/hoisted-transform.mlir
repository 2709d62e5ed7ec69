// RUN: %python %S/Inputs/transform.py 64 | sluice-opt --lower-linear-transforms=baby-steps=16 --cse --ckks-to-rns --hoist --cse --sink-divisions --cse > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=KEYS < %t
// RUN: sluice-opt --select-key-switching %t | FileCheck %s --check-prefix=LISTED

// A transform of 64 diagonals in 16 baby steps and 4 giant steps. What the literature does by hand follows from the rules of hoist and
// sink-divisions: one decomposition of the operand and one of each giant step but the first; one division of one polynomial before
// each of these; nothing else divides by P but the two rescales at the end, one for each half of the result.

// CHECK-LABEL: func.func @transform(
// CHECK-SAME: %[[C0:.*]]: !rns.poly<[2, 3, 4, 5, 6, 7], eval>, %[[C1:.*]]: !rns.poly<[2, 3, 4, 5, 6, 7], eval>)
// CHECK: rns.decompose %[[C1]]
// CHECK-NOT: rns.decompose
// CHECK: %[[G1:.*]] = rns.mod_down
// CHECK-NEXT: rns.decompose %[[G1]]
// CHECK-NOT: {{rns.(decompose|mod_down)}}
// CHECK: %[[G2:.*]] = rns.mod_down
// CHECK-NEXT: rns.decompose %[[G2]]
// CHECK-NOT: {{rns.(decompose|mod_down)}}
// CHECK: %[[G3:.*]] = rns.mod_down
// CHECK-NEXT: rns.decompose %[[G3]]
// CHECK-NOT: {{rns.(decompose|mod_down)}}
// CHECK: rns.rescale %{{.*}} : !rns.poly<[2, 3, 4, 5, 6, 7, 0, 1], eval> -> !rns.poly<[2, 3, 4, 5, 6], eval>
// CHECK-NEXT: rns.rescale %{{.*}} : !rns.poly<[2, 3, 4, 5, 6, 7, 0, 1], eval> -> !rns.poly<[2, 3, 4, 5, 6], eval>
// CHECK-NOT: {{rns.(decompose|mod_down|rescale)}}

// 15 + 3 keys, each used once and permuted.
// KEYS-COUNT-18: rns.key {kind = galois, element = {{[0-9]+}}} permuted
// KEYS-NOT: rns.key {

// LISTED-COUNT-18: {digits = {{[^}]*}}kind = "galois"{{[^}]*}}permuted}
// LISTED-NOT: kind = "galois"
// LISTED: func.func
