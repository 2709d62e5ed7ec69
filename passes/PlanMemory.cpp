//===- PlanMemory.cpp - an arena slot for every limb ------------------------------------------===//
//
// Linear scan over straight-line code. The unit is one limb, so free slots always fit: memory
// cannot fragment and the peak is the largest number of limbs alive at once (up to results that may
// not share a slot with an operand).
//
// In a limb_kernel only one limb of each value is alive in a thread: the same scan, over slots of
// the thread's own.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/BlockElements.h"
#include "dialects/RNS/LoopComponents.h"
#include "dialects/RNS/ReadElements.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"

namespace {

/// One limb of one computed value. Views share the cells of what they look at.
struct Cell {
  /// Position in the block of the last operation that reads it.
  size_t lastUse = 0;
  int32_t slot = -1;
};

constexpr size_t aliveToTheEnd = std::numeric_limits<size_t>::max();

/// With at-once: what runs at the same time must not share slots, and what follows shall find its
/// operands in a GPU's cache.
constexpr size_t restingSlots = 256;

/// The arena: numbers of slots. The most recently freed is taken first, since its words are still
/// in the cache, but for the last `resting` ones while there is another, up to slot `expected`.
class Arena {
public:
  Arena() = default;
  Arena(size_t resting, int32_t expected) : resting(resting), expected(expected) {}

  int32_t take() {
    if (freeSlots.size() <= resting && (freeSlots.empty() || peak < expected))
      return peak++;
    auto slot = freeSlots.size() > resting ? freeSlots.end() - 1 - resting : freeSlots.begin();
    int32_t taken = *slot;
    freeSlots.erase(slot);
    return taken;
  }
  void release(int32_t slot) { freeSlots.push_back(slot); }
  int32_t peakSlots() const { return peak; }

private:
  size_t resting = 0;
  int32_t expected = 0;
  SmallVector<int32_t> freeSlots; // in the order in which they were freed
  int32_t peak = 0;
};

/// May a result limb take the slot of the operand limb at the same position? What functions.def
/// says.
bool canWorkInPlace(Operation *op) {
  return isa<rns::NttOp, rns::InttOp, rns::AddOp, rns::SubOp, rns::NegateOp, rns::MulOp, rns::MacOp,
             rns::WeightedSumOp, rns::MulScalarOp, rns::AddScalarOp, rns::SubMulScalarOp>(op);
}

bool isView(Operation *op) { return isa<rns::DropOp, rns::ConcatOp>(op); }

bool isHalf(Value value) { return cast<rns::PolyType>(value.getType()).isHalf(); }

/// Which results of a kernel may take the slots of its operands.
class KernelReplacements {
public:
  KernelReplacements(rns::LimbKernelOp kernel, bool atOnce)
      : kernel(kernel), blocks(rns::BlockElements::find(kernel)) {
    if (!atOnce)
      return;
    reads = rns::ReadElements::find(kernel);
    SmallVector<Operation *> body;
    for (Operation &op : kernel.getBody().front().without_terminator())
      body.push_back(&op);
    components = rns::findLoopComponents(body);
  }

  /// May result `number` take those of operand `input`? When, in the body, everything has read the
  /// operand by the time that the result is written, and at the same block: another block may still
  /// need what is overwritten elsewhere. In half forms words may stand in any order.
  bool allow(unsigned number, unsigned input) const {
    Block &body = kernel->getRegion(0).front();
    Operation *writer = body.getTerminator()->getOperand(number).getDefiningOp();
    if (isHalf(kernel->getResult(number)) || isHalf(kernel->getOperand(input)))
      return false;
    if (reads && !reads->isReadInPlace(body.getArgument(input)))
      return false;
    return llvm::all_of(body.getArgument(input).getUsers(), [&](Operation *reader) {
      if (components && !components->isEquivalent(reader, writer))
        return false; // another component may still need it
      bool isBefore =
          reader->isBeforeInBlock(writer) || (reader == writer && canWorkInPlace(writer));
      return isBefore && (!blocks || blocks->ofOperands(reader) == blocks->ofResults(writer));
    });
  }

private:
  rns::LimbKernelOp kernel;
  std::optional<rns::BlockElements> blocks;
  // If all positions are computed at once, and all components:
  std::optional<rns::ReadElements> reads;
  std::optional<rns::LoopComponents> components;
};

/// Scratch slots of one thread for the body of `kernel`: writes rns.scratch, returns how many.
int32_t planScratch(rns::LimbKernelOp kernel, OpBuilder &builder) {
  Block &body = kernel.getBody().front();
  Arena scratch;
  llvm::DenseMap<Value, int32_t> places;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    places[value] = -1 - static_cast<int32_t>(number);
  auto isLastReader = [](Operation *op, Value value) {
    return llvm::none_of(value.getUsers(),
                         [&](Operation *user) { return op->isBeforeInBlock(user); });
  };
  for (Operation &op : body.without_terminator()) {
    llvm::SmallSetVector<Value, 4> dying;
    for (Value operand : op.getOperands())
      if (auto place = places.find(operand);
          place != places.end() && place->second >= 0 && isLastReader(&op, operand))
        dying.insert(operand);
    SmallVector<int32_t> own;
    for (Value result : op.getResults()) {
      auto [place, isNew] = places.try_emplace(result, 0);
      if (isNew && canWorkInPlace(&op) && !dying.empty())
        place->second = places.lookup(dying.pop_back_val());
      else if (isNew)
        place->second = scratch.take();
      own.push_back(place->second);
    }
    for (Value operand : dying)
      scratch.release(places.lookup(operand));
    for (Value result : op.getResults())
      if (result.use_empty() && places.lookup(result) >= 0)
        scratch.release(places.lookup(result));
    op.setAttr(rns::scratchAttrName, builder.getDenseI32ArrayAttr(own));
  }
  return scratch.peakSlots();
}

class Planner {
public:
  /// `arena` is empty.
  Planner(func::FuncOp function, bool atOnce, Arena arena)
      : function(function), block(function.getBody().front()), atOnce(atOnce),
        arena(std::move(arena)) {}

