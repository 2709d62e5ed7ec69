//===- CudaKernel.cpp - one limb kernel as CUDA C++ -------------------------------------------===//
//
// In the order of the body, which keeps few values alive: what is read from memory, or at another
// Galois element, is loaded or computed where it is first read, and results are written at once.
// That is safe without any barrier: a thread reads what a result overwrites at the positions that
// it writes itself, once, before.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/driver/CudaKernel.h"

#include "dialects/RNS/ReadElements.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice {

namespace {

/// Products that a Sum of program.cuh can hold.
constexpr size_t maxProducts = 256;

class KernelWriter {
public:
  KernelWriter(const FusedProgram &program, const LimbLoop &loop, uint32_t mask)
      : program(program), loop(loop), mask(mask), needed(loop.body, loop.results, mask),
        inside(loop.body.begin(), loop.body.end()), stream(kernel.text) {}

  FailureOr<CudaKernel> write() {
    if (failed(findOverwritten()))
      return failure();
    declareOutputs();
    for (Operation *op : loop.body)
      if (isa<rns::NttRowsOp, rns::InttRowsOp>(op))
        kernel.kind = LimbKernelKind::rows;
    for (Operation *op : loop.body)
      for (Value result : op->getResults())
        if (!isa<rns::AutomorphismOp>(op) && llvm::is_contained(needed.of(result), 1))
          valueAt(result, 1);
    for (Value result : loop.results)
      valueAt(result, 1); // automorphisms of what is read from memory
    if (hasFailed)
      return failure();
    for (size_t number = 0; number < loop.results.size(); ++number)
      if (!stored[number])
        store(number);
    if (kernel.parameters.size() > limits::kernelParameters)
      return loop.op->emitOpError("needs ")
             << kernel.parameters.size() << " parameters on a GPU, but a kernel has at most "
             << limits::kernelParameters;
    return std::move(kernel);
  }

private:
  // --- Parameters ---

  size_t addParameter(std::vector<uint64_t> words) {
    kernel.parameters.push_back(std::move(words));
    return kernel.parameters.size() - 1;
  }

  /// `numbers[i]` for limb i, all of one kind.
  template <typename Range> size_t addParameter(LaunchParameterKind kind, const Range &numbers) {
    std::vector<uint64_t> words;
    words.reserve(numLimbs());
    for (auto number : numbers)
      words.push_back(launchParameter(kind, static_cast<uint64_t>(number)));
    return addParameter(std::move(words));
  }

  size_t numLimbs() const {
    return cast<rns::PolyType>(loop.results.front().getType()).getNumLimbs();
  }

  void declareOutputs() {
    ArrayRef<int64_t> limbs = cast<rns::PolyType>(loop.results.front().getType()).getLimbs();
    addParameter(LaunchParameterKind::limb, limbs);
    for (ArrayRef<int32_t> slots : loop.resultSlots)
      addParameter(LaunchParameterKind::slot, slots);
    kernel.outputs = static_cast<uint32_t>(loop.results.size());
  }

  /// Where a value that the kernel reads stands: in the arena or in a constant.
  size_t placeOf(Value value) {
    auto [known, isNew] = placeParameters.try_emplace(value, 0);
    if (!isNew)
      return known->second;
    size_t parameter;
    if (auto constant = value.getDefiningOp<rns::ConstantOp>()) {
      uint64_t number = uint64_t(program.getConstants().numberOf(constant)) << 16;
      parameter = addParameter(LaunchParameterKind::constantRow,
                               llvm::map_range(program.getConstants().rowsOf(constant),
                                               [&](uint16_t row) { return number | row; }));
    } else if (ArrayRef<int32_t> slots = program.slotsOf(value); slots.size() == numLimbs()) {
      parameter = addParameter(LaunchParameterKind::slot, slots);
    } else {
      loop.op->emitOpError("reads a value without a place; run plan-memory first");
      hasFailed = true;
      return 0;
    }
    return placeParameters[value] = parameter;
  }

  size_t scalar(ArrayRef<int64_t> residues) {
    return addParameter(LaunchParameterKind::scalar, residues);
  }

  size_t elementParameter(uint32_t element) {
    auto [known, isNew] = elementParameters.try_emplace(element, 0);
    if (isNew)
      known->second =
          addParameter(LaunchParameterKind::scalar, std::vector<uint64_t>(numLimbs(), element));
    return known->second;
  }

  size_t keyRow(LaunchParameterKind half, const FusedProgram::KeyUse &use, size_t digit) {
    uint64_t number = uint64_t(use.key) << 32 | uint64_t(use.digits[digit]) << 16;
    return addParameter(half,
                        llvm::map_range(use.rows, [&](uint16_t row) { return number | row; }));
  }

