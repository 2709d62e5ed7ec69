//===- PlanCircuit.cpp - candidates for the parameters of a program, and the best of them -----===//

#include "passes/driver/PlanCircuit.h"

#include "passes/BootstrapChoice.h"
#include "passes/ParameterChoice.h"
#include "passes/ProgramAttributes.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/TerminalSearch.h"
#include "passes/driver/FusedWork.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

using namespace mlir;

namespace sluice {

namespace {

/// Within one ring and one form of chains, operations alone tell times up to this factor.
constexpr double worthTrying = 1.25;
/// Candidates that are tried, and operations of their settled programs together after which no
/// other is.
constexpr size_t mostTrials = 4, mostOperations = 4000;
/// Bits that scales may have over what select-parameters finds enough, where settling or the
/// forecast asks for them.
constexpr unsigned extraBits[] = {0, 2, 4, 8, 16};

ParameterOptions parameterOptions(const PipelineOptions &options) {
  return {.precision = options.precisionBits + options.floodingBits,
          .logN = unsigned(options.logN),
          .extraScale = options.extraScaleBits,
          .insecure = options.insecure};
}

std::string counted(size_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

std::string describe(const algorithms::ParameterCandidate &one) {
  if (one.scaleLog2 == 0)
    return algorithms::chainFormName(one.form);
  const size_t levels = one.steps.size();
  std::string size = levels > 1 ? counted(levels - 1, "level") +
                                      llvm::formatv(" of 2^{0}, ", one.scaleLog2).str() +
                                      algorithms::chainFormName(one.form)
                                : llvm::formatv("scale 2^{0}", one.scaleLog2).str();
  return size + ", " + counted(one.digits, "digit") + ", " + counted(one.special, "limb") + " of P";
}

PlanCandidate rowOf(const algorithms::ParameterCandidate &one) {
  PlanCandidate row;
  row.verdict = one.refusal.empty() ? CandidateVerdict::pruned : CandidateVerdict::refused;
  row.logN = one.logN;
  row.description = describe(one);
  row.timeMs = one.timeNs * 1e-6;
  row.bits = one.bits;
  row.keyBytes = one.keyBytes;
  row.logQP = one.logQP();
  row.logQLeft = one.steps.front();
  row.reason = one.refusal;
  return row;
}

/// The forecasts of one candidate, by running it through the phases.
class Trial {
public:
  Trial(ModuleOp module, const PipelineOptions &options, const PlanJudge &judge)
      : module(module), options(options), judge(judge) {}

  /// Whether `candidate`'s parameters work; fills the row either way.
  bool run(ParameterChoice &choice, size_t index, PlanCandidate &row) {
    OwningOpRef<ModuleOp> trial(cast<ModuleOp>(module->clone()));
    if (failed(choice.apply(index, *trial)))
      return refuse(row, choice.candidates()[index].refusal);
    row.description = describe(choice.candidates()[index]);
    row.logQP = choice.candidates()[index].logQP();
    return run(trial, row);
  }

  /// The same of a bootstrap's.
  bool run(const BootstrapChoice &choice, size_t index, PlanCandidate &row) {
    OwningOpRef<ModuleOp> trial(cast<ModuleOp>(module->clone()));
    if (failed(choice.apply(index, *trial)))
      return refuse(row, "the ring has no chain of these sizes");
    return run(trial, row);
  }

  size_t operationsSoFar() const { return operations; }
  /// Of the last one.
  bool isSettled() const { return hasSettled; }

  std::optional<PlanForecast> forecast; ///< of the last one

private:
  bool run(OwningOpRef<ModuleOp> &trial, PlanCandidate &row) {
    hasSettled = succeeded(advance(*trial, Phase::Settled));
    if (!hasSettled)
      return refuse(row, "no scales settle on it");
    trial->walk([&](Operation *) { ++operations; });
    FailureOr<std::optional<PlanForecast>> judged = judge(*trial);
    if (failed(judged))
      return refuse(row, "the forecast of the settled program is less precise");
    forecast = *judged;
    row.bits = forecast ? forecast->bits : 0;
    if (failed(advance(*trial, Phase::Rns)) || failed(noteKeys(*trial, row)) ||
        failed(advance(*trial, Phase::Fused)) || failed(noteTime(*trial, row)))
      return refuse(row, "it cannot be lowered to kernels");
    row.verdict = CandidateVerdict::compared;
    return true;
  }

  static bool refuse(PlanCandidate &row, std::string reason) {
    row.verdict = CandidateVerdict::refused;
    row.reason = std::move(reason);
    return false;
  }

  LogicalResult advance(ModuleOp trial, Phase phase) const {
    PassManager passes(trial.getContext(), ModuleOp::getOperationName());
    buildPhase(passes, phase, options);
    return passes.run(trial);
  }

  static LogicalResult noteKeys(ModuleOp trial, PlanCandidate &row) {
    FailureOr<std::vector<EvaluationKey>> keys = readEvaluationKeys(trial);
    if (failed(keys))
      return failure();
    row.keyBytes = 0;
    for (const EvaluationKey &key : *keys)
      row.keyBytes += (uint64_t(key.digits.size()) * key.limbs.size() * sizeof(uint64_t))
                      << row.logN;
    return success();
  }

  static LogicalResult noteTime(ModuleOp trial, PlanCandidate &row) {
    FailureOr<TimeForecast> times = forecastTimes(trial);
    if (failed(times))
      return failure();
    row.timeMs = times->launchNs * 1e-6;
    for (const auto &[family, time] : times->families)
      row.timeMs += time.ns * 1e-6;
    return success();
  }

  ModuleOp module;
  const PipelineOptions options;
  const PlanJudge &judge;
  size_t operations = 0;
  bool hasSettled = false;
};

bool isBetter(const PlanCandidate &a, const PlanCandidate &b) {
  return std::pair(a.timeMs, a.keyBytes) < std::pair(b.timeMs, b.keyBytes);
}

/// The candidates at one number of extra bits, and which of them were tried.
class Attempt {
public:
  Attempt(ModuleOp module, const PipelineOptions &options, const PlanJudge &judge)
      : module(module), trial(module, options, judge) {
    std::vector<algorithms::ParameterCandidate> refused;
    choice = ParameterChoice::find(module, parameterOptions(options), refused);
    for (const algorithms::ParameterCandidate &one :
         succeeded(choice) ? choice->candidates() : refused)
      rows.push_back(rowOf(one));
  }

  void run() {
    for (size_t i = 0; i < rows.size() && rows[i].verdict == CandidateVerdict::pruned; ++i) {
      if (!isWorthTrying(i)) {
        rows[i].reason = "its operations take longer";
        continue;
      }
      tried.push_back(i);
      const double estimateMs = rows[i].timeMs;
      if (!trial.run(*choice, i, rows[i]))
        continue;
      ratios.try_emplace(kindOf(i), rows[i].timeMs / estimateMs);
      if (best && !isBetter(rows[i], rows[*best]))
        continue;
      best = i;
      forecast = trial.forecast;
    }
  }

  bool isPossible() const { return succeeded(choice); }
  /// Whether more bits could give something better: what was refused may work with them.
  bool isWorthRepeating() const {
    return !best || llvm::any_of(tried, [&](size_t i) {
      return rows[i].verdict == CandidateVerdict::refused &&
             rows[i].timeMs * leastRatio() < rows[*best].timeMs;
    });
  }
  const PlanCandidate *found() const { return best ? &rows[*best] : nullptr; }

  /// Puts the best parameters on the module.
  LogicalResult apply() {
    if (failed(choice->apply(*best, module)))
      return failure();
    rows[*best].verdict = CandidateVerdict::chosen;
    return success();
  }

  std::vector<PlanCandidate> rows;
  std::vector<size_t> tried;            ///< of the rows
  std::optional<PlanForecast> forecast; ///< of the best

private:
  using Kind = std::pair<unsigned, algorithms::ChainForm>;

  Kind kindOf(size_t i) const {
    const algorithms::ParameterCandidate &one = choice->candidates()[i];
    return {one.logN, one.form};
  }

  /// By the ratio of the forecast to the time of the operations alone, of the first of its kind or
  /// the least of all kinds.
  bool isWorthTrying(size_t i) const {
    if (!best)
      return true;
    if (tried.size() >= mostTrials || trial.operationsSoFar() >= mostOperations)
      return false;
    const auto known = ratios.find(kindOf(i));
    const double bound = rows[*best].timeMs * (known == ratios.end() ? 1 : worthTrying);
    return rows[i].timeMs * (known == ratios.end() ? leastRatio() : known->second) < bound;
  }

  double leastRatio() const {
    double least = ratios.begin()->second;
    for (const auto &[kind, ratio] : ratios)
      least = std::min(least, ratio);
    return least;
  }

  ModuleOp module;
  Trial trial;
  FailureOr<ParameterChoice> choice = failure();
  std::map<Kind, double> ratios;
  std::optional<size_t> best;
};

//===------------------------------------------------------------------------------------------===//
// Programs with bootstraps
//===------------------------------------------------------------------------------------------===//

/// "3 x 45" of sizes that are all equal, else "45 + 2 x 50".
std::string sizesText(const std::vector<double> &sizes) {
  std::string text;
  for (size_t begin = 0, end = 0; begin < sizes.size(); begin = end) {
    while (end < sizes.size() && sizes[end] == sizes[begin])
      ++end;
    text += begin > 0 ? " + " : "";
    text += end - begin > 1 ? llvm::formatv("{0} x ", end - begin).str() : "";
    text += shortNumber(sizes[begin]);
  }
  return text;
}

std::string describe(const algorithms::BootstrapPlan &plan) {
  const algorithms::BootstrapLevels &sizes = plan.levels;
  std::string text = counted(sizes.residual.size() - 1, "level");
  text += llvm::formatv(" of 2^{0}; range {1}, ratio 2^{2}, degree {3}, ", plan.logScale,
                        plan.range, plan.logRatio, plan.degree)
              .str();
  text += counted(plan.doubleAngles, "double angle");
  if (plan.arcsineDegree > 1)
    text += llvm::formatv(", arcsine {0}", plan.arcsineDegree).str();
  if (plan.order == algorithms::BootstrapOrder::slotsToCoefficientsFirst)
    text += ", SlotsToCoeffs first";
  return text + llvm::formatv("; levels of {0} | {1} | {2} bits, {3} limbs of P",
                              sizesText(sizes.slotsToCoefficients), sizesText(sizes.evalMod),
                              sizesText(sizes.coefficientsToSlots), plan.specialLimbs)
                    .str();
}

PlanCandidate rowOf(const algorithms::BootstrapCandidate &one) {
  PlanCandidate row;
  row.logN = one.plan.logN;
  row.description = describe(one.plan);
  row.timeMs = one.timeNs * 1e-6;
  row.bits = one.bits;
  row.keyBytes = one.keyBytes;
  row.logQLeft = one.logQLeft;
  const std::vector<double> chain = one.plan.chain();
  row.logQP =
      std::accumulate(chain.begin(), chain.end(), algorithms::fullLimbBits * one.plan.specialLimbs);
  return row;
}

/// A trial takes seconds: the first plan that is precise enough is taken. Where none is, bootstraps
/// with more bits are looked for; where none settles, with more levels.
PlannedCircuit planBootstrapped(ModuleOp module, const PipelineOptions &options,
                                const PlanJudge &judge) {
  constexpr size_t mostAttempts = 5, mostTries = 2;
  // The most that a measured bootstrap lay below its forecast (docs/bootstrap.md).
  constexpr double margin = 0.6;
  constexpr double bitsMore = 1;
  PlannedCircuit planned;
  ParameterOptions wanted = parameterOptions(options);
  wanted.precision += margin;
  const double least = wanted.precision;
  unsigned extraLevels = 0;
  for (size_t attempt = 0; attempt < mostAttempts; ++attempt) {
    FailureOr<BootstrapChoice> choice = BootstrapChoice::find(module, wanted, extraLevels);
    if (failed(choice))
      break;
    std::vector<PlanCandidate> rows;
    for (const algorithms::BootstrapCandidate &one : choice->candidates())
      rows.push_back(rowOf(one));
    Trial trial(module, options, judge);
    bool isSettled = true;
    for (size_t i = 0; i < rows.size() && i < mostTries && isSettled && !planned.isPlanned; ++i) {
      if (!trial.run(*choice, i, rows[i])) {
        isSettled = trial.isSettled();
        continue;
      }
      if (trial.forecast && trial.forecast->bits < least) {
        rows[i].verdict = CandidateVerdict::refused;
        rows[i].reason = "its forecast leaves no margin";
        continue;
      }
      rows[i].verdict = CandidateVerdict::chosen;
      planned.isPlanned = succeeded(choice->apply(i, module));
      planned.forecast = trial.forecast;
    }
    for (PlanCandidate &row : rows)
      if (row.verdict == CandidateVerdict::pruned)
        row.reason = "its operations take longer";
    rows.insert(rows.end(), planned.candidates.begin(), planned.candidates.end());
    planned.candidates = std::move(rows);
    if (planned.isPlanned)
      break;
    wanted.precision += isSettled ? bitsMore : 0;
    extraLevels += isSettled ? 0 : 1;
  }
  return planned;
}

} // namespace

PlannedCircuit planCircuit(ModuleOp module, const PipelineOptions &options,
                           const PlanJudge &judge) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) { return success(); });
  if (hasRefreshes(module))
    return planBootstrapped(module, options, judge);
  std::vector<std::unique_ptr<Attempt>> attempts;
  Attempt *best = nullptr;
  for (unsigned bits : extraBits) {
    PipelineOptions wanted = options;
    wanted.extraScaleBits += bits;
    Attempt &attempt = *attempts.emplace_back(std::make_unique<Attempt>(module, wanted, judge));
    attempt.run();
    if (attempt.found() && (!best || isBetter(*attempt.found(), *best->found())))
      best = &attempt;
    if (!attempt.isPossible() || !attempt.isWorthRepeating())
      break; // larger scales would only cost
  }
  PlannedCircuit planned;
  planned.isPlanned = best && succeeded(best->apply());
  if (planned.isPlanned)
    planned.forecast = std::move(best->forecast);
  Attempt &shown = best ? *best : *attempts.front();
  for (const std::unique_ptr<Attempt> &other : attempts)
    if (other.get() != &shown)
      for (size_t i : other->tried)
        shown.rows.push_back(other->rows[i]);
  // The chosen one first, then those that were tried; refused ones last.
  std::vector<PlanCandidate> sorted;
  for (CandidateVerdict verdict : {CandidateVerdict::chosen, CandidateVerdict::compared,
                                   CandidateVerdict::pruned, CandidateVerdict::refused})
    llvm::copy_if(shown.rows, std::back_inserter(sorted),
                  [&](const PlanCandidate &row) { return row.verdict == verdict; });
  planned.candidates = std::move(sorted);
  return planned;
}

} // namespace sluice
