// RUN: sluice-opt --rns-to-runtime --split-input-file %s | FileCheck %s

// One call for each kernel, by its field in sluice_functions: two integers, then the functions in the order of functions.def,
// so ntt is field 2, add 5, mul_scalar 10, add_constant 13, mul_constant 14, base_convert 17, inner_product 18. Tables are
// shared: the limbs [0, 1] stand once, and the rows [0, 1] and [1] of the constants with them. Views and constants are no calls.

#ring = #rns.ring<logN = 3, primes = [17, 97, 193]>

// The two constants are one, over the limbs of both; slots of arguments and results make the ports.
// CHECK: sluice.program = {arena_slots = 6 : i64,
// CHECK-SAME: constants = [{limbs = array<i64: 0, 1>, scale = array<f64: 3.200000e+01, 0.000000e+00>, values = array<f64: 5.000000e-01, 1.000000e+00>}],
// CHECK-SAME: inputs = {{\[\[}}array<i64: 0, 1>, array<i64: 2, 3>]], outputs = {{\[\[}}array<i64: 4>, array<i64: 5>]]}
module attributes {rns.ring = #ring, sluice.keys = [], sluice.inputs = [{polynomials = 2 : i64}], sluice.outputs = [{polynomials = 2 : i64}]} {
  // CHECK-DAG: llvm.mlir.global private constant @limbs(dense<[0, 1, 1]> : tensor<3xi16>)
  // CHECK-DAG: llvm.mlir.global private constant @slots(dense<[0, 1, 2, 3, 4, 1, 5]> : tensor<7xi32>)
  // CHECK-DAG: llvm.mlir.global private constant @scalars(dense<[3, 5]> : tensor<2xi64>)
  // CHECK-LABEL: llvm.func @sluice_program_run(
  // CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[FUNCTIONS:.*]]: !llvm.ptr) -> i32
  func.func @program(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>},
                     %y: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 2, 3>})
      -> (!rns.poly<[1], eval>, !rns.poly<[1], eval>) attributes {rns.arena_slots = 6 : i64} {
    // add(context, 2, limbs, dst, a, b): dst and a are the same table.
    // CHECK: %[[SLOTS:.*]] = llvm.mlir.addressof @slots
    // CHECK: %[[LIMBS:.*]] = llvm.mlir.addressof @limbs
    // CHECK: %[[N:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: %[[L:.*]] = llvm.getelementptr inbounds %[[LIMBS]][0]
    // CHECK: %[[DST:.*]] = llvm.getelementptr inbounds %[[SLOTS]][0]
    // CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[SLOTS]][0]
    // CHECK: %[[B:.*]] = llvm.getelementptr inbounds %[[SLOTS]][2]
    // CHECK: %[[FIELD:.*]] = llvm.getelementptr inbounds %[[FUNCTIONS]][0, 5]
    // CHECK: %[[ADD:.*]] = llvm.load %[[FIELD]] invariant
    // CHECK: llvm.call %[[ADD]](%[[CONTEXT]], %[[N]], %[[L]], %[[DST]], %[[A]], %[[B]])
    %s = rns.add %x, %y {rns.slots = array<i32: 0, 1>} : !rns.poly<[0, 1], eval>
    // CHECK: %[[N2:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: getelementptr inbounds %[[FUNCTIONS]][0, 10]
    // CHECK: llvm.call
    %t = rns.mul_scalar %s {scalars = [3, 5]} {rns.slots = array<i32: 0, 1>} : !rns.poly<[0, 1], eval>
    %c = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^5", high = 32.0, low = 0.0} : !rns.poly<[0, 1], eval>
    %d = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^5", high = 32.0, low = 0.0} : !rns.poly<[1], eval>
    // mul_constant(context, 2, limbs, dst, a, constant 0, rows 0 1): the rows are a table like the limbs.
    // CHECK: %[[NUMBER:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[ROWS:.*]] = llvm.getelementptr inbounds %[[LIMBS]][0]
    // CHECK: getelementptr inbounds %[[FUNCTIONS]][0, 14]
    // CHECK: llvm.call {{.*}} %[[NUMBER]], %[[ROWS]])
    %m = rns.mul %c, %t {rns.slots = array<i32: 0, 1>} : !rns.poly<[0, 1], eval>
    // CHECK-NOT: llvm.call
    %v = rns.drop %m {rns.slots = array<i32: 1>} : !rns.poly<[0, 1], eval> -> !rns.poly<[1], eval>
    // CHECK: getelementptr inbounds %[[FUNCTIONS]][0, 13]
    // CHECK: llvm.call
    %u = rns.add %v, %d {rns.slots = array<i32: 4>} : !rns.poly<[1], eval>
    // automorphism(context, 1, limbs, dst, src, 5)
    // CHECK: %[[ELEMENT:.*]] = llvm.mlir.constant(5 : i32)
    // CHECK: getelementptr inbounds %[[FUNCTIONS]][0, 16]
    // CHECK: llvm.call {{.*}} %[[ELEMENT]])
    %w = rns.automorphism %u {element = 5} {rns.slots = array<i32: 5>} : !rns.poly<[1], eval>
    // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.return %[[ZERO]]
    return %u, %w : !rns.poly<[1], eval>, !rns.poly<[1], eval>
  }
}

