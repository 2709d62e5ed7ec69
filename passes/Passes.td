//===- Passes.td - all passes, in pipeline order under banners ------------------------------------===//
//
// One entry a pass: what it does, when to run it, its source, options and statistics. The implementation of `verb-noun` is
// passes/VerbNoun.cpp, its test test/passes/verb-noun.mlir. The order of the pipeline, with the reason of each step,
// is in Pipelines.cpp.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_TD
#define SLUICE_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------------------------------===//
// traced: what the user wrote
//===----------------------------------------------------------------------------------------------===//

def InferRanges : Pass<"infer-ranges", "mlir::ModuleOp"> {
  let summary = "bounds the values that nonlinear functions take";
  let description = [{
    Interval arithmetic, element by element, from the `ckks.range` of the arguments. Each value that a nonlinear function takes
    gets its interval as `ckks.range` on the operation that makes it, and `sluice.range_source`: "proved", or "measured" where
    the user's own `ckks.range` stood there. A measured range is believed: it also narrows what follows from it. With
    a batch, ranges include what an item of zeros makes, since such items fill the places that a batch leaves free.

    When: first, on the traced stage; every later choice of a polynomial rests on it. Reports operations that are not in the
    input language. Example: `test/passes/infer-ranges.mlir`.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0", "items in one ciphertext; 0 leaves it to the function's ckks.batch">
  ];
  let statistics = [Statistic<"inferred", "inferred", "ranges attached">];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

def ApproximateNonlinear : Pass<"approximate-nonlinear", "mlir::ModuleOp"> {
  let summary = "replaces smooth functions by polynomials";
  let description = [{
    exp, tanh and the form 1 / (1 + exp(x)) become `ckks.polynomial` in the Chebyshev basis, of the least degree whose
    measured error is at most 2^-precision. The range is first widened to a power-of-two half-width, so that the change
    of variable costs no level (DESIGN.md, section 4).

    When: after `infer-ranges`. What it leaves is the twin: the function that the circuit computes exactly but for noise.
    Source: Trefethen, Approximation Theory and Approximation Practice, chapters 4 and 8.
    Example: `test/passes/approximate-nonlinear.mlir`.
  }];
  let options = [
    Option<"precision", "precision", "double", "16", "bits: -log2 of the largest error of a polynomial">,
    Option<"maxDegree", "max-degree", "unsigned", "255", "largest degree tried">
  ];
  let statistics = [
    Statistic<"approximated", "approximated", "functions replaced">,
    Statistic<"largestDegree", "largest-degree", "largest degree used">
  ];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

//===----------------------------------------------------------------------------------------------===//
// traced -> packed -> planned: layouts, then parameters
//===----------------------------------------------------------------------------------------------===//

//===----------------------------------------------------------------------------------------------===//
// planned -> settled: levels and exact scales on every value
//===----------------------------------------------------------------------------------------------===//

//===----------------------------------------------------------------------------------------------===//
// settled -> rns: residue polynomials, key switching
//===----------------------------------------------------------------------------------------------===//

//===----------------------------------------------------------------------------------------------===//
// rns -> fused -> llvm: memory, calls into the runtime
//===----------------------------------------------------------------------------------------------===//

#endif // SLUICE_PASSES_TD
