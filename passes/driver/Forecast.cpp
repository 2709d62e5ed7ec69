//===- Forecast.cpp - how precise a settled program will be, and what it holds ----------------===//

#include "passes/driver/Forecast.h"

#include "passes/TracedOps.h"
#include "passes/algorithms/CostModel.h"
#include "passes/algorithms/Layout.h"
#include "passes/algorithms/ScaleValue.h"
#include "passes/driver/Twin.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace mlir;

namespace sluice {

namespace {

/// Errors of so many output numbers give their deviation to about 0.1 bits. A program with few
/// outputs is run more often, up to a limit, one with many still on several inputs; of thousands,
/// two runs say all there is to know.
constexpr uint64_t fewestEncryptions = 16, mostEncryptions = 64, wantedErrors = 512;
constexpr uint64_t leastEncryptions = 2, plentyOfErrors = 16384;

bool isRunAgain(uint64_t runs, uint64_t errors) {
  if (runs < leastEncryptions)
    return true;
  return errors < plentyOfErrors &&
         (runs < fewestEncryptions || (runs < mostEncryptions && errors < wantedErrors));
}

constexpr int64_t largestBatch = 16;

/// How the numbers of a run are drawn: each uniformly from its declared range; all at the lower
/// end, all at the upper one, each at one of the two; one item uniformly, and the others like it.
enum class Draw : uint8_t { uniform, lowest, highest, ends, alike };
constexpr Draw worstDraws[] = {Draw::lowest, Draw::highest, Draw::ends, Draw::alike};

/// Inputs for a run, drawn together where a promise does not hold.
class InputSample {
public:
  static FailureOr<InputSample> draw(func::FuncOp function, std::mt19937_64 &random, Draw how) {
    InputSample sample;
    for (unsigned index = 0; index < function.getNumArguments(); ++index) {
      auto layout = function.getArgAttrOfType<ckks::LayoutAttr>(index, ckks::layoutAttrName);
      auto range = rangeOf(function.getArgAttr(index, ckks::rangeAttrName));
      if (!layout || !range)
        return function.emitError()
                   << "argument " << index << " has no ckks.layout or no ckks.range",
               failure();
      int64_t items = layout.getBatched() ? std::min(layout.getBatch(), largestBatch) : 1;
      sample.centers.push_back(range->contains(0) ? 0 : (range->low + range->high) / 2);
      int64_t parts = function.getArgAttr(index, ckks::complexAttrName) ? 2 : 1;
      int64_t numbers = parts * ShapedType::getNumElements(layout.getShape());
      std::vector<double> &values = sample.values.emplace_back(items * numbers);
      for (size_t k = 0; k < values.size(); ++k)
        values[k] = how == Draw::alike && k >= size_t(numbers) ? values[k - numbers]
                                                               : number(*range, random, how);
    }
    return sample;
  }

  /// Brings all numbers closer to the middle of their ranges.
  void contract() {
    for (auto [input, center] : llvm::zip_equal(values, centers))
      for (double &number : input)
        number = center + 0.75 * (number - center);
  }

  TensorItems values; ///< as simulate takes them

private:
  static double number(const algorithms::Interval &range, std::mt19937_64 &random, Draw how) {
    const double low = range.low, high = range.high;
    switch (how) {
    case Draw::lowest:
      return low;
    case Draw::highest:
      return high;
    case Draw::ends:
      return random() % 2 ? high : low;
    case Draw::uniform:
    case Draw::alike:
      return std::uniform_real_distribution<double>(low, high)(random);
    }
    llvm_unreachable("all are listed");
  }

  std::vector<double> centers;
};

/// Inputs that keep what the user promised of values within the program.
FailureOr<InputSample> drawWithinPromises(ModuleOp module, func::FuncOp function,
                                          std::mt19937_64 &random, Draw how) {
  auto inputs = InputSample::draw(function, random, how);
  if (failed(inputs))
    return failure();
  // Inputs that leave a range which the user promised use a polynomial where it means nothing.
  FailureOr<bool> isRespected = respectsRanges(module, inputs->values);
  for (int attempt = 0; succeeded(isRespected) && !*isRespected && attempt < 32; ++attempt) {
    inputs->contract();
    isRespected = respectsRanges(module, inputs->values);
  }
  if (failed(isRespected))
    return failure();
  return inputs;
}

/// The errors of one output in runs under the noise model.
struct Errors {
  double squares = 0, worst = 0;
  uint64_t count = 0;