  /// Gives every cell its slot and writes the attributes; returns the size of the arena and the
  /// scratch slots of a thread.
  std::pair<int32_t, int32_t> run() {
    findCells();
    findLastUses();
    OpBuilder builder(function.getContext());
    placeArguments(builder);
    size_t position = 0;
    int32_t scratch = 0;
    for (Operation &op : block) {
      if (isView(&op))
        writeSlots(builder, &op);
      else
        placeResults(builder, &op, position);
      if (auto kernel = dyn_cast<rns::LimbKernelOp>(op))
        scratch = std::max(scratch, planScratch(kernel, builder));
      ++position;
    }
    function->setAttr(rns::arenaSlotsAttrName, builder.getI64IntegerAttr(arena.peakSlots()));
    if (scratch > 0)
      function->setAttr(rns::scratchSlotsAttrName, builder.getI64IntegerAttr(scratch));
    return {arena.peakSlots(), scratch};
  }

private:
  using CellIds = SmallVector<unsigned, 8>;
  using CellSet = llvm::SmallDenseSet<unsigned>;

  void addCells(Value value) {
    auto type = dyn_cast<rns::PolyType>(value.getType());
    if (!type)
      return;
    CellIds &ids = cellsOf[value];
    for (unsigned limb = 0; limb < type.getNumLimbs(); ++limb) {
      ids.push_back(cells.size());
      cells.push_back({});
    }
  }

  void findCells() {
    for (BlockArgument argument : block.getArguments())
      addCells(argument);
    for (Operation &op : block) {
      if (auto drop = dyn_cast<rns::DropOp>(op)) {
        cellsOf[drop.getResult()] = viewCells(drop);
      } else if (auto concat = dyn_cast<rns::ConcatOp>(op)) {
        CellIds joined;
        for (Value input : concat.getInputs())
          llvm::append_range(joined, cellsOf[input]);
        cellsOf[concat.getResult()] = joined;
      } else if (!isa<rns::ConstantOp>(op)) { // constants live outside the arena
        for (Value result : op.getResults())
          addCells(result);
      }
    }
  }

  CellIds viewCells(rns::DropOp drop) {
    ArrayRef<int64_t> from = drop.getInput().getType().getLimbs();
    CellIds source = cellsOf[drop.getInput()], ids;
    for (int64_t limb : drop.getType().getLimbs())
      ids.push_back(source[llvm::find(from, limb) - from.begin()]);
    return ids;
  }

  /// A result that nothing reads is free again after its own operation, an argument before the
  /// first.
  void findLastUses() {
    size_t position = 0;
    for (Operation &op : block) {
      bool isReturn = op.hasTrait<OpTrait::IsTerminator>();
      if (!isView(&op)) {
        for (Value operand : op.getOperands())
          for (unsigned cell : cellsOf.lookup(operand))
            cells[cell].lastUse = isReturn ? aliveToTheEnd : position;
        for (Value result : op.getResults())
          for (unsigned cell : cellsOf.lookup(result))
            cells[cell].lastUse = position;
      }
      ++position;
    }
  }

  void placeArguments(OpBuilder &builder) {
    for (BlockArgument argument : block.getArguments()) {
      for (unsigned cell : cellsOf.lookup(argument))
        cells[cell].slot = arena.take();
      function.setArgAttr(argument.getArgNumber(), rns::slotsAttrName,
                          slotsAttribute(builder, argument));
    }
  }

