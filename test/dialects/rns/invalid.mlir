// Every message of the operations' verifiers, named after the constraint in RNSOps.td that it enforces.
// RUN: sluice-opt --split-input-file --verify-diagnostics %s

func.func @ntt_c1(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{operand must be in form coeff; insert rns.intt; found '!rns.poly<[0], eval>'}}
  %0 = rns.ntt %a : !rns.poly<[0], eval> -> !rns.poly<[0], eval>
  return
}

// -----

func.func @ntt_c2(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{result type must be '!rns.poly<[0], eval>'; found '!rns.poly<[1], eval>'}}
  %0 = rns.ntt %a : !rns.poly<[0], coeff> -> !rns.poly<[1], eval>
  return
}

// -----

func.func @intt_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{operand must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.intt %a : !rns.poly<[0], coeff> -> !rns.poly<[0], coeff>
  return
}

// -----

func.func @intt_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{result type must be '!rns.poly<[0], coeff>'; found '!rns.poly<[0], eval>'}}
  %0 = rns.intt %a : !rns.poly<[0], eval> -> !rns.poly<[0], eval>
  return
}

// -----

func.func @ntt_rows_c1(%a: !rns.poly<[0], half_intt>) {
  // expected-error @+1 {{operand must be in form half_ntt; found '!rns.poly<[0], half_intt>'}}
  %0 = rns.ntt_rows %a : !rns.poly<[0], half_intt> -> !rns.poly<[0], eval>
  return
}

// -----

func.func @ntt_rows_c2(%a: !rns.poly<[0], half_ntt>) {
  // expected-error @+1 {{result type must be '!rns.poly<[0], eval>'; found '!rns.poly<[1], eval>'}}
  %0 = rns.ntt_rows %a : !rns.poly<[0], half_ntt> -> !rns.poly<[1], eval>
  return
}

// -----

func.func @intt_rows_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{operand must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.intt_rows %a : !rns.poly<[0], coeff> -> !rns.poly<[0], half_intt>
  return
}

// -----

func.func @intt_rows_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{result type must be '!rns.poly<[0], half_intt>'; found '!rns.poly<[0], half_ntt>'}}
  %0 = rns.intt_rows %a : !rns.poly<[0], eval> -> !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @add_c1(%a: !rns.poly<[0], half_ntt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0], half_ntt>'}}
  %0 = rns.add %a, %a : !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @sub_c1(%a: !rns.poly<[0], half_ntt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0], half_ntt>'}}
  %0 = rns.sub %a, %a : !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @negate_c1(%a: !rns.poly<[0], half_ntt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0], half_ntt>'}}
  %0 = rns.negate %a : !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @mul_scalar_c3(%a: !rns.poly<[0], half_intt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0], half_intt>'}}
  %0 = rns.mul_scalar %a {scalars = [1]} : !rns.poly<[0], half_intt>
  return
}

// -----

func.func @sub_mul_scalar_c3(%a: !rns.poly<[0], half_intt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0], half_intt>'}}
  %0 = rns.sub_mul_scalar %a, %a {scalars = [1]} : !rns.poly<[0], half_intt>
  return
}

// -----

func.func @add_types(%a: !rns.poly<[0], eval>, %b: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "rns.add"(%a, %b) : (!rns.poly<[0], eval>, !rns.poly<[0], coeff>) -> !rns.poly<[0], eval>
  return
}

// -----

func.func @mul_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{a factor must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.mul %a, %a : !rns.poly<[0], coeff>
  return
}

// -----

func.func @mac_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{a factor must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.mac %a, %a, %a : !rns.poly<[0], coeff>
  return
}

// -----

func.func @weighted_sum_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{a factor must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0, %1 = rns.weighted_sum %a, %a plus [%a] times [%a] and [%a] : !rns.poly<[0], coeff>
  return
}

// -----

func.func @weighted_sum_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{needs a weight for each value of both sums; found 1 weights, 2 and 1 values}}
  %0, %1 = rns.weighted_sum %a, %a plus [%a] times [%a, %a] and [%a] : !rns.poly<[0], eval>
  return
}

