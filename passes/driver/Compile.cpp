//===- Compile.cpp - from source text to an artifact ------------------------------------------===//

#include "passes/driver/Compile.h"

#include "dialects/CKKS/CKKSOps.h"
#include "dialects/InitDialects.h"
#include "passes/BootstrapChoice.h"
#include "passes/CostsAttribute.h"
#include "passes/ProgramAttributes.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/Flooding.h"
#include "passes/driver/ArtifactWriter.h"
#include "passes/driver/Codegen.h"
#include "passes/driver/CudaCompiler.h"
#include "passes/driver/Forecast.h"
#include "passes/driver/FusedWork.h"
#include "passes/driver/ManifestBuilder.h"
#include "passes/driver/PlanCircuit.h"
#include "runtime/abi/flooding.h"
#include "runtime/wire/cost_file.h"
#include "runtime/wire/stream.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>

using namespace mlir;

namespace sluice {

namespace {

/// Milliseconds since it was made or last read.
class Stopwatch {
public:
  double lapMs() {
    auto now = std::chrono::steady_clock::now();
    double ms = std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
    return ms;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

// --- One compilation ----------------------------------------------------------------------------

class Compilation {
public:
  Compilation(const CompileOptions &options, CompileResult &result)
      : options(options), pipeline(options.pipeline), result(result),
        context(makeRegistry(), MLIRContext::Threading::DISABLED),
        handler(&context, [&](mlir::Diagnostic &diagnostic) {
          result.diagnostics.push_back(convertDiagnostic(diagnostic));
        }) {
    context.printOpOnDiagnostic(false);
  }

  LogicalResult run(llvm::StringRef source, llvm::StringRef fileName) {
    if (options.from >= options.to)
      return emitError(UnknownLoc::get(&context), "cannot compile from phase ")
             << phaseName(options.from) << " to phase " << phaseName(options.to)
             << ": the first must come before the second";
    if (options.pipeline.target == Target::Cuda && options.from >= Phase::Llvm)
      return emitError(UnknownLoc::get(&context), "target cuda needs a program of phase fused or "
                                                  "before, not of phase ")
             << phaseName(options.from) << ", where its loops are x86 functions already";
    if (failed(checkOptions(options.pipeline)))
      return failure();
    return reachLast(source, fileName);
  }

  LogicalResult runTwin(llvm::StringRef source, llvm::StringRef fileName, const TensorItems &inputs,
                        std::optional<uint64_t> noiseSeed, TensorItems &outputs) {
    if (failed(reachLast(source, fileName)))
      return failure();
    FailureOr<TensorItems> simulated = simulate(*module, inputs, noiseSeed);
    if (succeeded(simulated))
      outputs = std::move(*simulated);
    return simulated;
  }

private:
  /// Numbers that no pass could make sense of.
  LogicalResult checkOptions(const PipelineOptions &wanted) {
    Location nowhere = UnknownLoc::get(&context);
    if (!(wanted.precisionBits >= 1 && wanted.precisionBits <= 50))
      return emitError(nowhere, "precision must be between 1 and 50 bits, not ")
             << shortNumber(wanted.precisionBits);
    if (!(wanted.comparisonGap >= 0 && wanted.comparisonGap < 1))
      return emitError(nowhere, "comparison-gap must be at least 0 and less than 1; found ")
             << shortNumber(wanted.comparisonGap);
    if (wanted.batch < 0)
      return emitError(nowhere, "batch must not be negative; found ") << wanted.batch;
    if (wanted.logN < 0 || wanted.logN > 17)
      return emitError(nowhere,
                       "log-n must be at most 17, or 0 for the smallest that is secure; found ")
             << wanted.logN;
    return checkSharing();
  }

  LogicalResult checkSharing() {
    const SharingRequest &wanted = options.sharing;
    if (wanted.decryptions == 0)
      return success();
    Location nowhere = UnknownLoc::get(&context);
    if (wanted.decryptions > maxDecryptions)
      return emitError(nowhere, "decryptions must be at most 2^40; found ") << wanted.decryptions;
    double least = options.pipeline.insecure ? 1 : defaultStatisticalBits;
    if (!(wanted.statisticalBits >= least && wanted.statisticalBits <= maxStatisticalBits))
      return emitError(nowhere, "statistical-bits must be between ")
             << shortNumber(least) << " and " << shortNumber(maxStatisticalBits) << ", not "
             << shortNumber(wanted.statisticalBits);
    return success();
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerSluiceDialects(registry);
    registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                    LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
    registerCodegenTranslations(registry);
    return registry;
  }

  LogicalResult reachLast(llvm::StringRef source, llvm::StringRef fileName) {
    Stopwatch total;
    module = parseSourceString<ModuleOp>(source, ParserConfig(&context), fileName);
    if (!module || failed(attachCosts()) || failed(attachSharing()) || failed(writeOutSettled()))
      return failure();
    recordPhase(options.from);
    if (failed(forecastAt(options.from)))
      return failure();
    for (Phase phase : allPhases()) {
      if (phase <= options.from || phase > options.to)
        continue;
      if (phase == Phase::Settled && options.from < Phase::Planned)
        continue; // together with the planned phase
      if (failed(phase == Phase::Planned ? planAndSettle() : reach(phase)))
        return failure();
    }
    result.report.compileMs = total.lapMs();
    return success();
  }

  /// Settled text may be short: bootstraps, polynomials and transforms are written out as at the
  /// end of that phase. Nothing is left to do for its own output.
  LogicalResult writeOutSettled() {
    if (options.from != Phase::Settled)
      return success();
    PassManager passes(&context, ModuleOp::getOperationName());
    buildExpansions(passes);
    return passes.run(*module);
  }

  /// Puts the figures of the cost file on the module, for all phases.
  LogicalResult attachCosts() {
    if (options.costsFile.empty())
      return success();
    Expected<Costs> costs = readCostFile(options.costsFile);
    if (!costs)
      return emitError(UnknownLoc::get(&context), costs.message());
    (*module)->setAttr(costsAttr, toAttribute(costs->tables.front(), &context));
    return success();
  }

  /// Puts what is to be shared on the module, for all phases.
  LogicalResult attachSharing() {
    const SharingRequest &wanted = options.sharing;
    if (wanted.decryptions == 0)
      return success();
    Builder builder(&context);
    (*module)->setAttr(decryptionsAttr, builder.getI64IntegerAttr(int64_t(wanted.decryptions)));
    (*module)->setAttr(statisticalBitsAttr, builder.getF64FloatAttr(wanted.statisticalBits));
    return success();
  }

  static Expected<Costs> readCostFile(const std::string &path) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source, wire::Source::openFile(path));
    SLUICE_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes,
                            wire::readAll(*source, limits::costsBytes, "a cost file"));
    return wire::readCosts(bytes, path);
  }