  /// The call that loads what parameter `place` says, at the positions that X -> X^element reads.
  std::string loadAt(size_t place, uint32_t element) {
    if (element == 1)
      return "load(b, " + std::to_string(place) + ")";
    return "loadAt(b, " + std::to_string(place) + ", " + std::to_string(elementParameter(element)) +
           ")";
  }

  // --- Values ---

  std::string newName(const char *prefix, unsigned &count) {
    return prefix + std::to_string(count++);
  }

  /// The name of `value` at the positions that X -> X^element reads. Writes what computes it where
  /// nothing did so far.
  std::string valueAt(Value value, uint32_t element) {
    if (hasFailed)
      return {}; // one error is enough
    if (auto known = names.find({value, element}); known != names.end())
      return known->second;
    Operation *op = value.getDefiningOp();
    if (!op || !inside.contains(op)) {
      std::string call = loadAt(placeOf(value), element);
      return names[{value, element}] = define(call);
    }
    if (auto automorphism = dyn_cast<rns::AutomorphismOp>(op))
      return valueAt(automorphism.getInput(),
                     element * static_cast<uint32_t>(automorphism.getElement()) & mask);
    compute(op, element);
    storeReady();
    return names.lookup({value, element});
  }

  std::string define(const std::string &call) {
    std::string name = newName("v", numValues);
    stream << "  const Residues " << name << " = " << call << ";\n";
    return name;
  }

  /// Writes what gives the results of `op` at `element`.
  void compute(Operation *op, uint32_t element) {
    auto at = [&](Value operand) { return valueAt(operand, element); };
    auto result = [&](const std::string &call) {
      names[{op->getResult(0), element}] = define(call);
    };
    // Operands in the order in which they are written: evaluation order of arguments is
    // unspecified.
    auto call = [&](const char *function, ValueRange operands) {
      std::string text = std::string(function) + "(b";
      for (Value operand : operands)
        text += ", " + at(operand);
      return text;
    };
    auto withScalars = [&](const char *function, ArrayRef<int64_t> residues) {
      std::string text = call(function, op->getOperands());
      return text + ", " + std::to_string(scalar(residues)) + ")";
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](rns::ZeroOp) { result("zero(b)"); })
        .Case([&](rns::AddOp) { result(call("add", op->getOperands()) + ")"); })
        .Case([&](rns::SubOp) { result(call("sub", op->getOperands()) + ")"); })
        .Case([&](rns::NegateOp) { result(call("negate", op->getOperands()) + ")"); })
        .Case([&](rns::MulOp) { result(call("mul", op->getOperands()) + ")"); })
        .Case([&](rns::MacOp) { result(call("mac", op->getOperands()) + ")"); })
        .Case([&](rns::MulScalarOp op) { result(withScalars("mulScalar", op.getScalars())); })
        .Case([&](rns::AddScalarOp op) { result(withScalars("addScalar", op.getScalars())); })
        .Case([&](rns::SubMulScalarOp op) { result(withScalars("subMulScalar", op.getScalars())); })
        .Case([&](rns::NttRowsOp op) { computeNttRows(op, element); })
        .Case([&](rns::InttRowsOp op) {
          std::string operand = at(op.getInput()), name = newName("h", numHalves);
          stream << "  const Half " << name << " = inttRows(b, " << operand << ");\n";
          names[{op.getResult(), element}] = name;
        })
        .Case([&](rns::InnerProductOp op) { computeInnerProduct(op, element); })
        .Case([&](rns::WeightedSumOp op) { computeWeightedSum(op, element); })
        .Default([&](Operation *op) {
          op->emitOpError("cannot be in a loop that runs on a GPU; run fuse-limb-loops with "
                          "at-once");
          hasFailed = true;
        });
  }

  void computeNttRows(rns::NttRowsOp op, uint32_t element) {
    if (element != 1) {
      op.emitOpError("gives what an automorphism in the same loop reads, which cannot run on a "
                     "GPU; run fuse-limb-loops with at-once");
      hasFailed = true;
      return;
    }
    names[{op.getResult(), element}] =
        define("nttRows(b, loadHalf(b, " + std::to_string(placeOf(op.getInput())) + "))");
  }

