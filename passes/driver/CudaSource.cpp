//===- CudaSource.cpp - a program for CUDA devices --------------------------------------------===//

#include "passes/driver/CudaSource.h"

#include "dialects/RNS/LoopComponents.h"
#include "passes/driver/CudaKernel.h"
#include "passes/driver/LaunchJoiner.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice {

namespace {

const char *kindName(LimbKernelKind kind) {
  return kind == LimbKernelKind::rows ? "rows" : "elements";
}

class ProgramWriter {
public:
  ProgramWriter(FusedProgram program, unsigned logN) : program(std::move(program)), logN(logN) {}

  FailureOr<CudaProgram> write() {
    for (Operation &op : program.getFunction().getBody().front())
      if (failed(write(op)))
        return failure();
    joinLaunches(list);
    std::string text = source(); // before the list moves
    return CudaProgram{logN, std::move(list), std::move(text)};
  }

private:
  LogicalResult write(Operation &op) {
    if (!isa<rns::ConstantOp, rns::KeyOp, func::ReturnOp>(op) && failed(program.findPlaces(op)))
      return failure();
    if (isWithoutCode(op))
      return success();
    if (std::optional<uint32_t> stage = program.enterStage(op.getLoc())) {
      Launch launch;
      launch.kind = LaunchKind::beginStage;
      launch.number = *stage;
      list.launches.push_back(std::move(launch));
    }
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](rns::LimbKernelOp op) { return loop(op); })
        .Case([&](rns::NttOp op) { return whole(LaunchKind::ntt, op, op.getInput()); })
        .Case([&](rns::InttOp op) { return whole(LaunchKind::intt, op, op.getInput()); })
        .Case([&](rns::BaseConvertOp op) {
          return whole(op.getInput().getType().isHalf() ? LaunchKind::baseConvertColumns
                                                        : LaunchKind::baseConvert,
                       op, op.getInput());
        })
        .Default([&](Operation *op) { return single(op); });
  }

  // --- Launches ---

  /// An operation with a kernel of its own.
  LogicalResult whole(LaunchKind kind, Operation *op, Value input) {
    Launch launch;
    launch.kind = kind;
    launch.destinations = limbsOf(op->getResult(0));
    launch.sources = limbsOf(input);
    if (isConversion(kind))
      launch.conversions = {{static_cast<uint32_t>(launch.destinations.size()),
                             static_cast<uint32_t>(launch.sources.size())}};
    list.launches.push_back(std::move(launch));
    return success();
  }

  std::vector<LaunchLimb> limbsOf(Value value) const {
    std::vector<LaunchLimb> found;
    ArrayRef<int64_t> limbs = cast<rns::PolyType>(value.getType()).getLimbs();
    for (auto [limb, slot] : llvm::zip_equal(limbs, program.slotsOf(value)))
      found.push_back({static_cast<uint32_t>(limb), static_cast<uint32_t>(slot)});
    return found;
  }

  LogicalResult loop(rns::LimbKernelOp op) {
    Block &body = op.getBody().front();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op.getInputs()))
      program.setPlace(argument, program.slotsOf(operand));
    LimbLoop found{op, {}, {}, {}};
    for (Operation &inner : body.without_terminator())
      found.body.push_back(&inner);
    llvm::append_range(found.results, body.getTerminator()->getOperands());
    for (Value result : op.getResults())
      found.resultSlots.push_back(program.slotsOf(result));
    return launch(found);
  }

  /// A limb-wise operation outside of a loop is one of itself.
  LogicalResult single(Operation *op) {
    if (!rns::isLimbWise(op))
      return op->emitOpError("has no kernel on a GPU; run expand-base-changes first");
    LimbLoop found{op, {op}, {}, {}};
    for (Value result : op->getResults()) {
      found.results.push_back(result);
      found.resultSlots.push_back(program.slotsOf(result));
    }
    return launch(found);
  }

  /// The components of a loop with the same kernel are one launch.
  LogicalResult launch(const LimbLoop &loop) {
    llvm::MapVector<uint32_t, std::vector<CudaKernel>> kernels; // by number
    for (const LimbLoop &component : componentsOf(loop)) {
      FailureOr<CudaKernel> kernel = writeCudaKernel(program, component, logN);
      if (failed(kernel))
        return failure();
      kernels[numberOf(*kernel)].push_back(std::move(*kernel));
    }
    if (list.kernels.size() > limits::limbKernels)
      return loop.op->emitOpError("is one of more than ")
             << limits::limbKernels << " different loops, more than a GPU program may have";
    for (const auto &[number, components] : kernels) {
      size_t limbs = components.front().parameters.front().size();
      for (ArrayRef<CudaKernel> left = components; !left.empty();) {
        size_t count = std::min(left.size(), limits::launchLimbs / limbs);
        launch(number, limbs, left.take_front(count));
        left = left.drop_front(count);
      }
    }
    return success();
  }

  /// Limb by limb, in which all components come together: what they all read stays in the cache.
  void launch(uint32_t number, size_t limbs, ArrayRef<CudaKernel> components) {
    Launch launch;
    launch.number = number;
    launch.limbs = static_cast<uint32_t>(limbs * components.size());
    for (size_t limb = 0; limb < limbs; ++limb)
      for (const CudaKernel &kernel : components)
        for (const std::vector<uint64_t> &parameter : kernel.parameters)
          launch.parameters.push_back(parameter[limb]);
    list.launches.push_back(std::move(launch));
  }

  /// The parts of `loop` that share no computed value and do not write what another one uses: all
  /// of a launch runs at once, and launches of one loop in any order.
  SmallVector<LimbLoop> componentsOf(const LimbLoop &loop) const {
    rns::LoopComponents components = rns::findLoopComponents(loop.body);
    llvm::DenseMap<int32_t, Operation *> writers; // of slots
    for (auto [result, slots] : llvm::zip_equal(loop.results, loop.resultSlots))
      for (int32_t slot : slots) {
        auto [known, isNew] = writers.try_emplace(slot, result.getDefiningOp());
        if (!isNew) // an error, which the kernel reports
          components.unionSets(known->second, result.getDefiningOp());
      }
    for (Operation *op : loop.body)
      for (Value operand : op->getOperands())
        if (!components.contains(operand.getDefiningOp()))
          for (int32_t slot : program.slotsOf(operand))
            if (Operation *writer = writers.lookup(slot))
              components.unionSets(writer, op);
    llvm::MapVector<Operation *, LimbLoop> found;
    for (auto [result, slots] : llvm::zip_equal(loop.results, loop.resultSlots)) {
      Operation *leader = components.getLeaderValue(result.getDefiningOp());
      LimbLoop &component = found.try_emplace(leader, LimbLoop{loop.op, {}, {}, {}}).first->second;
      component.results.push_back(result);
      component.resultSlots.push_back(slots);
    }
    for (Operation *op : loop.body) // without what no result needs
      if (auto component = found.find(components.getLeaderValue(op)); component != found.end())
        component->second.body.push_back(op);
    SmallVector<LimbLoop> parts;
    for (auto &[leader, component] : found)
      parts.push_back(std::move(component));
    return parts;
  }

  /// Of the kernel with this text, kind and parameters.
  uint32_t numberOf(const CudaKernel &kernel) {
    auto parameters = static_cast<uint32_t>(kernel.parameters.size());
    std::string head = ", " + std::to_string(parameters) + ", " + kindName(kernel.kind) + ") {\n";
    auto [entry, isNew] = numbers.try_emplace(head + kernel.text, list.kernels.size());
    if (isNew) {
      list.kernels.push_back({kernel.kind, parameters, kernel.outputs});
      texts.push_back(entry->first());
    }
    return entry->second;
  }

  // --- Source ---

  std::string source() const {
    std::vector<uint32_t> uses(list.kernels.size()); // launches of each
    for (const Launch &launch : list.launches)
      if (launch.kind == LaunchKind::limbKernel)
        ++uses[launch.number];
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << "// Made by the Sluice compiler: " << list.kernels.size() << " kernels for the "
           << list.launches.size() << " launches of a program with N = 2^" << logN << ".\n"
           << "#define SLUICE_LOG_N " << logN << "\n"
           << "#include \"runtime/cuda/kernels/program.cuh\"\n";
    for (auto [number, kernel] : llvm::enumerate(texts))
      stream << "\n// Launched " << uses[number] << (uses[number] == 1 ? " time.\n" : " times.\n")
             << "SLUICE_LIMB_KERNEL(limb_kernel_" << number << kernel << "}\n";
    return text;
  }

  FusedProgram program;
  unsigned logN;
  LaunchList list;
  llvm::StringMap<uint32_t> numbers;
  std::vector<StringRef> texts; // of each kernel, after its name
};