// -----

func.func @mul_scalar_c1(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{needs one scalar per limb, 2; found 1}}
  %0 = rns.mul_scalar %a {scalars = [1]} : !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @mul_scalar_c2(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{scalar -1 of limb 1 is not a canonical residue}}
  %0 = rns.mul_scalar %a {scalars = [1, -1]} : !rns.poly<[0, 1], eval>
  return
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [97, 17]>} {
func.func @mul_scalar_c2_ring(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{scalar 17 of limb 1 is not a canonical residue}}
  %0 = rns.mul_scalar %a {scalars = [17, 17]} : !rns.poly<[0, 1], eval>
  return
}
}

// -----

func.func @add_scalar_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{operand must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.add_scalar %a {scalars = [1]} : !rns.poly<[0], coeff>
  return
}

// -----

func.func @add_scalar_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{needs one scalar per limb, 1; found 2}}
  %0 = rns.add_scalar %a {scalars = [1, 2]} : !rns.poly<[0], eval>
  return
}

// -----

func.func @add_scalar_c3(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{scalar -5 of limb 0 is not a canonical residue}}
  %0 = rns.add_scalar %a {scalars = [-5]} : !rns.poly<[0], eval>
  return
}

// -----

func.func @sub_mul_scalar_c1(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{needs one scalar per limb, 1; found 0}}
  %0 = rns.sub_mul_scalar %a, %a {scalars = []} : !rns.poly<[0], eval>
  return
}

// -----

func.func @sub_mul_scalar_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{scalar -5 of limb 0 is not a canonical residue}}
  %0 = rns.sub_mul_scalar %a, %a {scalars = [-5]} : !rns.poly<[0], eval>
  return
}

// -----

func.func @automorphism_c1(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{operand must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.automorphism %a {element = 5} : !rns.poly<[0], coeff>
  return
}

// -----

func.func @automorphism_c1_digits(%d: !rns.digits<[0], groups = [[0]], over = [0, 1]>) {
  // expected-error @below {{'rns.automorphism' op permutes digits only while they are abstract; found '!rns.digits<[0], groups = [[0]], over = [0, 1]>'}}
  %0 = rns.automorphism %d {element = 5} : !rns.digits<[0], groups = [[0]], over = [0, 1]>
  return
}

// -----

func.func @automorphism_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{element must be odd and at least 1; found 4}}
  %0 = rns.automorphism %a {element = 4} : !rns.poly<[0], eval>
  return
}

// -----

func.func @automorphism_c2_negative(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{element must be odd and at least 1; found -5}}
  %0 = rns.automorphism %a {element = -5} : !rns.poly<[0], eval>
  return
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>} {
func.func @automorphism_c3(%a: !rns.poly<[0], eval>) {
  %0 = rns.automorphism %a {element = 15} : !rns.poly<[0], eval>
  // expected-error @+1 {{element must be below 2N = 16; found 17}}
  %1 = rns.automorphism %a {element = 17} : !rns.poly<[0], eval>
  return
}
}

// -----

func.func @drop_c1(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{result has limb 2, which the operand has not: '!rns.poly<[0, 1], eval>'}}
  %0 = rns.drop %a : !rns.poly<[0, 1], eval> -> !rns.poly<[2], eval>
  return
}

// -----

func.func @drop_c2(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{result type must be '!rns.poly<[1], eval>'; found '!rns.poly<[1], coeff>'}}
  %0 = rns.drop %a : !rns.poly<[0, 1], eval> -> !rns.poly<[1], coeff>
  return
}

// -----

func.func @concat_c1() {
  // expected-error @+1 {{needs an operand}}
  %0 = "rns.concat"() : () -> !rns.poly<[1], coeff>
  return
}

// -----