  /// Begins a sum for each result of `op` that is read; the names are empty for the others.
  SmallVector<std::string, 2> beginSums(Operation *op, uint32_t element, ValueRange begins) {
    SmallVector<std::string, 2> sums;
    for (OpResult result : op->getResults()) {
      bool isRead = llvm::is_contained(needed.of(result), element);
      std::string begin = "b";
      if (isRead && !begins.empty())
        begin += ", " + valueAt(begins[result.getResultNumber()], element);
      sums.push_back(isRead ? newName("s", numSums) : "");
      if (isRead)
        stream << "  Sum " << sums.back() << " = beginSum(" << begin << ");\n";
    }
    return sums;
  }

  void endSums(Operation *op, uint32_t element, ArrayRef<std::string> sums) {
    for (OpResult result : op->getResults())
      if (const std::string &sum = sums[result.getResultNumber()]; !sum.empty())
        names[{result, element}] = define("reduceSum(b, " + sum + ")");
  }

  void computeInnerProduct(rns::InnerProductOp op, uint32_t element) {
    FailureOr<FusedProgram::KeyUse> use = program.keyUseOf(op);
    if (failed(use) || failed(checkProducts(op, use->digits.size()))) {
      hasFailed = true;
      return;
    }
    constexpr LaunchParameterKind halves[] = {LaunchParameterKind::keyRowB,
                                              LaunchParameterKind::keyRowA};
    stream << "  // " << op->getName() << " of " << use->digits.size() << " digits\n";
    SmallVector<std::string, 2> sums = beginSums(op, element, {});
    for (auto [number, digit] : llvm::enumerate(op.getDigits())) {
      std::string value = valueAt(digit, element);
      for (auto [half, sum] : llvm::zip_equal(halves, sums))
        if (!sum.empty()) {
          std::string row = loadAt(keyRow(half, *use, number), element);
          stream << "  addProduct(b, " << sum << ", " << value << ", " << row << ");\n";
        }
    }
    endSums(op, element, sums);
  }

  /// Sums that read terms of `op`, are not known and do not wait for `op` or for each other, `op`
  /// first: each term goes into all of them while it is in registers.
  SmallVector<rns::WeightedSumOp> sumsBeside(rns::WeightedSumOp op, uint32_t element) {
    llvm::DenseSet<Value> terms;
    for (ValueRange values : {op.getValues0(), op.getValues1()})
      terms.insert(values.begin(), values.end());
    SmallVector<rns::WeightedSumOp> found = {op};
    for (Operation *other : loop.body) {
      auto sum = dyn_cast<rns::WeightedSumOp>(other);
      if (!sum || sum == op || open.contains({sum, element}) || !isWanted(sum, element) ||
          llvm::none_of(sum.getValues0(), [&](Value value) { return terms.contains(value); }))
        continue;
      bool waitsForOpen = llvm::any_of(open, [&](const std::pair<Operation *, uint32_t> &other) {
        return other.second == element && dependsOn(sum, other.first);
      });
      if (!waitsForOpen && llvm::none_of(found, [&](rns::WeightedSumOp first) {
            return dependsOn(sum, first) || dependsOn(first, sum);
          }))
        found.push_back(sum);
    }
    return found;
  }