std::string formatWord(uint64_t word) {
  uint64_t number = word & ((uint64_t{1} << launchParameterShift) - 1);
  auto row = [&] { return std::to_string(number & 0xffff); };
  switch (static_cast<LaunchParameterKind>(word >> launchParameterShift)) {
  case LaunchParameterKind::scalar:
    return std::to_string(number);
  case LaunchParameterKind::limb:
    return "limb " + std::to_string(number);
  case LaunchParameterKind::slot:
    return "slot " + std::to_string(number);
  case LaunchParameterKind::constantRow:
    return "constant " + std::to_string(number >> 16) + " row " + row();
  case LaunchParameterKind::keyRowB:
  case LaunchParameterKind::keyRowA:
    break;
  }
  bool isB = word >> launchParameterShift == uint64_t(LaunchParameterKind::keyRowB);
  return std::string("key ") + std::to_string(number >> 32) + (isB ? ".b" : ".a") + " digit " +
         std::to_string(number >> 16 & 0xffff) + " row " + row();
}

constexpr const char *launchNames[] = {"limb_kernel", "base_convert", "base_convert_columns",
                                       "ntt",         "intt",         "begin_stage"};

void formatLimbs(llvm::raw_ostream &stream, const char *name, ArrayRef<LaunchLimb> limbs) {
  stream << "  " << name << ":";
  const char *separator = " ";
  for (LaunchLimb limb : limbs) {
    stream << separator << "limb " << limb.limb << " slot " << limb.slot;
    separator = ", ";
  }
  stream << "\n";
}

} // namespace

