// RUN: sluice-opt --split-transforms --split-input-file %s | FileCheck %s

// A division by limb 2: what remains of both transforms is their stages within rows.
// CHECK-LABEL: func.func @division(
// CHECK-SAME: %[[C:.*]]: !rns.poly<[0, 1, 2], eval>
// CHECK-NEXT: %[[P:.*]] = rns.drop %[[C]] : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2], eval>
// CHECK-NEXT: %[[H:.*]] = rns.intt_rows %[[P]] : !rns.poly<[2], eval> -> !rns.poly<[2], half_intt>
// CHECK-NEXT: %[[V:.*]] = rns.base_convert %[[H]] : !rns.poly<[2], half_intt> -> !rns.poly<[0, 1], half_ntt>
// CHECK-NEXT: %[[R:.*]] = rns.ntt_rows %[[V]] : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0, 1], eval>
// CHECK-NEXT: %[[D:.*]] = rns.drop %[[C]] : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
// CHECK-NEXT: rns.sub_mul_scalar %[[D]], %[[R]]
func.func @division(%c: !rns.poly<[0, 1, 2], eval>) -> !rns.poly<[0, 1], eval> {
  %p = rns.drop %c : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2], eval>
  %q = rns.intt %p : !rns.poly<[2], eval> -> !rns.poly<[2], coeff>
  %v = rns.base_convert %q : !rns.poly<[2], coeff> -> !rns.poly<[0, 1], coeff>
  %r = rns.ntt %v : !rns.poly<[0, 1], coeff> -> !rns.poly<[0, 1], eval>
  %d = rns.drop %c : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 1], eval>
  %s = rns.sub_mul_scalar %d, %r {scalars = [2, 3]} : !rns.poly<[0, 1], eval>
  return %s : !rns.poly<[0, 1], eval>
}

// -----

// Two digits of one limb each and P = limb 2. Over limb 0 the first digit is the source itself and the second was converted; over
// limb 1 the other way round; over limb 2 both were converted. Three inner products, each with transforms over its own limbs. The inverse
// transform is shared by both conversions.
!two = !rns.poly<[0, 1], eval>
!all = !rns.poly<[0, 1, 2], eval>

// CHECK-LABEL: func.func @digits(
// CHECK-SAME: %[[X:.*]]: !rns.poly<[0, 1], eval>
// CHECK: %[[K:.*]] = rns.key
// CHECK: %[[H:.*]] = rns.intt_rows %[[X]]
// CHECK: %[[H0:.*]] = rns.drop %[[H]] : {{.*}} -> !rns.poly<[0], half_intt>
// CHECK: %[[U:.*]] = rns.base_convert %[[H0]] : !rns.poly<[0], half_intt> -> !rns.poly<[1, 2], half_ntt>
// CHECK: %[[H1:.*]] = rns.drop %[[H]] : {{.*}} -> !rns.poly<[1], half_intt>
// CHECK: %[[V:.*]] = rns.base_convert %[[H1]] : !rns.poly<[1], half_intt> -> !rns.poly<[0, 2], half_ntt>

// CHECK-DAG: %[[X0:.*]] = rns.drop %[[X]] : {{.*}} -> !rns.poly<[0], eval>
// CHECK-DAG: %[[V0:.*]] = rns.drop %[[V]] : {{.*}} -> !rns.poly<[0], half_ntt>
// CHECK-DAG: %[[VE0:.*]] = rns.ntt_rows %[[V0]]
// CHECK: %[[B0:.*]], %[[A0:.*]] = rns.inner_product %[[X0]], %[[VE0]] with %[[K]]
// CHECK-DAG: %[[U1:.*]] = rns.drop %[[U]] : {{.*}} -> !rns.poly<[1], half_ntt>
// CHECK-DAG: %[[UE1:.*]] = rns.ntt_rows %[[U1]]
// CHECK-DAG: %[[X1:.*]] = rns.drop %[[X]] : {{.*}} -> !rns.poly<[1], eval>
// CHECK: %[[B1:.*]], %[[A1:.*]] = rns.inner_product %[[UE1]], %[[X1]] with %[[K]]
// CHECK-DAG: %[[U2:.*]] = rns.drop %[[U]] : {{.*}} -> !rns.poly<[2], half_ntt>
// CHECK-DAG: %[[UE2:.*]] = rns.ntt_rows %[[U2]]
// CHECK-DAG: %[[V2:.*]] = rns.drop %[[V]] : {{.*}} -> !rns.poly<[2], half_ntt>
// CHECK-DAG: %[[VE2:.*]] = rns.ntt_rows %[[V2]]
// CHECK: %[[B2:.*]], %[[A2:.*]] = rns.inner_product %[[UE2]], %[[VE2]] with %[[K]]

