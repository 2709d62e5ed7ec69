// RUN: sluice-opt --sink-divisions --split-input-file --verify-diagnostics %s
// RUN: sluice-opt --lower-linear-transforms --split-input-file --verify-diagnostics %s

// expected-error @below {{'sluice.costs' has no pair of 5 times each called 'ntt'}}
module attributes {sluice.costs = "fast"} {}

// -----

// expected-error @below {{'sluice.costs' has no pair of 5 times each called 'ntt'}}
module attributes {sluice.costs = {ntt = [array<f64: 1.0, 1.0, 1.0, 1.0, 1.0>, array<f64: 1.0, 1.0, 1.0, 1.0>]}} {}

// -----

// expected-error @below {{'sluice.costs' has no pair of 5 times each called 'ntt'}}
module attributes {sluice.costs = {ntt = [array<f64: 1.0, 1.0, -1.0, 1.0, 1.0>, array<f64: 1.0, 1.0, 1.0, 1.0, 1.0>]}} {}

// -----

// expected-error @below {{'sluice.costs' has no pair of 5 times each called 'intt'}}
module attributes {sluice.costs = {ntt = [array<f64: 1.0, 1.0, 1.0, 1.0, 1.0>, array<f64: 1.0, 1.0, 1.0, 1.0, 1.0>]}} {}