  LogicalResult forecastAt(Phase phase) {
    return phase == Phase::Settled ? forecast(*module)
           : phase == Phase::Fused ? forecastTime()
                                   : success();
  }

  /// Attaches how long a run will take, from the kernels that it will call.
  LogicalResult forecastTime() {
    FailureOr<TimeForecast> times = forecastTimes(*module);
    if (failed(times))
      return failure();
    double ns = 0;
    for (auto [family, time] : times->families) {
      ns += time.ns;
      result.report.kernelTimes[kernelFamilyNames[size_t(family)]] = {time.units, time.ns * 1e-6};
    }
    if (times->launches > 0) {
      ns += times->launchNs;
      result.report.kernelTimes["launch"] = {times->launches, times->launchNs * 1e-6};
    }
    if (!times->families.empty())
      (*module)->setAttr(timeMsAttr, Builder(&context).getF64FloatAttr(ns * 1e-6));
    return success();
  }

  /// Attaches the forecast of a settled module, which later phases carry to the manifest: that of
  /// plan-circuit where it chose the parameters.
  LogicalResult forecast(ModuleOp settled) {
    if (!planForecast) {
      FailureOr<std::optional<PlanForecast>> found = computePrecision(settled);
      if (failed(found))
        return failure();
      planForecast = std::move(*found);
    }
    if (!planForecast)
      return success();
    Builder builder(&context);
    settled->setAttr(precisionBitsAttr, builder.getF64FloatAttr(planForecast->bits));
    settled->setAttr(outputDeviationsAttr, builder.getDenseF64ArrayAttr(planForecast->deviations));
    return success();
  }

  /// Fails where too few bits are left. A module without layouts and ranges (tests of single
  /// operations) has no forecast.
  FailureOr<std::optional<PlanForecast>> computePrecision(ModuleOp settled,
                                                          ModuleOp reference = {}) {
    std::optional<PlanForecast> none;
    if (!settled->hasAttr(ckks::paramsAttrName))
      return none; // ckks-to-rns says so
    for (auto function : settled.getOps<func::FuncOp>())
      for (unsigned index = 0; index < function.getNumArguments(); ++index)
        if (!function.getArgAttr(index, ckks::layoutAttrName) ||
            !function.getArgAttr(index, ckks::rangeAttrName))
          return none;
    const SharingRequest request = requestOf(settled);
    FailureOr<Forecast> forecast = computeForecast(settled, request.decryptions > 0, reference);
    if (failed(forecast))
      return failure();
    PlanForecast result{forecast->precisionBits, {}};
    reachedBits = forecast->precisionBits;
    for (const OutputErrors &errors : forecast->outputs) {
      result.deviations.push_back(errors.deviation);
      if (request.decryptions > 0)
        reachedBits = std::min(*reachedBits, certifyOutput(errors, request).precisionBits);
    }
    // From the planned stage on, parameters no longer answer to the precision that was asked for.
    if (options.from < Phase::Planned && failed(checkPrecision(settled, request, *reachedBits)))
      return failure();
    return std::optional(std::move(result));
  }