func.func @concat_c2(%a: !rns.poly<[0], eval>, %b: !rns.poly<[1], coeff>) {
  // expected-error @+1 {{operands must have one form; found '!rns.poly<[0], eval>' and '!rns.poly<[1], coeff>'}}
  %0 = rns.concat %a, %b : !rns.poly<[0], eval>, !rns.poly<[1], coeff> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @concat_c3(%a: !rns.poly<[0], eval>, %b: !rns.poly<[1], eval>) {
  // expected-error @+1 {{result must have the operands' limbs in order and their form; found '!rns.poly<[1, 0], eval>'}}
  %0 = rns.concat %a, %b : !rns.poly<[0], eval>, !rns.poly<[1], eval> -> !rns.poly<[1, 0], eval>
  return
}

// -----

func.func @base_convert_c1(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{operand must be in form coeff; insert rns.intt; found '!rns.poly<[0], eval>'}}
  %0 = rns.base_convert %a : !rns.poly<[0], eval> -> !rns.poly<[1], coeff>
  return
}

// -----

func.func @base_convert_c1_result(%a: !rns.poly<[0], coeff>) {
  // expected-error @+1 {{result must be in form coeff; insert rns.intt; found '!rns.poly<[1], eval>'}}
  %0 = rns.base_convert %a : !rns.poly<[0], coeff> -> !rns.poly<[1], eval>
  return
}

// -----

func.func @base_convert_half_c1(%a: !rns.poly<[0], half_intt>) {
  // expected-error @+1 {{result must be in form half_ntt; found '!rns.poly<[1], coeff>'}}
  %0 = rns.base_convert %a : !rns.poly<[0], half_intt> -> !rns.poly<[1], coeff>
  return
}

// -----

func.func @base_convert_c2(%a: !rns.poly<[0, 1], coeff>) {
  // expected-error @+1 {{limb 1 is on both sides; take it from the operand with rns.drop}}
  %0 = rns.base_convert %a : !rns.poly<[0, 1], coeff> -> !rns.poly<[2, 1], coeff>
  return
}

// -----

func.func @rescale_c1(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{operand and result must have one form; found '!rns.poly<[0, 1], eval>' and '!rns.poly<[0], coeff>'}}
  %0 = rns.rescale %a : !rns.poly<[0, 1], eval> -> !rns.poly<[0], coeff>
  return
}

// -----

func.func @rescale_c2(%a: !rns.poly<[0], eval>) {
  // expected-error @+1 {{drops no limb, so it divides by nothing; found '!rns.poly<[0], eval>' and '!rns.poly<[0, 1], eval>'}}
  %0 = rns.rescale %a : !rns.poly<[0], eval> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @mod_down_c1(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{limb 2 of 'by' is not a limb of the operand}}
  %0 = rns.mod_down %a {by = [2]} : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @mod_down_c1_twice(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{limb 1 of 'by' is listed twice}}
  %0 = rns.mod_down %a {by = [1, 1]} : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
  return
}

// -----

func.func @mod_down_c1_none(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{must divide by some limbs of the operand and keep some}}
  %0 = rns.mod_down %a {by = []} : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @mod_down_c2(%a: !rns.poly<[0, 1, 2], eval>) {
  // expected-error @+1 {{result type must be '!rns.poly<[0, 2], eval>'; found '!rns.poly<[2, 0], eval>'}}
  %0 = rns.mod_down %a {by = [1]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2, 0], eval>
  return
}

// -----

func.func @decompose_c1(%a: !rns.poly<[0, 1], coeff>) {
  // expected-error @+1 {{operand must be in form eval; insert rns.ntt; found '!rns.poly<[0, 1], coeff>'}}
  %0 = rns.decompose %a : !rns.poly<[0, 1], coeff> -> !rns.digits<[0, 1]>
  return
}

// -----

func.func @decompose_c2(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{result type must be '!rns.digits<[0, 1]>'; found '!rns.digits<[1, 0]>'}}
  %0 = rns.decompose %a : !rns.poly<[0, 1], eval> -> !rns.digits<[1, 0]>
  return
}

// -----

func.func @mod_up_c1(%d: !rns.digits<[0], groups = [[0]], over = [0, 1]>) {
  // expected-error @+1 {{operand has its digits already: '!rns.digits<[0], groups = }}
  %0 = rns.mod_up %d : !rns.digits<[0], groups = [[0]], over = [0, 1]> -> !rns.digits<[0], groups = [[0]], over = [0, 1]>
  return
}

