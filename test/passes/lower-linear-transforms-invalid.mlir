// RUN: sluice-opt --lower-linear-transforms --split-input-file --verify-diagnostics %s

func.func @floating(%x: !ckks.ct) -> !ckks.ct {
  // expected-error @below {{has no level and scale yet; run settle-scales first}}
  %y = ckks.linear_transform %x {indices = [0], diagonals = dense<[[1.0, 2.0]]> : tensor<1x2xf64>} : !ckks.ct
  return %y : !ckks.ct
}

// -----

// expected-error @below {{the module has no 'ckks.params'}}
module {
func.func @no_parameters(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^90> {
  %y = ckks.linear_transform %x {indices = [0], diagonals = dense<[[1.0, 2.0]]> : tensor<1x2xf64>, scale = #ckks.scale<2^45>}
    : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^90>
  return %y : !ckks.ct<level = 1, scale = 2^90>
}
}