  LogicalResult checkPrecision(ModuleOp settled, const SharingRequest &request, double reached) {
    if (reached >= options.pipeline.precisionBits)
      return success();
    if (request.decryptions > 0)
      return emitNotLeft(settled, reached);
    return settled.emitError() << "the forecast is " << bitsText(reached) << " bits of precision; "
                               << shortNumber(options.pipeline.precisionBits)
                               << " were asked for: give ckks.params larger levels, or ask for "
                                  "less";
  }

  static std::string bitsText(double bits) { return shortNumber(std::floor(bits * 10) / 10); }

  LogicalResult emitNotLeft(ModuleOp where, double best) {
    return where.emitError() << "after the flooding of " << options.sharing.decryptions
                             << " shared decryptions at "
                             << shortNumber(options.sharing.statisticalBits)
                             << " statistical bits, " << bitsText(best)
                             << " bits of precision are left; "
                             << shortNumber(options.pipeline.precisionBits)
                             << " were asked for: ask for less precision, fewer decryptions (a "
                                "quarter of them is a bit), smaller batches or shallower circuits";
  }

  //===--------------------------------------------------------------------===//
  // Planning for flooding
  //===--------------------------------------------------------------------===//

  /// Finds parameters that leave the precision after flooding, and takes the module to the phase
  /// that is wanted with them.
  LogicalResult planForSharing() {
    auto tryBits = [&](unsigned bits) -> std::optional<double> {
      pipeline.floodingBits = bits;
      for (unsigned extraBits : {0U, 2U}) {
        pipeline.extraScaleBits = extraBits;
        if (std::optional<double> reached = tryPlan())
          return reached;
      }
      return std::nullopt;
    };
    algorithms::PrecisionSearch found =
        algorithms::searchPrecision(options.pipeline.precisionBits, firstFloodingBits(), tryBits);
    if (!found.bits && found.best)
      return emitNotLeft(*module, *found.best);
    if (!found.bits) // then the message is that of a program that shares nothing
      pipeline.floodingBits = pipeline.extraScaleBits = 0;
    return choosePlan() ? settlePlanned() : planAndSettleOnce();
  }

  LogicalResult planAndSettleOnce() {
    if (failed(reach(Phase::Planned)))
      return failure();
    return options.to == Phase::Planned ? success() : reach(Phase::Settled);
  }

  /// The precision that is left with the present options; nothing where nothing can be planned.
  std::optional<double> tryPlan() {
    ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> trial(cast<ModuleOp>((*module)->clone()));
    PassManager passes(&context, ModuleOp::getOperationName());
    buildPhase(passes, Phase::Planned, pipeline);
    buildPhase(passes, Phase::Settled, pipeline);
    reachedBits.reset();
    if (succeeded(passes.run(*trial)))
      (void)computePrecision(*trial); // fails where too little is left as well
    return reachedBits;
  }

  /// What flooding takes of the output that gives out most numbers; the forecast lies some bits
  /// above the precision that parameters are chosen for, which is the worst slot's.
  unsigned firstFloodingBits() {
    constexpr double bitsOfWorstSlot = 3;
    uint64_t numbers = 1;
    for (auto function : module->getOps<func::FuncOp>())
      for (unsigned index = 0; index < function.getNumResults(); ++index)
        if (auto layout =
                function.getResultAttrOfType<ckks::LayoutAttr>(index, ckks::layoutAttrName))
          numbers = std::max<uint64_t>(numbers, ShapedType::getNumElements(layout.getShape()) *
                                                    (layout.getBatched() ? layout.getBatch() : 1));
    double bits = algorithms::floodingBits(numbers, options.sharing.decryptions,
                                           options.sharing.statisticalBits);
    return unsigned(std::max(0.0, std::ceil(bits) - bitsOfWorstSlot));
  }

  //===--------------------------------------------------------------------===//
  // Planning
  //===--------------------------------------------------------------------===//

  /// Where plan-circuit finds nothing, the messages are those of select-parameters alone.
  LogicalResult planAndSettle() {
    if ((*module)->hasAttr(ckks::paramsAttrName)) // given: nothing to choose
      return planAndSettleOnce();
    if (options.sharing.decryptions > 0)
      return planForSharing();
    return choosePlan() ? settlePlanned() : planAndSettleOnce();
  }

