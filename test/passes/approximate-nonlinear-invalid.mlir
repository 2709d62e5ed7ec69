// RUN: sluice-opt --approximate-nonlinear=max-degree=63 --split-input-file --verify-diagnostics %s

func.func @unknownRange(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{the range of the argument of exp is unknown; declare the ranges of the inputs, or promise one here (range=(low, high))}}
  %0 = math.exp %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @proved(%x: tensor<2xf64> {ckks.secret, ckks.range = [-100.0, 100.0]}) -> tensor<2xf64> {
  // expected-error@below {{tanh over [-100, 100] needs a polynomial of degree above 63 for 16 bits; the range was proved from the ranges of the inputs: narrow those, or promise the range that occurs (range=(low, high))}}
  // expected-note@below {{approximated on [-128, 128], whose half-width is a power of two}}
  %0 = math.tanh %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @measured(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = arith.addf %x, %one {ckks.range = [-32.0, 32.0], sluice.range_source = "measured"} : tensor<2xf64>
  %1 = arith.negf %0 : tensor<2xf64>
  %2 = math.exp %1 : tensor<2xf64>
  %3 = arith.addf %one, %2 : tensor<2xf64>
  // expected-error@below {{sigmoid over [-32, 32] needs a polynomial of degree above 63 for 16 bits; scale its argument down, or ask for less precision}}
  %4 = arith.divf %one, %3 : tensor<2xf64>
  return %4 : tensor<2xf64>
}

// -----

// e^1000 is no number.
func.func @overflow(%x: tensor<2xf64> {ckks.secret, ckks.range = [0.0, 1000.0]}) -> tensor<2xf64> {
  // expected-error@below {{exp over [0, 1000] needs a polynomial of degree above 63}}
  // expected-note@below {{approximated on}}
  %0 = math.exp %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @zeroInDivisor(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 2.0]}) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{a reciprocal over [-1, 2] has no bound: the range must not contain 0; the range was proved from the ranges of the inputs: narrow those, or promise the range that occurs (range=(low, high))}}
  %0 = arith.divf %one, %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// 0 belongs to the range, since items of zeros fill a batch.
func.func @zeroInBatch(%x: tensor<2xf64> {ckks.secret, ckks.range = [1.0, 2.0]}) -> tensor<2xf64> attributes {ckks.batch = 4 : i64} {
  // expected-error@below {{rsqrt over [0, 2] has no bound: the range must not contain 0}}
  %0 = math.rsqrt %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @steepReciprocal(%x: tensor<2xf64> {ckks.secret, ckks.range = [0.001, 1.0]}) -> tensor<2xf64> {
  %two = arith.constant dense<2.0> : tensor<2xf64>
  // expected-error@below {{a reciprocal over [0.001, 1] needs a polynomial of degree above 63 for 16 bits, since it is steep near 0: [0.016, 1] is in reach; the range was proved}}
  // expected-note@below {{approximated on [0.001, 1.001]}}
  %0 = arith.divf %two, %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @unknownNumerator(%x: tensor<2xf64> {ckks.secret, ckks.range = [1.0, 2.0]}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{the range of the argument of a quotient is unknown; declare the ranges of the inputs}}
  %0 = arith.divf %y, %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @rootOfNegative(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 2.0]}) -> tensor<2xf64> {
  // expected-error@below {{sqrt over [-1, 2]: negative numbers have no square root; the range was proved from the ranges of the inputs: narrow those, or promise the range that occurs (range=(low, high))}}
  %0 = math.sqrt %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @steepRoot(%x: tensor<2xf64> {ckks.secret, ckks.range = [0.0, 1.0]}) -> tensor<2xf64> {
  // expected-error@below {{sqrt over [0, 1] needs a polynomial of degree above 63 for 16 bits, since it is steep near 0: [0.0013, 1] is in reach; the range was proved}}
  %0 = math.sqrt %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @unknownRelu(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@below {{the range of the argument of relu is unknown; declare the ranges of the inputs, or promise one here (range=(low, high))}}
  %0 = arith.maximumf %x, %zero : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @unknownChoice(%x: tensor<2xf64> {ckks.secret, ckks.range = [-1.0, 2.0]}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %0 = arith.cmpf ogt, %x, %zero : tensor<2xf64>
  // expected-error@below {{the range of the argument of a choice is unknown}}
  %1 = arith.select %0, %y, %zero : tensor<2xi1>, tensor<2xf64>
  return %1 : tensor<2xf64>
}