// CHECK: %[[B:.*]] = rns.concat %[[B0]], %[[B1]], %[[B2]]
// CHECK: %[[A:.*]] = rns.concat %[[A0]], %[[A1]], %[[A2]]
// CHECK: return %[[B]], %[[A]]
func.func @digits(%x: !two) -> (!all, !all) {
  %k = rns.key {kind = relinearize} : !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>
  %c = rns.intt %x : !two -> !rns.poly<[0, 1], coeff>
  %c0 = rns.drop %c : !rns.poly<[0, 1], coeff> -> !rns.poly<[0], coeff>
  %u = rns.base_convert %c0 : !rns.poly<[0], coeff> -> !rns.poly<[1, 2], coeff>
  %ue = rns.ntt %u : !rns.poly<[1, 2], coeff> -> !rns.poly<[1, 2], eval>
  %x0 = rns.drop %x : !two -> !rns.poly<[0], eval>
  %d0 = rns.concat %x0, %ue : !rns.poly<[0], eval>, !rns.poly<[1, 2], eval> -> !all
  %c1 = rns.drop %c : !rns.poly<[0, 1], coeff> -> !rns.poly<[1], coeff>
  %v = rns.base_convert %c1 : !rns.poly<[1], coeff> -> !rns.poly<[0, 2], coeff>
  %ve = rns.ntt %v : !rns.poly<[0, 2], coeff> -> !rns.poly<[0, 2], eval>
  %x1 = rns.drop %x : !two -> !rns.poly<[1], eval>
  %j = rns.concat %x1, %ve : !rns.poly<[1], eval>, !rns.poly<[0, 2], eval> -> !rns.poly<[1, 0, 2], eval>
  %d1 = rns.drop %j : !rns.poly<[1, 0, 2], eval> -> !all
  %b, %a = rns.inner_product %d0, %d1 with %k : !all, !all with !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]> -> !all
  return %b, %a : !all, !all
}

// -----

// Coefficients that something else needs too stay: the conversion is as it was.
// CHECK-LABEL: func.func @kept(
// CHECK: rns.intt %
// CHECK: rns.base_convert {{.*}} -> !rns.poly<[1], coeff>
// CHECK: rns.ntt %
func.func @kept(%a: !rns.poly<[0], eval>) -> (!rns.poly<[1], eval>, !rns.poly<[1], coeff>) {
  %c = rns.intt %a : !rns.poly<[0], eval> -> !rns.poly<[0], coeff>
  %v = rns.base_convert %c : !rns.poly<[0], coeff> -> !rns.poly<[1], coeff>
  %e = rns.ntt %v : !rns.poly<[1], coeff> -> !rns.poly<[1], eval>
  return %e, %v : !rns.poly<[1], eval>, !rns.poly<[1], coeff>
}

// -----

// What is not the result of a transform has all its coefficients already.
// CHECK-LABEL: func.func @coefficients(
// CHECK-NOT: half_intt
func.func @coefficients(%a: !rns.poly<[0], coeff>) -> !rns.poly<[1], eval> {
  %v = rns.base_convert %a : !rns.poly<[0], coeff> -> !rns.poly<[1], coeff>
  %e = rns.ntt %v : !rns.poly<[1], coeff> -> !rns.poly<[1], eval>
  return %e : !rns.poly<[1], eval>
}

// -----