  /// plan-circuit: whether the module has parameters now. Its candidates go to the report.
  bool choosePlan() {
    // A bootstrap's sine is part of the settled program; what it lacks shows beside the packed one.
    ModuleOp reference = hasRefreshes(*module) ? *module : ModuleOp();
    PlannedCircuit planned = planCircuit(
        *module, pipeline, [&](ModuleOp settled) { return computePrecision(settled, reference); });
    planForecast = std::move(planned.forecast);
    result.report.candidates = std::move(planned.candidates);
    return planned.isPlanned;
  }

  /// From parameters that planCircuit has put on the module.
  LogicalResult settlePlanned() {
    recordPhase(Phase::Planned);
    return options.to == Phase::Planned ? success() : reach(Phase::Settled);
  }

  LogicalResult reach(Phase phase) {
    if (phase == Phase::Artifact) {
      if (failed(writeProgram()))
        return failure();
    } else {
      if (phase == Phase::Llvm && failed(writeDeviceProgram()))
        return failure();
      PassManager passes(&context, ModuleOp::getOperationName());
      buildPhase(passes, phase, pipeline);
      if (failed(passes.run(*module)))
        return failure();
    }
    recordPhase(phase);
    return forecastAt(phase);
  }

  LogicalResult writeDeviceProgram() {
    if (pipeline.target != Target::Cuda)
      return success();
    FailureOr<CudaProgram> program = writeCudaProgram(*module);
    if (failed(program))
      return failure();
    result.deviceProgram = std::move(*program);
    return success();
  }

  LogicalResult writeProgram() {
    FailureOr<ArtifactContents> contents = readContents(*module, options.name);
    if (failed(contents))
      return failure();
    FailureOr<std::string> object = translateToObject(*module);
    if (failed(object))
      return failure();
    FailureOr<std::string> code = linkSharedObject(*module, *object, findLinker());
    if (failed(code))
      return failure();
    contents->code = std::move(*code);
    if (result.deviceProgram && failed(addDeviceCode(*module, *result.deviceProgram, *contents)))
      return failure();
    Artifact artifact = writeArtifact(*contents);
    result.report.codeBytes = contents->code.size();
    result.report.artifactBytes = artifact.bytes.size();
    result.artifact = std::move(artifact.bytes);
    result.manifest = std::move(artifact.manifest);
    return success();
  }

  /// What the report and the caller want to know of the module in this phase.
  void recordPhase(Phase phase) {
    result.report.phaseMs.emplace_back(phaseName(phase), clock.lapMs());
    if (phase == Phase::Settled)
      result.report.circuitOperations = countOperations(*module, "ckks");
    if (phase == Phase::Fused) {
      std::map<std::string, uint64_t> &counts = result.report.kernelCalls;
      counts = countOperations(*module, "rns");
      for (const char *isNoCall : {"constant", "key", "drop", "concat"})
        counts.erase(isNoCall);
    }
    if (phase == Phase::Llvm)
      if (FailureOr<ArtifactContents> contents = readContents(*module, options.name);
          succeeded(contents)) {
        result.report.manifest = contents->manifest;
        result.report.arenaSlots = contents->program.arenaSlots;
        result.report.scratchSlots = contents->program.scratchSlots;
      }
    if (phase != Phase::Artifact && (options.keepStages || phase == options.to)) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      module->print(stream);
      result.stages.emplace_back(phase, std::move(text));
    }
    clock.lapMs();
  }

  static std::map<std::string, uint64_t> countOperations(ModuleOp module, StringRef dialect) {
    std::map<std::string, uint64_t> counts;
    module.walk([&](Operation *op) {
      if (op->getName().getDialectNamespace() == dialect)
        ++counts[op->getName().stripDialect().str()];
    });
    return counts;
  }

  const CompileOptions &options;
  PipelineOptions pipeline;
  CompileResult &result;
  std::optional<double> reachedBits;        ///< of the last forecast, after flooding
  std::optional<PlanForecast> planForecast; ///< of the settled module
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  Stopwatch clock;
};

} // namespace

CompileResult compileModule(llvm::StringRef source, llvm::StringRef fileName,
                            const CompileOptions &options) {
  CompileResult result;
  result.succeeded = succeeded(Compilation(options, result).run(source, fileName));
  return result;
}

SimulationResult simulateModule(llvm::StringRef source, llvm::StringRef fileName,
                                const CompileOptions &options, const TensorItems &inputs,
                                std::optional<uint64_t> noiseSeed) {
  CompileResult compiled;
  SimulationResult result;
  result.succeeded = succeeded(
      Compilation(options, compiled).runTwin(source, fileName, inputs, noiseSeed, result.outputs));
  result.diagnostics = std::move(compiled.diagnostics);
  return result;
}

} // namespace sluice