// -----

func.func @mod_up_c2(%d: !rns.digits<[0]>) {
  // expected-error @+1 {{result must be chosen digits of the operand's limbs; found '!rns.digits<[0]>'}}
  %0 = rns.mod_up %d : !rns.digits<[0]> -> !rns.digits<[0]>
  return
}

// -----

func.func @key_c1() {
  // expected-error @+1 {{of kind galois needs its element}}
  %0 = rns.key {kind = galois} : !rns.key
  return
}

// -----

func.func @key_c1_relinearize() {
  // expected-error @+1 {{of kind relinearize has no element}}
  %0 = rns.key {kind = relinearize, element = 5} : !rns.key
  return
}

// -----

func.func @key_c4() {
  // expected-error @below {{'rns.key' op of kind relinearize cannot be permuted}}
  %0 = rns.key {kind = relinearize} permuted : !rns.key
  return
}

// -----

func.func @key_c2() {
  // expected-error @+1 {{element must be odd and at least 3; found 1}}
  %0 = rns.key {kind = galois, element = 1} : !rns.key
  return
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>} {
func.func @key_c3() {
  // expected-error @+1 {{element must be below 2N = 16; found 25}}
  %0 = rns.key {kind = galois, element = 25} : !rns.key
  return
}
}

// -----

func.func @inner_product_c1(%d: !rns.digits<[0]>, %k: !rns.key) {
  // expected-error @+1 {{needs one operand of digits, or polynomials only}}
  %0:2 = rns.inner_product %d, %d with %k : !rns.digits<[0]>, !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @inner_product_c2(%d: !rns.digits<[0]>, %k: !rns.key) {
  // expected-error @+1 {{a result must be in form eval; insert rns.ntt; found '!rns.poly<[0, 1], coeff>'}}
  %0:2 = rns.inner_product %d with %k : !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], coeff>
  return
}

// -----

func.func @inner_product_c3(%d: !rns.digits<[0], groups = [[0]], over = [0, 1]>, %k: !rns.key) {
  // expected-error @+1 {{digits are polynomials of type '!rns.poly<[0, 1], eval>'; the results must have it; found '!rns.poly<[1, 0], eval>'}}
  %0:2 = rns.inner_product %d with %k : !rns.digits<[0], groups = [[0]], over = [0, 1]> with !rns.key -> !rns.poly<[1, 0], eval>
  return
}

// -----

