//===- CKKSDialect.td - the ckks dialect ---------------------------------------*- tablegen -*-===//
//
// The dialect itself. Types, attributes and operations have files of their own.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_DIALECT_TD
#define SLUICE_DIALECTS_CKKS_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def CKKS_Dialect : Dialect {
  let name = "ckks";
  let cppNamespace = "::sluice::ckks";
  let summary = "Approximate arithmetic on encrypted vectors, with exact levels and scales";
  let description = [{
    Values are ciphertexts: vectors of *slots* that one polynomial ring holds. A program passes
    through two stages with the same operations. *Floating*: the type is `!ckks.ct`, no level, no
    scale; what packing produces. *Settled*: every value carries its level and its exact scale, as
    in `!ckks.ct<level = 9, scale = 2^45>`, and the verifier refuses what the mathematics refuses,
    such as a sum of ciphertexts whose scales differ. One operation never mixes the stages.

    The chain (ring, limbs, levels, digits) stands once, in the module attribute `ckks.params`. Why
    the dialect is as it is: `docs/rationale/ckks.md`.

    Attributes of other operations that belong to this dialect:

    | attribute | on | meaning |
    |---|---|---|
    | `ckks.params` | module | `#ckks.params`: the chain |
    | `ckks.slots` | module | `i64`: the slots that the packing needs at least, a power of two |
    | `ckks.scale_log2` | module | `i64`: log2 of the scale that a chain of one level is made for |
    | `ckks.bootstrap_plan` | module | dictionary: what each `ckks.refresh` becomes, the attributes of a `ckks.bootstrap` and `input_level`, `input_log_scale`, `result_level`, `result_log_scale` |
    | `ckks.batch` | function | `i64`: the batch capacity that is wanted |
    | `ckks.secret` | argument | unit: the argument is encrypted |
    | `ckks.name` | argument, result | string: the name that the user knows |
    | `ckks.layout` | argument, result | `#ckks.layout`: how the tensor lies in the slots |
    | `ckks.complex` | argument, result | unit: the elements are complex; on settled ciphertexts |
    | `ckks.range` | argument, result, any operation | `[low, high]`, two `f64`: bounds of the values, of both parts of complex ones |
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
  private:
    void registerTypes();
    void registerAttributes();
  }];
}

// A scale as a parameter of types and attributes.
def CKKS_ScaleParameter : AttrOrTypeParameter<"::sluice::ckks::Scale", "an exact scale",
                                              "const ::sluice::ckks::Scale &">;

#endif // SLUICE_DIALECTS_CKKS_DIALECT_TD
