// A chain that is not nested: from level 1, limbs 1 2 3, to level 0, limbs 4 3, a rescale drops two limbs and adds one.
// test/tools/test_sluice_compile.py compares every residue with test/reference.

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1073741441, 1073741329, 35184372088673, 1099511627297, 1125899906842177],
                       special = [0, 5], levels = [[4, 3], [1, 2, 3]], digits = [[1, 2], [3], [4]], slots = 4, security = 0>
!top = !ckks.ct<level = 1, scale = 2^50>
!product = !ckks.ct<level = 1, scale = 2^100>
!bottom = !ckks.ct<level = 0, scale = 2^100 * q1^-1 * q2^-1 * q4>

module attributes {ckks.params = #params} {
  func.func @rational(%x: !top {ckks.name = "x", ckks.range = [-1.0, 1.0]}, %y: !top {ckks.name = "y", ckks.range = [-1.0, 1.0]})
      -> (!bottom {ckks.name = "z"}) {
    %p = ckks.mul %x, %y : !top, !top -> !ckks.ct<level = 1, scale = 2^100, size = 3>
    %q = ckks.relinearize %p : !ckks.ct<level = 1, scale = 2^100, size = 3> -> !product
    %r = ckks.rescale %q : !product -> !bottom
    %s = ckks.rotate %r {by = 1} : !bottom
    return %s : !bottom
  }
}
