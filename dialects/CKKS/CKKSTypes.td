//===- CKKSTypes.td - types of the ckks dialect --------------------------------*- tablegen -*-===//
//
// The ciphertext.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_TYPES_TD
#define SLUICE_DIALECTS_CKKS_TYPES_TD

include "dialects/CKKS/CKKSDialect.td"
include "mlir/IR/AttrTypeBase.td"

def CKKS_Ct : TypeDef<CKKS_Dialect, "Ct"> {
  let mnemonic = "ct";
  let summary = "a ciphertext: an encrypted vector of slots";
  let description = [{
    Floating, `!ckks.ct`, or settled, with these parameters (`key = value`, defaults are not
    printed):

    - `level`: index into the levels of `ckks.params`; 0 is the bottom.
    - `scale`: the exact scale, a monomial in 2 and the limbs `q<i>` of the limb table with dyadic
      exponents. value = raw / scale.
    - `size = 2`: number of polynomials. 3 after a product, until `ckks.relinearize`.
    - `secret = main`: the secret that it is encrypted under; `ephemeral` between the two
      `ckks.switch_key` around `ckks.mod_raise`.
    - `slots`: the content repeats every so many slots; those of `ckks.params` unless given.

    Constraints: (C1) `level` and `scale` come together; (C2) `level` >= 0; (C3) `size` is 2 or 3;
    (C4) `slots` is a power of two.

    Examples: `!ckks.ct`, `!ckks.ct<level = 9, scale = 2^45>`,
    `!ckks.ct<level = 3, scale = 2^(45/2) * q3^-1, size = 3>`,
    `!ckks.ct<level = 0, scale = 2^45, secret = ephemeral>` (`test/dialects/ckks/types.mlir`).
  }];
  let parameters = (ins "int64_t":$level, CKKS_ScaleParameter:$scale, "unsigned":$size,
                    "::sluice::ckks::Secret":$secret, "int64_t":$ownSlots);
  let builders = [
    TypeBuilder<(ins), [{ return $_get($_ctxt, floatingLevel, Scale(), 2u, Secret::Main, 0); }]>,
    TypeBuilder<(ins "int64_t":$level, "const ::sluice::ckks::Scale &":$scale),
                [{ return $_get($_ctxt, level, scale, 2u, Secret::Main, 0); }]>,
  ];
  let extraClassDeclaration = [{
    /// What getLevel() returns in the floating stage.
    static constexpr int64_t floatingLevel = -1;

    bool isSettled() const { return getLevel() != floatingLevel; }
    bool isFloating() const { return !isSettled(); }

    /// The same settled type but for one parameter.
    CtType withLevel(int64_t level) const;
    CtType withScale(const Scale &scale) const;
    CtType withSize(unsigned size) const;
    CtType withSecret(Secret secret) const;
    /// Without them where they are those of `params`.
    CtType withSlots(int64_t slots, ParamsAttr params) const;

    bool isEphemeral() const { return getSecret() == Secret::Ephemeral; }
    /// How many slots the content takes before it repeats.
    int64_t getSlots(ParamsAttr params) const;
  }];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

#endif // SLUICE_DIALECTS_CKKS_TYPES_TD