  /// Is a result of `op` needed at `element` and not known there?
  bool isWanted(Operation *op, uint32_t element) const {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return llvm::is_contained(needed.of(result), element) && !names.contains({result, element});
    });
  }

  bool dependsOn(Operation *op, Operation *earlier) const {
    SmallVector<Operation *> left = {op};
    llvm::DenseSet<Operation *> seen;
    while (!left.empty()) {
      Operation *next = left.pop_back_val();
      for (Value operand : next->getOperands()) {
        Operation *source = operand.getDefiningOp();
        if (source == earlier)
          return true;
        if (source && inside.contains(source) && seen.insert(source).second)
          left.push_back(source);
      }
    }
    return false;
  }

  /// A weighted sum that is being written, and which of its terms are in it.
  struct OpenSum {
    rns::WeightedSumOp op;
    SmallVector<std::string, 2> names;
    std::vector<bool> added;
  };

  void computeWeightedSum(rns::WeightedSumOp op, uint32_t element) {
    SmallVector<rns::WeightedSumOp> ops = sumsBeside(op, element);
    for (rns::WeightedSumOp sum : ops)
      open.insert({sum, element});
    SmallVector<OpenSum> sums;
    for (rns::WeightedSumOp sum : ops) {
      if (failed(checkProducts(sum, sum.getWeights().size()))) {
        hasFailed = true;
        return;
      }
      stream << "  // " << sum->getName() << " of " << sum.getWeights().size() << " terms\n";
      sums.push_back({sum, beginSums(sum, element, {sum.getAcc0(), sum.getAcc1()}),
                      std::vector<bool>(sum.getWeights().size())});
    }
    for (OpenSum &sum : sums) {
      for (size_t term = 0; term < sum.added.size(); ++term)
        if (!sum.added[term])
          for (OpenSum &reader : sums)
            addTerms(reader, sum.op.getValues0()[term], sum.op.getValues1()[term], element);
      endSums(sum.op, element, sum.names);
      open.erase({sum.op, element});
      storeReady();
    }
  }

  /// Adds those products of `sum` that have these two values.
  void addTerms(OpenSum &sum, Value value0, Value value1, uint32_t element) {
    for (auto [number, weight] : llvm::enumerate(sum.op.getWeights())) {
      Value terms[] = {sum.op.getValues0()[number], sum.op.getValues1()[number]};
      if (sum.added[number] || terms[0] != value0 || terms[1] != value1)
        continue;
      sum.added[number] = true;
      std::string factor = valueAt(weight, element);
      for (auto [term, name] : llvm::zip_equal(terms, sum.names))
        if (!name.empty()) {
          std::string value = valueAt(term, element);
          stream << "  addProduct(b, " << name << ", " << value << ", " << factor << ");\n";
        }
    }
  }

  static LogicalResult checkProducts(Operation *op, size_t products) {
    if (products <= maxProducts)
      return success();
    return op->emitOpError("sums ")
           << products << " products, but a GPU kernel sums at most " << maxProducts << " at once";
  }

  // --- Results ---

  /// All limbs and all positions run at once: what is written may be read at the same limb and
  /// position only.
  LogicalResult findOverwritten() {
    llvm::DenseMap<int32_t, std::pair<size_t, size_t>> written; // slot to result and limb
    for (auto [number, slots] : llvm::enumerate(loop.resultSlots))
      for (auto [limb, slot] : llvm::enumerate(slots))
        if (!written.try_emplace(slot, number, limb).second)
          return loop.op->emitOpError("has two results in slot ") << slot;
    overwritten.resize(loop.results.size());
    stored.resize(loop.results.size());
    llvm::SmallSetVector<Value, 16> inputs;
    for (Operation *op : loop.body)
      for (Value operand : op->getOperands())
        if (!inside.contains(operand.getDefiningOp()) && !needed.of(operand).empty())
          inputs.insert(operand);
    for (Value input : inputs)
      for (auto [limb, slot] : llvm::enumerate(program.slotsOf(input))) {
        auto found = written.find(slot);
        if (found == written.end())
          continue;
        auto [number, writtenLimb] = found->second;
        if (writtenLimb != limb || !needed.isReadInPlace(input) || isHalf(input) ||
            isHalf(loop.results[number]))
          return loop.op->emitOpError("has a result in slot ")
                 << slot << ", which it reads at other positions: on a GPU these may have been "
                 << "written before; run plan-memory with at-once";
        if (!llvm::is_contained(overwritten[number], input))
          overwritten[number].push_back(input);
      }
    return success();
  }

  static bool isHalf(Value value) { return cast<rns::PolyType>(value.getType()).isHalf(); }

  void store(size_t number) {
    Value result = loop.results[number];
    std::string value = valueAt(result, 1);
    stream << (isHalf(result) ? "  storeHalf(b, " : "  store(b, ") << number + 1 << ", " << value
           << ");\n";
    stored[number] = true;
  }

  /// Writes the results that are known, if what they overwrite was read.
  void storeReady() {
    auto isKnown = [&](Value value) { return names.contains({value, 1}); };
    for (auto [number, result] : llvm::enumerate(loop.results))
      if (!stored[number] && isKnown(result) && llvm::all_of(overwritten[number], isKnown))
        store(number);
  }

  const FusedProgram &program;
  const LimbLoop &loop;
  uint32_t mask; // 2N - 1
  rns::ReadElements needed;
  llvm::DenseSet<Operation *> inside;
  CudaKernel kernel;
  llvm::raw_string_ostream stream;
  llvm::DenseMap<std::pair<Value, uint32_t>, std::string> names;
  llvm::MapVector<Value, size_t> placeParameters;
  llvm::DenseMap<uint32_t, size_t> elementParameters;
  SmallVector<SmallVector<Value, 1>> overwritten;        // by each result
  std::vector<bool> stored;                              // each result
  llvm::DenseSet<std::pair<Operation *, uint32_t>> open; // weighted sums that are being written
  unsigned numValues = 0, numHalves = 0, numSums = 0;
  bool hasFailed = false;
};

} // namespace

FailureOr<CudaKernel> writeCudaKernel(const FusedProgram &program, const LimbLoop &loop,
                                      unsigned logN) {
  return KernelWriter(program, loop, (uint32_t{2} << logN) - 1).write();
}

} // namespace sluice
