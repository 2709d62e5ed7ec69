//===- RNSDialect.td - the rns dialect -----------------------------------------*- tablegen -*-===//
//
// The dialect itself. Types, attributes and operations have files of their own.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_DIALECT_TD
#define SLUICE_DIALECTS_RNS_DIALECT_TD

include "mlir/IR/DialectBase.td"

def RNS_Dialect : Dialect {
  let name = "rns";
  let cppNamespace = "::sluice::rns";
  let summary = "Residue polynomials: what a homomorphic program computes, kernel by kernel";
  let description = [{
    Values are polynomials of Z[X]/(X^N + 1), by their residues modulo a list of primes, the
    *limbs*, in coefficient form or in evaluation form. Scales, levels and ciphertexts are unknown
    here; key switching is visible as decompose, mod_up, inner_product and mod_down, so that
    hoisting and lazy division are rewrites.

    Ring and limb table stand in the module attribute `rns.ring`. Residues are canonical, in [0, q).
    The operations that remain after `expand-base-changes` have the semantics of
    `runtime/abi/functions.def`, function by function. Why the dialect is as it is:
    `docs/rationale/rns.md`.

    | attribute | on | meaning |
    |---|---|---|
    | `rns.ring` | module | `#rns.ring`: ring degree and limb table |
    | `rns.slots` | operation | `array<i32>`: arena slots of the results' limbs, in order |
    | `rns.slots` | function argument | the same for an argument |
    | `rns.arena_slots` | function | `i64`: slots of the arena, the peak of memory in limbs |
    | `rns.scratch` | operation in a `limb_kernel` | `array<i32>`: each result's scratch slot, or -1 - r for result r of the kernel |
    | `rns.scratch_slots` | function | `i64`: scratch slots of each thread |
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
  private:
    void registerTypes();
  }];
}

#endif // SLUICE_DIALECTS_RNS_DIALECT_TD