// -----

// A loop over limbs: its body is a function of the context, the functions, the number of the limb in the list and the first scratch
// slot of the thread. It works on one limb: tables are entered at the limb's number; the scratch slot is made on the stack.
// parallel_for is field 20.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>, sluice.keys = [],
                   sluice.inputs = [{polynomials = 1 : i64}], sluice.outputs = [{polynomials = 1 : i64}]} {
  // CHECK: sluice.program = {arena_slots = 4 : i64, {{.*}}scratch_slots = 1 : i64}
  // CHECK: llvm.func internal @limb_body_0(%[[CONTEXT:.*]]: !llvm.ptr, %[[FUNCTIONS:.*]]: !llvm.ptr, %[[I:.*]]: i32, %[[SCRATCH:.*]]: i32)
  // CHECK: %[[SLOTS:.*]] = llvm.mlir.addressof @slots
  // CHECK: %[[LIMBS:.*]] = llvm.mlir.addressof @limbs
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[LIST:.*]] = llvm.getelementptr inbounds %[[LIMBS]][0]
  // CHECK: %[[LIMB:.*]] = llvm.getelementptr inbounds %[[LIST]][%[[I]]]
  // CHECK: %[[PLACE:.*]] = llvm.alloca
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[SLOT:.*]] = llvm.add %[[SCRATCH]], %[[ZERO]]
  // CHECK: llvm.store %[[SLOT]]
  // CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[SLOTS]][0]
  // CHECK: %[[AI:.*]] = llvm.getelementptr inbounds %[[A]][%[[I]]]
  // CHECK: llvm.call {{.*}}(%[[CONTEXT]], %[[ONE]], %[[LIMB]], %[[PLACE]], %[[AI]])
  // CHECK: getelementptr inbounds %[[FUNCTIONS]][0, 16]
  // CHECK: llvm.call
  // CHECK: llvm.return
  // CHECK-LABEL: llvm.func @sluice_program_run(
  // CHECK: %[[BODY:.*]] = llvm.mlir.addressof @limb_body_0
  // CHECK: %[[N:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: getelementptr inbounds {{.*}}[0, 20]
  // CHECK: llvm.call {{.*}}, %[[N]], %[[BODY]])
  func.func @loop(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}) -> !rns.poly<[0, 1], eval>
      attributes {rns.arena_slots = 4 : i64, rns.scratch_slots = 1 : i64} {
    %r = rns.limb_kernel %x {rns.slots = array<i32: 2, 3>} : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
    ^bb0(%a: !rns.poly<[0, 1], eval>):
      %n = rns.negate %a {rns.scratch = array<i32: 0>} : !rns.poly<[0, 1], eval>
      %t = rns.automorphism %n {element = 5} {rns.scratch = array<i32: -1>} : !rns.poly<[0, 1], eval>
      rns.yield %t : !rns.poly<[0, 1], eval>
    }
    return %r : !rns.poly<[0, 1], eval>
  }
}

// -----

// No operation of the body moves words across a limb: parallel_for_blocks, field 24, calls it. ntt_rows is field 21, intt_rows 22, the
// conversion between half forms 23.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>, sluice.keys = [],
                   sluice.inputs = [{polynomials = 1 : i64}], sluice.outputs = [{polynomials = 1 : i64}]} {
  // CHECK: llvm.func internal @limb_body_0(
  // CHECK: getelementptr inbounds {{.*}}[0, 21]
  // CHECK-LABEL: llvm.func @sluice_program_run(
  // CHECK: getelementptr inbounds {{.*}}[0, 22]
  // CHECK: getelementptr inbounds {{.*}}[0, 23]
  // CHECK: llvm.mlir.addressof @limb_body_0
  // CHECK: getelementptr inbounds {{.*}}[0, 24]
  func.func @blocks(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) -> !rns.poly<[1], eval>
      attributes {rns.arena_slots = 3 : i64, rns.scratch_slots = 1 : i64} {
    %h = rns.intt_rows %x {rns.slots = array<i32: 1>} : !rns.poly<[0], eval> -> !rns.poly<[0], half_intt>
    %v = rns.base_convert %h {rns.slots = array<i32: 2>} : !rns.poly<[0], half_intt> -> !rns.poly<[1], half_ntt>
    %r = rns.limb_kernel %v {rns.slots = array<i32: 0>} : (!rns.poly<[1], half_ntt>) -> !rns.poly<[1], eval> {
    ^bb0(%a: !rns.poly<[1], half_ntt>):
      %e = rns.ntt_rows %a {rns.scratch = array<i32: 0>} : !rns.poly<[1], half_ntt> -> !rns.poly<[1], eval>
      %n = rns.negate %e {rns.scratch = array<i32: -1>} : !rns.poly<[1], eval>
      rns.yield %n : !rns.poly<[1], eval>
    }
    return %r : !rns.poly<[1], eval>
  }
}