// An inverse transform that something else needs too is done beside its rows.
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[A:.*]]: !rns.poly<[0], eval>
// CHECK-DAG: %[[C:.*]] = rns.intt %[[A]]
// CHECK-DAG: %[[H:.*]] = rns.intt_rows %[[A]]
// CHECK: rns.base_convert %[[H]] : !rns.poly<[0], half_intt>
// CHECK: return %{{.*}}, %[[C]]
func.func @both(%a: !rns.poly<[0], eval>) -> (!rns.poly<[1], eval>, !rns.poly<[0], coeff>) {
  %c = rns.intt %a : !rns.poly<[0], eval> -> !rns.poly<[0], coeff>
  %v = rns.base_convert %c : !rns.poly<[0], coeff> -> !rns.poly<[1], coeff>
  %e = rns.ntt %v : !rns.poly<[1], coeff> -> !rns.poly<[1], eval>
  return %e, %c : !rns.poly<[1], eval>, !rns.poly<[0], coeff>
}

// -----

// Coefficients of two inverse transforms side by side are no half of one: they are converted as they are.
// CHECK-LABEL: func.func @two(
// CHECK: rns.concat {{.*}} -> !rns.poly<[0, 1], coeff>
// CHECK: rns.base_convert {{.*}} -> !rns.poly<[2], coeff>
func.func @two(%a: !rns.poly<[0], eval>, %b: !rns.poly<[1], eval>) -> !rns.poly<[2], eval> {
  %c = rns.intt %a : !rns.poly<[0], eval> -> !rns.poly<[0], coeff>
  %d = rns.intt %b : !rns.poly<[1], eval> -> !rns.poly<[1], coeff>
  %j = rns.concat %c, %d : !rns.poly<[0], coeff>, !rns.poly<[1], coeff> -> !rns.poly<[0, 1], coeff>
  %v = rns.base_convert %j : !rns.poly<[0, 1], coeff> -> !rns.poly<[2], coeff>
  %e = rns.ntt %v : !rns.poly<[2], coeff> -> !rns.poly<[2], eval>
  return %e : !rns.poly<[2], eval>
}

// -----

// All limbs of all digits from the same places: one inner product, as it was.
// CHECK-LABEL: func.func @alike(
// CHECK: rns.inner_product
// CHECK-NOT: rns.inner_product
// CHECK-NOT: rns.concat
// CHECK: return
func.func @alike(%x: !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
  %k = rns.key {kind = relinearize} : !rns.key<limbs = [2, 0, 1], digits = [[0, 1]]>
  %b, %a = rns.inner_product %x with %k : !rns.poly<[0, 1], eval> with !rns.key<limbs = [2, 0, 1], digits = [[0, 1]]> -> !rns.poly<[0, 1], eval>
  return %b, %a : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
}

// -----

// What is computed with the whole inner product goes into one loop with it, so it stays whole; its digits' transforms are split all the
// same.
// CHECK-LABEL: func.func @summed(
// CHECK: rns.ntt_rows {{.*}} -> !rns.poly<[1, 2], eval>
// CHECK: rns.inner_product
// CHECK-NEXT: rns.add
func.func @summed(%x: !rns.poly<[0], eval>) -> !rns.poly<[0, 1, 2], eval> {
  %k = rns.key {kind = relinearize} : !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>
  %c = rns.intt %x : !rns.poly<[0], eval> -> !rns.poly<[0], coeff>
  %u = rns.base_convert %c : !rns.poly<[0], coeff> -> !rns.poly<[1, 2], coeff>
  %e = rns.ntt %u : !rns.poly<[1, 2], coeff> -> !rns.poly<[1, 2], eval>
  %d = rns.concat %x, %e : !rns.poly<[0], eval>, !rns.poly<[1, 2], eval> -> !rns.poly<[0, 1, 2], eval>
  %b, %a = rns.inner_product %d, %d with %k : !rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1, 2], eval> with !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]> -> !rns.poly<[0, 1, 2], eval>
  %s = rns.add %b, %a : !rns.poly<[0, 1, 2], eval>
  return %s : !rns.poly<[0, 1, 2], eval>
}
