// RUN: sluice-opt --settle-scales --split-input-file --verify-diagnostics %s

// expected-error @below {{the module has no 'ckks.params'; run select-parameters first}}
module {
func.func @no_parameters(%x: !ckks.ct) -> !ckks.ct {
  return %x : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601], levels = [[0], [0, 1]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
// expected-error @below {{needs levels 0 to 2; 'ckks.params' has levels 0 to 1}}
func.func @too_high(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.square %0 : !ckks.ct
  return %1 : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601], levels = [[0], [0, 1]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func @contradiction(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.rotate %0 {by = 1} : !ckks.ct
  %2 = ckks.reinterpret %1 {factor = 0.5} : !ckks.ct
  // expected-error @below {{the operands cannot get equal scales, and adjusting one of them needs a level above 1, the highest of 'ckks.params'}}
  %3 = ckks.add %1, %2 : !ckks.ct
  return %3 : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937], levels = [[0]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func @out_of_range(%x: !ckks.ct) -> (!ckks.ct, !ckks.ct) {
  // expected-error @below {{a scale here would be 2^98.0, outside 2^20.0 ... 2^50.0; larger levels would make room}}
  %0 = ckks.reinterpret %x {factor = 8.673617379884035e-19} : !ckks.ct // 2^-60
  %1 = ckks.reinterpret %x {factor = 1152921504606846976.0} : !ckks.ct
  return %0, %1 : !ckks.ct, !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937], levels = [[0]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func private @other(!ckks.ct) -> !ckks.ct
func.func @unknown_operation(%x: !ckks.ct) -> !ckks.ct {
  // expected-error @below {{'func.call' has no rule for levels and scales; settle-scales takes the floating operations of the ckks dialect}}
  %0 = func.call @other(%x) : (!ckks.ct) -> !ckks.ct
  return %0 : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937], levels = [[0]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
// expected-error @below {{must be straight-line code, one block}}
func.func @branches(%x: !ckks.ct) -> !ckks.ct {
  llvm.br ^next
^next:
  return %x : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601, 35184372744193], levels = [[0], [0, 1], [0, 1, 2]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func @no_plan(%x: !ckks.ct) -> !ckks.ct {
  // expected-error @below {{the module has no 'ckks.bootstrap_plan'; run select-parameters first}}
  %0 = ckks.refresh %x : !ckks.ct
  return %0 : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601, 35184372744193], levels = [[0], [0, 1], [0, 1, 2]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params, ckks.bootstrap_plan = {input_level = 0, input_log_scale = 40, result_level = 1, result_log_scale = 40}} {
// expected-error @below {{needs 1 more level behind a bootstrap than 'ckks.bootstrap_plan' leaves}}
func.func @too_deep(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.refresh %x : !ckks.ct
  %1 = ckks.square %0 : !ckks.ct
  %2 = ckks.square %1 : !ckks.ct
  return %2 : !ckks.ct
}
}