  void placeResults(OpBuilder &builder, Operation *op, size_t position) {
    CellSet dying;
    for (Value operand : op->getOperands())
      for (unsigned cell : cellsOf.lookup(operand))
        if (cells[cell].lastUse == position)
          dying.insert(cell);
    std::optional<KernelReplacements> replacements;
    if (auto kernel = dyn_cast<rns::LimbKernelOp>(op))
      replacements.emplace(kernel, atOnce);
    for (Value result : op->getResults())
      for (auto [limb, cell] : llvm::enumerate(cellsOf.lookup(result)))
        cells[cell].slot = placeCell(cast<OpResult>(result), limb, dying, replacements);
    // Only now: a slot freed earlier could have become another limb's destination while it is still
    // read.
    for (Value operand : op->getOperands())
      for (unsigned cell : cellsOf.lookup(operand))
        if (dying.erase(cell))
          arena.release(cells[cell].slot);
    for (Value result : op->getResults())
      for (unsigned cell : cellsOf.lookup(result))
        if (cells[cell].lastUse == position)
          arena.release(cells[cell].slot);
    writeSlots(builder, op);
  }

  /// The slot of a dying operand limb where that is allowed, else a free one. All operands of an
  /// operation that works in place have the limbs of its result in the same order, so no limb is
  /// read at another position.
  int32_t placeCell(OpResult result, unsigned limb, CellSet &dying,
                    const std::optional<KernelReplacements> &replacements) {
    Operation *op = result.getOwner();
    if (!replacements && !canWorkInPlace(op))
      return arena.take();
    for (OpOperand &operand : op->getOpOperands()) {
      CellIds ids = cellsOf.lookup(operand.get());
      if (ids.empty() || !dying.contains(ids[limb]) ||
          (replacements && !canReplaceAll(*replacements, result, ids[limb], limb)))
        continue;
      dying.erase(ids[limb]);
      return cells[ids[limb]].slot;
    }
    return arena.take();
  }

  /// The cell may be a limb of several operands (views): each must allow it, at the same position.
  bool canReplaceAll(const KernelReplacements &replacements, OpResult result, unsigned cell,
                     unsigned limb) {
    for (OpOperand &operand : result.getOwner()->getOpOperands())
      for (auto [position, id] : llvm::enumerate(cellsOf.lookup(operand.get())))
        if (id == cell && (position != limb || !replacements.allow(result.getResultNumber(),
                                                                   operand.getOperandNumber())))
          return false;
    return true;
  }

  DenseI32ArrayAttr slotsAttribute(OpBuilder &builder, ValueRange values) {
    SmallVector<int32_t> slots;
    for (Value value : values)
      for (unsigned cell : cellsOf.lookup(value))
        slots.push_back(cells[cell].slot);
    return builder.getDenseI32ArrayAttr(slots);
  }

  void writeSlots(OpBuilder &builder, Operation *op) {
    if (DenseI32ArrayAttr slots = slotsAttribute(builder, op->getResults()); !slots.empty())
      op->setAttr(rns::slotsAttrName, slots);
  }

  func::FuncOp function;
  Block &block;
  bool atOnce;
  Arena arena;
  std::vector<Cell> cells;
  llvm::DenseMap<Value, CellIds> cellsOf;
};

struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    rns::RingAttr ring = rns::findRing(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isDeclaration())
        continue;
      if (!ring) {
        function.emitError("the module has no 'rns.ring', which says how large a slot is");
        return signalPassFailure();
      }
      if (failed(verifyStraightLine(function)))
        return signalPassFailure();
      auto [slots, scratch] = Planner(function, atOnce, Arena()).run();
      // Which free slot is taken changes nothing about how many are needed.
      if (atOnce)
        Planner(function, atOnce, Arena(restingSlots, slots)).run();
      peakSlots.updateMax(slots);
      uint64_t slotBytes = uint64_t(sizeof(uint64_t)) << ring.getLogN();
      InFlightDiagnostic remark = function.emitRemark("arena of ")
                                  << slots << " slots, " << slots * slotBytes << " bytes";
      if (scratch > 0)
        remark << "; scratch of " << scratch << " slots, " << scratch * slotBytes
               << " bytes a thread";
    }
  }

private:
  static LogicalResult verifyStraightLine(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("has branches; memory is planned for straight-line code");
    for (Operation &op : function.getBody().front())
      if (isa<rns::DecomposeOp, rns::ModUpOp, rns::ModDownOp, rns::RescaleOp>(op))
        return op.emitOpError("is no kernel yet; run expand-base-changes first");
      else if (!isa<rns::RNSDialect>(op.getDialect()) && !isa<func::ReturnOp>(op))
        return op.emitOpError("is not an operation of the rns dialect");
    return success();
  }
};

} // namespace

} // namespace sluice
