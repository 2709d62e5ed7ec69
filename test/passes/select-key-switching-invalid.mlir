// RUN: sluice-opt --select-key-switching --split-input-file --verify-diagnostics %s

// expected-error @below {{the module has no 'ckks.params', which holds the digits}}
module {
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97, 193], special = [2], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @no_digit(%x: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1, 2], eval> {
    %k = rns.key {kind = relinearize} : !rns.key
    %d = rns.decompose %x : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
    // expected-error @below {{switches limb 1, which is in no digit of 'ckks.params'}}
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
    return %b : !rns.poly<[0, 1, 2], eval>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97, 193], special = [2], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @other_special_limb(%x: !rns.poly<[0], eval>) -> !rns.poly<[0, 1], eval> {
    %k = rns.key {kind = relinearize} : !rns.key
    %d = rns.decompose %x : !rns.poly<[0], eval> -> !rns.digits<[0]>
    // expected-error @below {{must be over the switched limbs and then the special ones of 'ckks.params'; found '!rns.poly<[0, 1], eval>'}}
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], eval>
    return %b : !rns.poly<[0, 1], eval>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @foreign_key(%x: !rns.poly<[0], eval>, %k: !rns.key) -> !rns.poly<[0, 1], eval> {
    %d = rns.decompose %x : !rns.poly<[0], eval> -> !rns.digits<[0]>
    // expected-error @below {{needs a key that rns.key makes}}
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0]> with !rns.key -> !rns.poly<[0, 1], eval>
    return %b : !rns.poly<[0, 1], eval>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @chosen(%x: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [1, 0], digits = [[0]]>
    // expected-error @below {{needs the abstract digits of an rns.decompose; its method is chosen already}}
    %b, %a = rns.inner_product %x with %k : !rns.poly<[0, 1], eval> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
    return %b : !rns.poly<[0, 1], eval>
  }
}