FailureOr<CudaProgram> writeCudaProgram(ModuleOp module) {
  rns::RingAttr ring = rns::findRing(module);
  if (!ring)
    return module.emitError("the module has no 'rns.ring', which says how large a limb is");
  FailureOr<FusedProgram> program = FusedProgram::read(module);
  if (failed(program))
    return failure();
  return ProgramWriter(std::move(*program), ring.getLogN()).write();
}

std::string formatLaunches(const LaunchList &list) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [number, kernel] : llvm::enumerate(list.kernels))
    stream << "kernel " << number << ": " << kindName(kernel.kind) << ", " << kernel.parameters
           << " parameters, " << kernel.outputs << " outputs\n";
  for (auto [position, launch] : llvm::enumerate(list.launches)) {
    stream << "launch " << position << ": " << launchNames[size_t(launch.kind)];
    if (launch.kind == LaunchKind::limbKernel || launch.kind == LaunchKind::beginStage)
      stream << " " << launch.number;
    stream << "\n";
    if (launch.kind == LaunchKind::limbKernel) {
      ArrayRef<uint64_t> words = launch.parameters;
      for (uint32_t limb = 0; limb < launch.limbs; ++limb)
        stream << "  "
               << llvm::join(llvm::map_range(words.slice(limb * (words.size() / launch.limbs),
                                                         words.size() / launch.limbs),
                                             formatWord),
                             ", ")
               << "\n";
    } else if (launch.kind != LaunchKind::beginStage) {
      for (ConversionSize size : launch.conversions)
        stream << "  conversion of " << size.sources << " limbs to " << size.destinations << "\n";
      formatLimbs(stream, "destinations", launch.destinations);
      formatLimbs(stream, "sources", launch.sources);
    }
  }
  return text;
}

} // namespace sluice