// -----

// A loop over blocks with an automorphism: what it permutes is computed at the block of element 5 (select_block, field 25), the rest at
// the loop's own. A weighted sum, field 26, has the numbers of its constants and their rows, those of one limb together.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>, sluice.keys = [],
                   sluice.inputs = [{polynomials = 2 : i64}], sluice.outputs = [{polynomials = 2 : i64}]} {
  // CHECK: llvm.mlir.global private constant @limbs(dense<[{{.*}}0, 0, 1, 1{{.*}}]>
  // CHECK: llvm.func internal @limb_body_0(
  // CHECK: %[[FIVE:.*]] = llvm.mlir.constant(5 : i32)
  // CHECK: getelementptr inbounds {{.*}}[0, 25]
  // CHECK: llvm.call {{.*}}, %[[FIVE]])
  // CHECK: getelementptr inbounds {{.*}}[0, 7]
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: getelementptr inbounds {{.*}}[0, 25]
  // CHECK: llvm.call {{.*}}, %[[ONE]])
  // CHECK: getelementptr inbounds {{.*}}[0, 16]
  // CHECK: !llvm.array<2 x i16>
  // CHECK: getelementptr inbounds {{.*}}[0, 26]
  // CHECK-LABEL: llvm.func @sluice_program_run(
  // CHECK: getelementptr inbounds {{.*}}[0, 24]
  func.func @moved(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}, %y: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 2, 3>})
      -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) attributes {rns.arena_slots = 4 : i64, rns.scratch_slots = 2 : i64} {
    %k = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0, 1], eval>
    %l = rns.constant {kind = slots, values = dense<2.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0, 1], eval>
    %z:2 = rns.limb_kernel %x, %y {rns.slots = array<i32: 0, 1, 2, 3>}
        : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
    ^bb0(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>):
      %n = rns.zero {rns.scratch = array<i32: 0>} : !rns.poly<[0, 1], eval>
      %m = rns.negate %n {rns.scratch = array<i32: 0>} : !rns.poly<[0, 1], eval>
      %t = rns.automorphism %m {element = 5} {rns.scratch = array<i32: 1>} : !rns.poly<[0, 1], eval>
      %s, %u = rns.weighted_sum %a, %b plus [%k, %l] times [%t, %t] and [%t, %t] {rns.scratch = array<i32: -1, -2>} : !rns.poly<[0, 1], eval>
      rns.yield %s, %u : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
    }
    return %z#0, %z#1 : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }
}

// -----

// Operations say in their locations which stage they belong to. begin_stage, field 27, is called where another one begins; an
// operation without a stage, as the last one, goes with those before it.

// CHECK: sluice.program = {{.*}}stages = ["CoeffsToSlots", "EvalMod"]}
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>, sluice.keys = [], sluice.inputs = [{polynomials = 1 : i64}], sluice.outputs = [{polynomials = 1 : i64}]} {
  // CHECK: llvm.func @sluice_program_run(
  func.func @stages(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) -> !rns.poly<[0], eval> attributes {rns.arena_slots = 1 : i64} {
    // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: getelementptr inbounds %{{.*}}[0, 27]
    // CHECK: llvm.call %{{.*}}(%{{.*}}, %[[FIRST]])
    // CHECK: getelementptr inbounds %{{.*}}[0, 7]
    %0 = rns.negate %x {rns.slots = array<i32: 0>} : !rns.poly<[0], eval> loc(fused<"CoeffsToSlots">["a"])
    // CHECK-NOT: [0, 27]
    // CHECK: getelementptr inbounds %{{.*}}[0, 7]
    %1 = rns.negate %0 {rns.slots = array<i32: 0>} : !rns.poly<[0], eval> loc(fused<"CoeffsToSlots">["b"])
    // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: getelementptr inbounds %{{.*}}[0, 27]
    // CHECK: llvm.call %{{.*}}(%{{.*}}, %[[SECOND]])
    // CHECK: getelementptr inbounds %{{.*}}[0, 7]
    %2 = rns.negate %1 {rns.slots = array<i32: 0>} : !rns.poly<[0], eval> loc(fused<"EvalMod">["c"])
    // CHECK-NOT: [0, 27]
    %3 = rns.negate %2 {rns.slots = array<i32: 0>} : !rns.poly<[0], eval> loc("d")
    return %3 : !rns.poly<[0], eval>
  }
}
