// RUN: sluice-opt --expand-bootstraps --verify-diagnostics %s

func.func @f(%x: !ckks.ct<level = 0, scale = 2^35>) -> !ckks.ct<level = 2, scale = 2^35> {
  // expected-error @+1 {{the module has no 'ckks.params'}}
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  return %z : !ckks.ct<level = 2, scale = 2^35>
}