  void add(ArrayRef<double> expected, ArrayRef<double> output) {
    for (auto [a, b] : llvm::zip_equal(expected, output)) {
      squares += (a - b) * (a - b);
      worst = std::max(worst, std::fabs(a - b));
      ++count;
    }
  }
};

/// Errors of all outputs in as many runs as tell their deviation.
FailureOr<std::vector<Errors>> runUnderNoise(ModuleOp module, func::FuncOp function, Draw how,
                                             ModuleOp reference) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same forecast in every compilation
  std::mt19937_64 random(1);
  std::vector<Errors> errors(function.getNumResults());
  uint64_t count = 0;
  for (uint64_t run = 0; isRunAgain(run, count); ++run) {
    auto inputs = drawWithinPromises(module, function, random, how);
    if (failed(inputs))
      return failure();
    auto exact = reference ? simulate(reference, inputs->values, std::nullopt)
                           : simulateWithRoom(module, inputs->values);
    auto noisy = simulate(module, inputs->values, run);
    if (failed(exact) || failed(noisy))
      return failure();
    for (auto [sum, expected, output] : llvm::zip_equal(errors, *exact, *noisy)) {
      sum.add(expected, output);
      count += output.size();
    }
  }
  return errors;
}

/// What does not depend on the inputs.
OutputErrors describe(func::FuncOp function, unsigned index, ckks::ParamsAttr params) {
  auto type = cast<ckks::CtType>(function.getResultTypes()[index]);
  auto layout = function.getResultAttrOfType<ckks::LayoutAttr>(index, ckks::layoutAttrName);
  double scaleLog2 = algorithms::scaleLog2(type.getScale(), params.getLimbs());
  OutputErrors output;
  output.deviation = std::sqrt(double(params.getSlots()) / 12) * std::exp2(-scaleLog2);
  output.numbers = uint64_t(ShapedType::getNumElements(layout.getShape())) *
                   (layout.getBatched() ? layout.getBatch() : 1) *
                   (function.getResultAttr(index, ckks::complexAttrName) ? 2 : 1);
  return output;
}

void noteDeviations(ArrayRef<Errors> errors, Forecast &forecast) {
  for (auto [output, found] : llvm::zip_equal(forecast.outputs, errors))
    output.deviation = std::max(output.deviation, std::sqrt(found.squares / double(found.count)));
}

LogicalResult predictPrecision(ModuleOp module, func::FuncOp function, bool seeksWorst,
                               ModuleOp reference, Forecast &forecast) {
  FailureOr<std::vector<Errors>> errors = runUnderNoise(module, function, Draw::uniform, reference);
  if (failed(errors))
    return failure();
  auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    forecast.outputs.push_back(describe(function, index, params));
  noteDeviations(*errors, forecast);
  for (Draw how : seeksWorst ? ArrayRef(worstDraws) : ArrayRef<Draw>()) {
    FailureOr<std::vector<Errors>> others = runUnderNoise(module, function, how, reference);
    if (failed(others))
      return failure();
    noteDeviations(*others, forecast);
  }
  double largest = 0, worst = 0;
  for (const Errors &output : *errors) {
    largest = std::max(largest, output.squares / double(output.count));
    worst = std::max(worst, output.worst);
  }
  forecast.precisionBits = largest > 0 ? -std::log2(largest) / 2 : 0;
  forecast.worstSlotBits = worst > 0 ? -std::log2(worst) : 0;
  return success();
}

/// Size of the ciphertexts of a level, for their keys: digits with an alive limb only.
algorithms::OperandSize sizeAt(ckks::ParamsAttr params, int64_t level) {
  algorithms::OperandSize size;
  size.logN = params.getLogN();
  size.limbs = unsigned(params.getLevel(level).size());
  size.special = unsigned(params.getSpecial().size());
  size.digits = unsigned(llvm::count_if(params.getDigits(), [&](DenseI64ArrayAttr digit) {
    return llvm::any_of(digit.asArrayRef(), [&](int64_t limb) {
      return llvm::is_contained(params.getLevel(level), limb);
    });
  }));
  return size;
}

/// Counts products and key switches, and notes the highest level at which each key is used. Keys:
/// the rotation, or -1 for the square, -2 for conjugation.
void countOperations(func::FuncOp function, ckks::ParamsAttr params, Forecast &forecast) {
  std::map<int64_t, int64_t> levelOfKey;
  auto useKey = [&](int64_t key, Operation *op) {
    ++forecast.keySwitches;
    int64_t level = cast<ckks::CtType>(op->getOperand(0).getType()).getLevel();
    int64_t &highest = levelOfKey.try_emplace(key, level).first->second;
    highest = std::max(highest, level);
  };
  for (Operation &op : function.front().without_terminator()) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case<ckks::MulOp, ckks::SquareOp>([&](auto) { ++forecast.ciphertextProducts; })
        .Case([&](ckks::RelinearizeOp relinearization) { useKey(-1, relinearization); })
        .Case([&](ckks::RotateOp rotation) {
          int64_t slots = rotation.getInput().getType().getSlots(params);
          useKey(((int64_t(rotation.getBy()) % slots) + slots) % slots, rotation);
        })
        .Case([&](ckks::ConjugateOp conjugation) { useKey(-2, conjugation); });
  }
  for (auto [key, level] : levelOfKey)
    forecast.keyBytes += algorithms::keyBytes(sizeAt(params, level));
}

} // namespace

FailureOr<Forecast> computeForecast(ModuleOp module, bool seeksWorst, ModuleOp reference) {
  auto function = findEntryFunction(module);
  if (failed(function))
    return failure();
  auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  auto isSettled = [](Type type) {
    auto ct = dyn_cast<ckks::CtType>(type);
    return ct && ct.isSettled();
  };
  if (!params || !llvm::all_of(function->getArgumentTypes(), isSettled))
    return module.emitError("a forecast needs levels and scales: a module of the settled stage"),
           failure();
  Forecast forecast;
  forecast.levels = uint64_t(params.getNumLevels() - 1);
  countOperations(*function, params, forecast);
  if (failed(predictPrecision(module, *function, seeksWorst, reference, forecast)))
    return failure();
  return forecast;
}

} // namespace sluice
