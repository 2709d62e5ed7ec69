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

def UnrollLoops : Pass<"unroll-loops", "mlir::ModuleOp"> {
  let summary = "turns loops into straight-line code";
  let description = [{
    `scf.for` with constant bounds and step becomes copies of its body, inner loops first; indices that depend on the loops become
    constants. A circuit has no branches: how often a loop runs must be known. Carried values need not keep level or scale from one
    copy to the next, and rules that see sums (one relinearisation, one division) see those that a loop accumulates.

    When: first, on the traced stage. Example: `test/passes/unroll-loops.mlir`.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", "100000", "operations that all loops together may become">
  ];
  let statistics = [Statistic<"unrolled", "unrolled", "loops unrolled">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InferRanges : Pass<"infer-ranges", "mlir::ModuleOp"> {
  let summary = "bounds the values that nonlinear functions take";
  let description = [{
    Interval arithmetic, element by element, from the `ckks.range` of the arguments; functions that are written as several
    operations (`passes/NonlinearForms.h`) have their own image. Each value that a nonlinear function, a comparison or a choice takes
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
  let summary = "replaces nonlinear functions by polynomials";
  let description = [{
    Smooth functions: exp, tanh, erf, sqrt, rsqrt, quotients by a secret, and the forms of sigmoid, silu and gelu
    (`passes/NonlinearForms.h`). Each becomes one `ckks.polynomial` in the Chebyshev basis whose measured error is at most
    2^-precision: the series of least degree, or a best approximation (Remez) where that takes less depth or fewer ciphertext
    products. The range is first widened to a power-of-two half-width, so that the change of variable costs no level.

    Functions with a kink or a jump: maximum, minimum, absolute value, comparisons and choices, by composed odd minimax
    polynomials of the sign (`passes/algorithms/CompositeSign.h`), of least depth, then fewest products. The error of maxima,
    minima and absolute values is at most 2^-precision everywhere. A comparison of a and b is decided where |a - b| is at least
    `comparison-gap` times its largest value; closer values give something between 0 and 1.

    When: after `infer-ranges`. What it leaves is the twin: the function that the circuit computes exactly but for noise.
    Sources: Trefethen, Approximation Theory and Approximation Practice, chapters 4, 8 and 10; Lee, Lee, No, Kim, Minimax
    approximation of sign function by composite polynomial for homomorphic comparison (2021).
    Example: `test/passes/approximate-nonlinear.mlir`.
  }];
  let options = [
    Option<"precision", "precision", "double", "16", "bits: -log2 of the largest error of a function">,
    Option<"maxDegree", "max-degree", "unsigned", "255", "largest degree of a smooth function">,
    Option<"comparisonGap", "comparison-gap", "double", "0", "part of the largest |a - b| below which comparisons are not decided; 0 takes 2^(-precision / 2)">,
    Option<"maxDepth", "max-depth", "unsigned", "30", "most levels of a composed sign">
  ];
  let statistics = [
    Statistic<"approximated", "approximated", "functions replaced">,
    Statistic<"largestDegree", "largest-degree", "largest degree of a smooth function">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::sluice::ckks::CKKSDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------------------------------===//
// traced -> packed -> planned: layouts, then parameters
//===----------------------------------------------------------------------------------------------===//

def PackTensors : Pass<"pack-tensors", "mlir::ModuleOp"> {
  let summary = "lays tensors out in the slots of ciphertexts";
  let description = [{
    Every tensor is flattened row-major with dimensions padded to powers of two; element e of batch item b stands at slot
    e * (slots / lanes) + b (docs/formats.md), all tensors of a program with the lanes of the largest. Element-wise
    operations need no movement. A product with a clear matrix, a transpose, a slice or a partial sum is one
    `ckks.linear_transform`, unless it has one output: then a plain product and log2(lanes) rotations leave the sum in every
    lane. What stands in unused lanes is accounted for: sums clear it, polynomials confine it to their interval.

    When: on the traced stage, after `approximate-nonlinear`. The result has no levels and no scales; the module
    says in `ckks.slots` how many slots it needs. Source: docs/mathematics.md section 4.
    Example: `test/passes/pack-tensors.mlir`.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0", "items in one ciphertext; 0 leaves it to the function's ckks.batch">
  ];
  let statistics = [Statistic<"slotsUsed", "slots", "slots that the packing needs">];
  let dependentDialects = ["::sluice::ckks::CKKSDialect", "::mlir::func::FuncDialect"];
}

def SelectParameters : Pass<"select-parameters", "mlir::ModuleOp"> {
  let summary = "chooses ring, limbs, levels, digits and bootstraps of a program";
  let description = [{
    Candidates are the smallest ring that holds `ckks.slots` and has a chain, and the next one; chains of one limb a level, or of
    full words and a few small limbs that levels share, which may have up to 60 bits a level; and every number of limbs of P with
    the fewest key-switch digits within the row of the security table. Each has one level per multiplication on the longest path, a
    level 0 that holds the largest output, and the least scale for which the noise model puts the worst slot below 2^-precision. The
    one whose operations take the least time by kernel work is taken, among equals the one with the smaller keys. A `ckks.params`
    that is there already is checked instead. Where the chain has one level, `ckks.scale_log2` says the scale, which otherwise the
    levels above 0 show.

    A program with `ckks.refresh` gets the bootstrap of the best plan (algorithms/BootstrapSearch.h) that has so many bits, with as
    many levels as the program needs behind it, as `ckks.params` and `ckks.bootstrap_plan`.

    The driver runs the best candidates through the next phases first, and keeps the best by their forecasts (`plan-circuit`,
    driver/PlanCircuit.h).

    When: after `pack-tensors`, before `settle-scales`. Source: docs/mathematics.md sections 2, 3, 9, 16.1 and 16.4.
    Example: `test/passes/select-parameters.mlir`, `test/passes/select-parameters-bootstrap.mlir`.
  }];
  let options = [
    Option<"precision", "precision", "double", "16", "bits: -log2 of the error of the worst output slot">,
    Option<"logN", "log-n", "unsigned", "0", "log2 of the ring degree; 0 leaves it open">,
    Option<"extraScale", "extra-scale", "unsigned", "0", "bits added to the scale that the precision asks for">,
    Option<"maxLogN", "max-log-n", "unsigned", "17", "largest log2 of the ring degree that may be chosen">,
    Option<"insecure", "insecure", "bool", "false", "do not ask for 128 bits of security (tests)">
  ];
  let statistics = [
    Statistic<"chosenLogN", "log-n", "log2 of the ring degree">,
    Statistic<"chosenLevels", "levels", "levels of the chain">,
    Statistic<"logQP", "log-qp", "bits of the largest modulus, P times Q">
  ];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

//===----------------------------------------------------------------------------------------------===//
// planned -> settled: levels and exact scales on every value
//===----------------------------------------------------------------------------------------------===//

def SettleScales : Pass<"settle-scales", "mlir::ModuleOp"> {
  let summary = "gives every value a level and an exact scale";
  let description = [{
    Level: the height above the outputs, which stand at level 0. An argument enters at the highest level that a use needs; other
    uses get `ckks.drop_level` (or, where level sets are not nested, a power of two and a rational rescale). Products are rescaled
    once; a rescale sinks below sums of products, and so does relinearisation.

    Scale: every sum is an equation between monomials; scales of arguments, plaintexts and polynomials are its unknowns. Exact
    elimination in dyadic exponents solves them; what stays free becomes a power of two near the size of the levels (products
    with plaintexts return to it exactly). Where equations contradict each other, an operand is multiplied by `ckks.adjust_scale`, *free* when it
    joins a sum before its rescale, else *paid* with a rescale and a level, if possible one that it has to spare. The set of
    adjusted operands is searched, cheapest first: height, then paid, then free ones. Each is a remark with its relative value error s/2S.

    A `ckks.refresh` becomes the `ckks.bootstrap` of `ckks.bootstrap_plan`; its operand goes down to where that begins by an
    `ckks.adjust_scale` and a rescale.

    Polynomials lose leading zeros; one whose interval has no power of two as half-width gets a product that brings it to [-1, 1].

    When: on the planned stage, with `ckks.params` on the module. Sources: docs/rationale/ckks.md;
    docs/mathematics.md sections 0, 16.2, 16.3. Example: `test/passes/settle-scales.mlir`.
  }];
  let options = [
    Option<"minRatio", "min-ratio", "double", "30", "bits: log2 of the least integer that adjust_scale may multiply by">,
    Option<"minScale", "min-scale", "double", "20", "bits: log2 of the least scale of a ciphertext or plaintext">,
    Option<"exactTrials", "exact-trials", "unsigned", "500", "sets of adjusted operands tried before the search goes on greedily">
  ];
  let statistics = [
    Statistic<"freeAdjustments", "free-adjustments", "adjusted operands whose sum is rescaled anyway">,
    Statistic<"paidAdjustments", "paid-adjustments", "adjusted operands that cost a level">,
    Statistic<"rescales", "rescales", "rescales inserted">,
    Statistic<"relinearizations", "relinearizations", "relinearisations inserted">,
    Statistic<"drops", "drops", "changes to a lower level without a product">,
    Statistic<"height", "height", "highest level used">
  ];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

def ExpandBootstraps : Pass<"expand-bootstraps", "mlir::ModuleOp"> {
  let summary = "writes bootstraps as transforms and polynomials";
  let description = [{
    Each `ckks.bootstrap` becomes ModRaise to the top level, CoeffsToSlots, EvalMod on both halves of the coefficients,
    and SlotsToCoeffs, which may stand first: operations that every later pass treats as the user's own. Of a vector of
    fewer slots than N/2 both halves are one vector in EvalMod, of a real one only the low half is needed; several rounds
    each bootstrap what the earlier ones have left. Scales are exact: a transform is
    encoded at what its rescale divides by, and the scale of EvalMod's series is the root, taken back through the double
    angles, of a power of two near the limbs of its last level. The factors between coefficients, Q and EvalMod's
    interval are in the matrices.

    When: after `settle-scales`, before `evaluate-polynomials`. Source: Bossuat, Mouchet, Troncoso-Pastoriza, Hubaux
    (EUROCRYPT 2021), section 5, as corrected in docs/mathematics.md sections 7 to 9; rounds: Bae, Cheon, Cho, Kim, Kim
    (CCS 2022). Examples: `test/passes/expand-bootstraps.mlir`, `test/passes/expand-bootstraps-forms.mlir`.
  }];
  let statistics = [Statistic<"expanded", "expanded", "bootstraps written out">];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

def EvaluatePolynomials : Pass<"evaluate-polynomials", "mlir::ModuleOp"> {
  let summary = "expands polynomials into products and sums";
  let description = [{
    Baby steps and giant steps in depth exactly ceil(log2(d + 1)), in the basis of the polynomial. The variable t = (x - centre) / 2^k
    costs no level (`ckks.reinterpret`). A Chebyshev power 2 T_a T_b - T_|a-b| is subtracted before its rescale, T_|a-b| brought
    to the product's scale by `ckks.adjust_scale`. Target scales come down from the result's type, so that all sums are exact and
    constants are rounded at known scales. Zero coefficients and powers that only they need are skipped; products of one block are
    relinearised once. Polynomials of one variable share its powers, each made at the highest level that one of them needs.

    When: after `settle-scales`, which leaves the levels for it. Source: Bossuat, Mouchet, Troncoso-Pastoriza, Hubaux (EUROCRYPT
    2021), section 3, as corrected in docs/mathematics.md section 6. Example: `test/passes/evaluate-polynomials.mlir`.
  }];
  let statistics = [
    Statistic<"expanded", "expanded", "polynomials expanded">,
    Statistic<"ciphertextProducts", "ciphertext-products", "products of two ciphertexts">,
    Statistic<"constantProducts", "constant-products", "products with a constant">
  ];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

def LowerLinearTransforms : Pass<"lower-linear-transforms", "mlir::ModuleOp"> {
  let summary = "expands linear transforms into rotations";
  let description = [{
    Baby steps and giant steps over the non-zero diagonals, as an arithmetic progression around 0 (negative indices, strides).
    Diagonals are rotated in the clear, so a giant step rotates its sum once. All baby rotations start from the operand and
    are shared between transforms of one operand: they will share a decomposition (hoisting). The number of baby steps is that with the
    fewest keys among those whose key switches, at the operand's level, cost within `key-tolerance` of the least.
    The result keeps the product's scale: its rescale stands outside. What generates a matrix says with its index and rotation what
    generates each diagonal.

    When: after `settle-scales`. Source: docs/mathematics.md sections 4 and 4.1 (row "2-hoist").
    Example: `test/passes/lower-linear-transforms.mlir`.
  }];
  let options = [
    Option<"babySteps", "baby-steps", "int64_t", "0", "number of baby steps; 0 chooses by cost and keys">,
    Option<"keyTolerance", "key-tolerance", "double", "0.1", "cost that may be added, as a part of the least, to need fewer keys">
  ];
  let statistics = [
    Statistic<"lowered", "lowered", "linear transforms expanded">,
    Statistic<"rotations", "rotations", "rotations made">
  ];
  let dependentDialects = ["::sluice::ckks::CKKSDialect"];
}

//===----------------------------------------------------------------------------------------------===//
// settled -> rns: residue polynomials, key switching
//===----------------------------------------------------------------------------------------------===//

def CKKSToRNS : Pass<"ckks-to-rns", "mlir::ModuleOp"> {
  let summary = "turns ciphertexts into residue polynomials";
  let description = [{
    A ciphertext of size s becomes s polynomials in evaluation form over the limbs of its level; the public function's arguments and
    results become that many. A key switch is `decompose`, `inner_product` with its key and `mod_down` of both halves; a rotation
    applies the automorphism to both halves and switches the second. Clear vectors become `rns.constant`, clear numbers residues of
    round(value * scale); a number that vanishes at its scale is warned about. Rotations count modulo the packing length.

    What the manifest will say of inputs and outputs moves to the attributes `sluice.name`, `sluice.inputs`, `sluice.outputs` of the
    module; `rns.ring` is added.

    When: after everything that reasons in ciphertexts. The only bridge between the dialects.
    Source: docs/mathematics.md sections 1 to 3.
    Example: `test/passes/ckks-to-rns.mlir`.
  }];
  let dependentDialects = ["::sluice::rns::RNSDialect", "::mlir::func::FuncDialect"];
}

def Hoist : Pass<"hoist", "mlir::ModuleOp"> {
  let summary = "moves automorphisms past key switches";
  let description = [{
    Three rules `=`, each leaves every residue as it is:

    - hoist: decompose(sigma(a)) = sigma(decompose(a));
    - permute the key: inner_product(sigma(d), K) = sigma(inner_product(d, sigma^-1(K)));
    - outwards: mod_down(sigma(x)) = sigma(mod_down(x)), sigma(a) + sigma(b) = sigma(a + b).

    Rotations of one ciphertext then decompose the same polynomial: equal decompositions become one (CSE). A rotation permutes its two
    results instead of all digits.

    When: after `ckks-to-rns`, before `sink-divisions`. Source: docs/mathematics.md section 3. Example: `test/passes/hoist.mlir`.
  }];
  let statistics = [Statistic<"permutedKeys", "permuted-keys", "keys that are stored permuted">];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def SinkDivisions : Pass<"sink-divisions", "mlir::ModuleOp"> {
  let summary = "divides by P once per sum, and merges that with the rescale";
  let description = [{
    A value that a `mod_down` makes can be kept multiplied by P, over the limbs of P as well. In that form it goes through
    automorphisms, products with clear values and sums; a sum with an ordinary polynomial absorbs it:

    - `=` absorb: c + mod_down(x) = mod_down(P c + x);
    - `~` sink the division: f(mod_down(x)) = mod_down(f(x)), f an automorphism, a product with a constant (then encoded modulo P too) or a sum;
    - `~` merge: rescale(mod_down(x)) divides once.

    Every value is computed in one of the two forms. Which, so that the work is least, is a minimum cut: work on the limbs of P
    on one side, divisions on the other (algorithms/MinimumCut). Rotations, sums of rotations, relinearisations and transforms
    need no rules of their own. Each `~` rule rounds less often than the program did before.

    When: after `hoist`, which brings divisions together. Sources: docs/mathematics.md 4.1 and 16.3. Example:
    `test/passes/sink-divisions.mlir`.
  }];
  let statistics = [
    Statistic<"removed", "divisions-removed", "divisions by P less than before">,
    Statistic<"merged", "merged", "rescales that divide by P as well">
  ];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def SelectKeySwitching : Pass<"select-key-switching", "mlir::ModuleOp"> {
  let summary = "chooses how keys are switched, and lists the keys";
  let description = [{
    One method so far, hybrid: the digits of `ckks.params`, of each only the limbs alive at the level (dead digits are skipped), get
    their `rns.mod_up`. A key serves the union of the limbs that it switches anywhere in the program; its digits are the parts of the
    fixed digits in that union. The module gets `sluice.keys`, relinearisation first, then by Galois element.

    When: after rewrites that remove or merge key switches, since those change which keys are needed.
    Source: docs/mathematics.md sections 3 and 16.4. Example: `test/passes/select-key-switching.mlir`.
  }];
  let statistics = [
    Statistic<"evaluationKeys", "evaluation-keys", "keys that the client makes">,
    Statistic<"modUps", "digits", "digits that are extended, in all decompositions">
  ];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

//===----------------------------------------------------------------------------------------------===//
// rns -> fused -> llvm: memory, calls into the runtime
//===----------------------------------------------------------------------------------------------===//

def ExpandBaseChanges : Pass<"expand-base-changes", "mlir::ModuleOp"> {
  let summary = "expands changes of base into kernels";
  let description = [{
    `mod_up`, `mod_down` and `rescale` (also rational: limbs dropped and added) become `intt`, `base_convert`, `ntt`, `mul_scalar` and
    `sub_mul_scalar`. With A the limbs before, B after, a = prod(A \ B), b = prod(B \ A) and r = [b c]_a centred, a rescale is
    (b c - r) / a on common limbs and -r / a on added ones. A digit keeps its own limbs as a view and shares one `intt` of the
    decomposed polynomial with the other digits. Rule `=`: every residue is the one that the description of the operation names.

    When: after `select-key-switching`. Source: docs/mathematics.md 2.2, 16.3, 16.4.
    Example: `test/passes/expand-base-changes.mlir`.
  }];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def SplitTransforms : Pass<"split-transforms", "mlir::ModuleOp"> {
  let summary = "gives base conversions half of the transforms around them";
  let description = [{
    A transform is made of stages across the rows of a limb and stages within them. A base conversion that stands between an inverse NTT
    and NTTs takes the stages across rows to itself, form `half_intt` to form `half_ntt`, so that limbs in coefficient form
    never go to memory; `rns.intt_rows` and `rns.ntt_rows` are left, which work block by block. An inner product is cut into
    groups of limbs whose digits come from the same places: the transforms of its digits are then over its own limbs, and
    one loop does both. An inner product that limb-wise operations use as a whole stays whole, since it is in one loop with them.
    Rule `=`: every residue stays.

    When: after `expand-base-changes`, before `fuse-limb-loops`. Source: the four-step transform (Bailey, J. Supercomputing 4,
    1990), whose second half is put off. Example: `test/passes/split-transforms.mlir`.
  }];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def FuseProducts : Pass<"fuse-products", "mlir::ModuleOp"> {
  let summary = "adds products where they are computed";
  let description = [{
    A product that is only added becomes `rns.mac`. Two chains of these with the same constants, as both polynomials of a ciphertext have
    in a sum of plaintext products, become `rns.weighted_sum`, which reads each constant once and reduces once, of at most
    `terms` products each: all of their values are alive at once. Rule `=`: every residue stays.

    When: before `fuse-limb-loops`, which orders the operations of a loop. Example: `test/passes/fuse-products.mlir`.
  }];
  let options = [
    Option<"terms", "terms", "unsigned", "8", "products in one sum, at most">
  ];
  let statistics = [
    Statistic<"sums", "sums", "pairs of sums of several products">
  ];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def FuseLimbLoops : Pass<"fuse-limb-loops", "mlir::ModuleOp"> {
  let summary = "gathers limb-wise operations into loops over limbs";
  let description = [{
    Operations that compute limb i of their results from limb i of their operands (NTT, element-wise ones, automorphisms, inner
    products) and that follow on each other become one `rns.limb_kernel`: its body runs for one limb after the other, or one block of a limb, on all
    threads, while the limb is in the cache, and what it does not yield needs one slot a thread instead of one a limb. Rule `=`: every
    residue stays.

    Operations are moved together only if nothing outside has to stand between them. Inside, they are ordered so that few values are
    alive at once. With `at-once` there are no whole transforms in a loop, and no automorphism of what `ntt_rows` in the same loop gave.

    When: on kernels, before `plan-memory`, which counts what is alive. Source: the idea is `compute_at` of Halide (Ragan-Kelley et
    al., PLDI 2013). Example: `test/passes/fuse-limb-loops.mlir`.
  }];
  let options = [
    Option<"window", "window", "unsigned", "1024", "operations after which a chain that nothing joined is closed">,
    Option<"atOnce", "at-once", "bool", "false", "loops that a GPU can run, with all positions of a limb at once">
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "loops over limbs">,
    Statistic<"largest", "largest", "operations in the largest of them">
  ];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def PlanMemory : Pass<"plan-memory", "mlir::ModuleOp"> {
  let summary = "gives every limb of every value a slot of the arena";
  let description = [{
    Linear scan over the straight-line function, one slot a limb, so free slots always fit. Inputs have their slots from the start,
    outputs keep theirs to the end, views (`drop`, `concat`) cost nothing, element-wise results take the slot of a dying operand. In an
    `rns.limb_kernel` what is not yielded gets a scratch slot, one for each thread. The attributes are `rns.slots`, in kernels
    `rns.scratch`, and on the function `rns.arena_slots` and `rns.scratch_slots`; the peak is reported as a remark. With `at-once` no
    result of a loop takes the slot of an operand that is read at other positions than those that are written, or by a part of the loop
    that shares no computed value with it; and a slot rests after use while there are others, so that what could run at the same time does
    not wait for it.

    When: on kernels only, in the order in which they will run. Example: `test/passes/plan-memory.mlir`.
  }];
  let options = [
    Option<"atOnce", "at-once", "bool", "false", "loops run with all positions of a limb at once, as on a GPU">
  ];
  let statistics = [Statistic<"peakSlots", "peak-slots", "slots of the arena">];
  let dependentDialects = ["::sluice::rns::RNSDialect"];
}

def RNSToRuntime : Pass<"rns-to-runtime", "mlir::ModuleOp"> {
  let summary = "turns kernels into calls through the C ABI";
  let description = [{
    The function becomes `sluice_program_run(context, functions)` in the LLVM dialect: one call for each kernel, through the table
    of `runtime/abi/functions.def`, with its limb, slot and scalar numbers in read-only data. Constants are merged where values and scale are
    equal, over the union of their limbs. The module gets `sluice.program`, the second half of the artifact's description.

    When: last. Example: `test/passes/rns-to-runtime.mlir`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // SLUICE_PASSES_TD