func.func @inner_product_c3_polynomial(%p: !rns.poly<[0], eval>, %k: !rns.key) {
  // expected-error @+1 {{digits must have the results' type '!rns.poly<[0, 1], eval>'; found '!rns.poly<[0], eval>'}}
  %0:2 = rns.inner_product %p with %k : !rns.poly<[0], eval> with !rns.key -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @inner_product_c4(%p: !rns.poly<[0, 1], eval>, %k: !rns.key) {
  // expected-error @+1 {{chosen digits need a chosen key; found '!rns.key'}}
  %0:2 = rns.inner_product %p with %k : !rns.poly<[0, 1], eval> with !rns.key -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @inner_product_c5(%p: !rns.poly<[0, 1], eval>, %k: !rns.key<limbs = [2, 0], digits = [[0]]>) {
  // expected-error @+1 {{the key has no row for limb 1; key: '!rns.key<limbs = [2, 0], digits = }}
  %0:2 = rns.inner_product %p with %k : !rns.poly<[0, 1], eval> with !rns.key<limbs = [2, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
  return
}

// -----

// The key has limbs 0 and 1 in one digit; the decomposition makes two of them.
func.func @inner_product_c6(%d: !rns.digits<[0, 1], groups = [[0], [1]], over = [0, 1, 2]>, %k: !rns.key<limbs = [2, 0, 1], digits = [[0, 1]]>) {
  // expected-error @+1 {{group 0 is not what a digit of the key has of the decomposed limbs; key: '!rns.key<limbs = [2, 0, 1], digits = }}
  %0:2 = rns.inner_product %d with %k : !rns.digits<[0, 1], groups = [[0], [1]], over = [0, 1, 2]> with !rns.key<limbs = [2, 0, 1], digits = [[0, 1]]> -> !rns.poly<[0, 1, 2], eval>
  return
}

// -----

func.func @inner_product_c7(%d: !rns.digits<[0]>, %k: !rns.key) {
  // expected-error @+1 {{'key_digits' belongs to digits that are polynomials}}
  %0:2 = rns.inner_product %d with %k {key_digits = [0]} : !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @inner_product_c7_count(%p: !rns.poly<[0, 1], eval>, %k: !rns.key<limbs = [1, 0], digits = [[0]]>) {
  // expected-error @+1 {{'key_digits' has 2 entries for 1 digits}}
  %0:2 = rns.inner_product %p with %k {key_digits = [0, 1]} : !rns.poly<[0, 1], eval> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @inner_product_c7_order(%p: !rns.poly<[0, 1, 2], eval>, %k: !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>) {
  // expected-error @+1 {{digit 0 of the key is out of order or does not exist; the key has 2 digits}}
  %0:2 = rns.inner_product %p, %p with %k {key_digits = [1, 0]} : !rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1, 2], eval> with !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]> -> !rns.poly<[0, 1, 2], eval>
  return
}

// -----

func.func @inner_product_c7_outside(%p: !rns.poly<[0, 1], eval>, %k: !rns.key<limbs = [1, 0], digits = [[0]]>) {
  // expected-error @+1 {{digit 1 of the key is out of order or does not exist; the key has 1 digits}}
  %0:2 = rns.inner_product %p, %p with %k : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{values must be a vector of finite numbers, a power of two of them and at least 1; found 'tensor<3xf64>'}}
  %0 = rns.constant {kind = slots, values = dense<1.0> : tensor<3xf64>, scale = "2^45", high = 35184372088832.0, low = 0.0} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c1_finite() {
  // expected-error @+1 {{values must be a vector of finite numbers, a power of two of them and at least 1; found 'tensor<1xf64>'}}
  %0 = rns.constant {kind = slots, values = dense<0x7FF0000000000000> : tensor<1xf64>, scale = "2^45", high = 35184372088832.0, low = 0.0} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c1_pairs() {
  // expected-error @+1 {{values must be a vector of finite numbers, a power of two of them and at least 2; found 'tensor<1xf64>'}}
  %0 = rns.constant {kind = complex_slots, values = dense<1.0> : tensor<1xf64>, scale = "2^45", high = 35184372088832.0, low = 0.0} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @+1 {{the scale must be positive, with its low part below half a unit of its high part; found -1.0 and 0.0}}
  %0 = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^45", high = -1.0, low = 0.0} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c2_low() {
  // expected-error @+1 {{the scale must be positive, with its low part below half a unit of its high part; found 1.0 and 0.5}}
  %0 = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^45", high = 1.0, low = 0.5} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c3() {
  // expected-error @+1 {{result must be in form eval; insert rns.ntt; found '!rns.poly<[0], coeff>'}}
  %0 = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^45", high = 1.0, low = 0.0} : !rns.poly<[0], coeff>
  return
}

// -----

func.func @constant_c4() {
  // expected-error @+1 {{slots must be a power of two, at least the 2 values; found 3}}
  %0 = rns.constant {kind = complex_slots, values = dense<1.0> : tensor<4xf64>, scale = "2^45", high = 1.0, low = 0.0, slots = 3} : !rns.poly<[0], eval>
  return
}

// -----

func.func @constant_c4_few() {
  // expected-error @+1 {{slots must be a power of two, at least the 4 values; found 2}}
  %0 = rns.constant {kind = slots, values = dense<1.0> : tensor<4xf64>, scale = "2^45", high = 1.0, low = 0.0, slots = 2} : !rns.poly<[0], eval>
  return
}

// -----

func.func @zero_c1() {
  // expected-error @below {{result must be in form eval}}
  %0 = rns.zero : !rns.poly<[0], coeff>
  return
}

// -----

func.func @rescale_c3(%a: !rns.poly<[0, 1], half_ntt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0, 1], half_ntt>'}}
  %0 = rns.rescale %a : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @mod_down_c3(%a: !rns.poly<[0, 1], half_ntt>) {
  // expected-error @+1 {{takes form coeff or eval; found '!rns.poly<[0, 1], half_ntt>'}}
  %0 = rns.mod_down %a {by = [1]} : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @mul_of_half(%a: !rns.poly<[0], half_ntt>) {
  // expected-error @+1 {{a factor must be in form eval; insert rns.ntt_rows; found '!rns.poly<[0], half_ntt>'}}
  %0 = rns.mul %a, %a : !rns.poly<[0], half_ntt>
  return
}

// -----

func.func @limb_kernel_c7(%a: !rns.poly<[0], eval>) {
  %0 = rns.limb_kernel %a : (!rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
  ^bb0(%x: !rns.poly<[0], eval>):
    // expected-error @below {{'rns.intt_rows' op leaves form half_intt, which its rns.limb_kernel must yield}}
    %h = rns.intt_rows %x : !rns.poly<[0], eval> -> !rns.poly<[0], half_intt>
    %n = rns.negate %x : !rns.poly<[0], eval>
    rns.yield %n : !rns.poly<[0], eval>
  }
  return
}

// -----

func.func @limb_kernel_c1(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 2], eval>) {
  // expected-error @below {{has operands and results over different limbs: '!rns.poly<[0, 1], eval>' and '!rns.poly<[0, 2], eval>'}}
  %0 = rns.limb_kernel %a, %b : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 2], eval>) -> !rns.poly<[0, 1], eval> {
  ^bb0(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 2], eval>):
    %n = rns.negate %x : !rns.poly<[0, 1], eval>
    rns.yield %n : !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @limb_kernel_no_result(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{'rns.limb_kernel' op has no result}}
  rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> () {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    rns.yield
  }
  return
}

// -----

func.func @limb_kernel_c2(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{body's arguments must have the operands' types}}
  %0 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], coeff> {
  ^bb0(%x: !rns.poly<[0, 1], coeff>):
    %n = rns.negate %x : !rns.poly<[0, 1], coeff>
    rns.yield %n : !rns.poly<[0, 1], coeff>
  }
  return
}

