// Every message of the ciphertext type.
// RUN: sluice-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{a settled ciphertext needs a level and a scale, as in !ckks.ct<level = 9, scale = 2^45>}}
func.func private @c1_level(!ckks.ct<level = 2>)

// -----

// expected-error @+1 {{a settled ciphertext needs a level and a scale, as in !ckks.ct<level = 9, scale = 2^45>}}
func.func private @c1_scale(!ckks.ct<scale = 2^45>)

// -----

// expected-error @+1 {{'level' must be a natural number; found '-1'}}
func.func private @c2(!ckks.ct<level = -1, scale = 2^45>)

// -----

// expected-error @+1 {{size must be 2, or 3 after a product; found 4}}
func.func private @c3(!ckks.ct<level = 1, scale = 2^45, size = 4>)

// -----

// expected-error @+1 {{'level' must be a natural number; found 'two'}}
func.func private @level_word(!ckks.ct<level = two, scale = 2^45>)

// -----

// expected-error @+1 {{'size' must be a natural number; found ''}}
func.func private @size_missing(!ckks.ct<level = 1, scale = 2^45, size>)

// -----

// expected-error @+1 {{unknown parameter 'limbs' of !ckks.ct; it has level, scale, size, secret and slots}}
func.func private @unknown(!ckks.ct<level = 1, scale = 2^45, limbs = 8>)

// -----

// expected-error @+1 {{unknown secret 'sparse'; known: main and ephemeral}}
func.func private @secret(!ckks.ct<level = 1, scale = 2^45, secret = sparse>)

// -----

// expected-error @+1 {{slots must be a power of two; found 12}}
func.func private @c4(!ckks.ct<level = 1, scale = 2^45, slots = 12>)

// -----

// expected-error @+1 {{parameter 'level' of !ckks.ct is given twice}}
func.func private @twice(!ckks.ct<level = 1, level = 2, scale = 2^45>)

// -----

// expected-error @+1 {{malformed scale '2^45 * p3': expected '2' or 'q<limb index>'}}
func.func private @scale_symbol(!ckks.ct<level = 1, scale = 2^45 * p3>)

// -----

// expected-error @+1 {{malformed scale '2^(1/3)': denominator of an exponent must be a power of two}}
func.func private @scale_denominator(!ckks.ct<level = 1, scale = 2^(1/3)>)

// -----

// expected-error @+1 {{unknown parameter '' of !ckks.ct; it has level, scale, size, secret and slots}}
func.func private @empty(!ckks.ct<>)
