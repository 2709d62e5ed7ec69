// RUN: sluice-opt --plan-memory --split-input-file --verify-diagnostics %s

module {
  // expected-error @below {{the module has no 'rns.ring', which says how large a slot is}}
  func.func @no_ring() {
    return
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
  // expected-error @below {{has branches; memory is planned for straight-line code}}
  func.func @branches() {
    llvm.br ^end
  ^end:
    return
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
  func.func @not_expanded(%x: !rns.poly<[0, 1], eval>) -> !rns.poly<[0], eval> {
    // expected-error @below {{is no kernel yet; run expand-base-changes first}}
    %y = rns.rescale %x : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
    return %y : !rns.poly<[0], eval>
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
  func.func @foreign() {
    // expected-error @below {{is not an operation of the rns dialect}}
    %c = arith.constant 1.0 : f64
    return
  }
}