// -----

func.func @limb_kernel_c3(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{must yield values of its results' types}}
  %0 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], coeff> {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    %n = rns.negate %x : !rns.poly<[0, 1], eval>
    rns.yield %n : !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @limb_kernel_c4(%a: !rns.poly<[0, 1], eval>) {
  %0 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    // expected-error @below {{'rns.drop' op is not limb-wise, so it cannot be in an rns.limb_kernel}}
    %d = rns.drop %x : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
    %n = rns.negate %x : !rns.poly<[0, 1], eval>
    rns.yield %n : !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @limb_kernel_c5(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 2], eval>) {
  %0 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    // expected-error @below {{'rns.negate' op is over other limbs than its rns.limb_kernel: '!rns.poly<[0, 2], eval>'}}
    %m = rns.negate %b : !rns.poly<[0, 2], eval>
    %n = rns.negate %x : !rns.poly<[0, 1], eval>
    rns.yield %n : !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @limb_kernel_c6(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{must yield values that its body computes, each once}}
  %0 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    rns.yield %x : !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @limb_kernel_c6_twice(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{must yield values that its body computes, each once}}
  %0:2 = rns.limb_kernel %a : (!rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
  ^bb0(%x: !rns.poly<[0, 1], eval>):
    %n = rns.negate %x : !rns.poly<[0, 1], eval>
    rns.yield %n, %n : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
  }
  return
}

// -----

func.func @constant_c5() {
  // expected-error @+1 {{a generator gives complex numbers: the kind must be complex_slots}}
  %0 = rns.constant {generator = unit, kind = slots, values = dense<1.0> : tensor<4xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
  return
}
