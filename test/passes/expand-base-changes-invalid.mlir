// RUN: sluice-opt --expand-base-changes --split-input-file --verify-diagnostics %s

// expected-error @below {{the module has no 'rns.ring', whose primes the factors are computed from}}
module {
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
  func.func @abstract(%x: !rns.poly<[0], eval>) -> !rns.poly<[0, 1], eval> {
    // expected-error @below {{is left: its digits are not chosen; run select-key-switching first}}
    %d = rns.decompose %x : !rns.poly<[0], eval> -> !rns.digits<[0]>
    %k = rns.key {kind = relinearize} : !rns.key
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], eval>
    return %b : !rns.poly<[0, 1], eval>
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
  func.func @foreign_digits(%d: !rns.digits<[0]>) -> !rns.poly<[0, 1], eval> {
    // expected-error @below {{needs digits that rns.decompose makes}}
    %u = rns.mod_up %d : !rns.digits<[0]> -> !rns.digits<[0], groups = [[0]], over = [0, 1]>
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [1, 0], digits = [[0]]>
    %b, %a = rns.inner_product %u with %k : !rns.digits<[0], groups = [[0]], over = [0, 1]> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
    return %b : !rns.poly<[0, 1], eval>
  }
}
