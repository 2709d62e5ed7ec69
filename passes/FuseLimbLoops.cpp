//===- FuseLimbLoops.cpp - chains of limb-wise operations, limb by limb -----------------------===//
//
// Operations that compute limb i from limbs i alone are gathered into rns.limb_kernel regions.
// Which may stand together: every operation has a stage, that grows along each path whenever the
// path leaves the limb-wise operations over one list of limbs; those of one list and one stage can
// never wait for something outside that waits for them.
//
// With at-once a loop can run with all its positions at the same time, as on a GPU: it holds no
// whole transform, and no automorphism of what ntt_rows gave, which other positions would wait for.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_FUSELIMBLOOPS
#include "passes/Passes.h.inc"

namespace {

/// Constants and keys have no place in the arena and no work to do: they wait for nobody.
bool isFree(Operation *op) { return isa<rns::ConstantOp, rns::KeyOp>(op); }

/// What is scheduled as one: a limb-wise chain, or a single operation.
struct Unit {
  SmallVector<Operation *> ops; // in the order of the block
  SmallVector<unsigned> users;  // units that wait for this one, each as often as it does
  unsigned waitsFor = 0;
};

/// Divides a straight-line block into units.
class Grouping {
public:
  Grouping(Block &block, unsigned window, bool atOnce) : window(window), atOnce(atOnce) {
    for (Operation &op : block.without_terminator())
      if (!isFree(&op))
        place(&op);
    for (unsigned number = 0; number < units.size(); ++number)
      for (Operation *op : units[number].ops)
        for (Operation *producer : producers(op))
          if (unsigned other = unitOf.lookup(producer); other != number) {
            units[other].users.push_back(number);
            ++units[number].waitsFor;
          }
  }

  MutableArrayRef<Unit> getUnits() { return units; }

private:
  static SmallVector<Operation *, 4> producers(Operation *op) {
    SmallVector<Operation *, 4> found;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && !isFree(producer))
        found.push_back(producer);
    return found;
  }

  /// The limbs that an operation which may stand in a loop works on; nothing for others.
  std::optional<ArrayRef<int64_t>> limbListOf(Operation *op) const {
    if (!rns::isLimbWise(op) || (atOnce && isa<rns::NttOp, rns::InttOp>(op)))
      return std::nullopt;
    return cast<rns::PolyType>(op->getResult(0).getType()).getLimbs();
  }

  /// Does `op` leave the loop that `producer` is in?
  bool leavesLoop(Operation *op, Operation *producer) const {
    std::optional<ArrayRef<int64_t>> before = limbListOf(producer);
    if (!before)
      return false;
    return before != limbListOf(op) ||
           (atOnce && isa<rns::AutomorphismOp>(op) && rowsBefore.contains(producer));
  }

  void place(Operation *op) {
    std::optional<ArrayRef<int64_t>> limbs = limbListOf(op);
    unsigned stage = 0;
    for (Operation *producer : producers(op))
      stage = std::max(stage, stages.lookup(producer) + leavesLoop(op, producer));
    stages[op] = stage;
    bool hasRows = isa<rns::NttRowsOp>(op) || llvm::any_of(producers(op), [&](Operation *producer) {
                     return rowsBefore.contains(producer) && stages.lookup(producer) == stage &&
                            limbListOf(producer) == limbs;
                   });
    if (hasRows)
      rowsBefore.insert(op);
    unsigned position = stages.size();
    // A chain that reaches far keeps much alive: one that nothing joined for a while is closed.
    if (limbs) {
      auto [open, isNew] = openUnits.try_emplace(
          {Attribute(DenseI64ArrayAttr::get(op->getContext(), *limbs)), stage}, OpenUnit{0, 0});
      if (isNew || position - open->second.lastPosition > window)
        open->second.unit = addUnit();
      open->second.lastPosition = position;
      return addTo(open->second.unit, op);
    }
    addTo(addUnit(), op);
  }

  unsigned addUnit() {
    units.emplace_back();
    return units.size() - 1;
  }
  void addTo(unsigned unit, Operation *op) {
    units[unit].ops.push_back(op);
    unitOf[op] = unit;
  }

  struct OpenUnit {
    unsigned unit, lastPosition;
  };

  unsigned window;
  bool atOnce;
  llvm::SmallPtrSet<Operation *, 32> rowsBefore; // that read what ntt_rows of their loop gave
  SmallVector<Unit> units;
  llvm::DenseMap<Operation *, unsigned> stages, unitOf;
  llvm::DenseMap<std::pair<Attribute, unsigned>, OpenUnit> openUnits;
};

/// Moves the operations so that each unit stands together: as early in the old order as what it
/// waits for allows.
void reorder(Block &block, MutableArrayRef<Unit> units) {
  auto isLater = [&](unsigned a, unsigned b) { return a > b; };
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, decltype(isLater)> ready(isLater);
  for (unsigned number = 0; number < units.size(); ++number)
    if (units[number].waitsFor == 0)
      ready.push(number);
  Operation *end = block.getTerminator();
  while (!ready.empty()) {
    unsigned number = ready.top();
    ready.pop();
    for (Operation *op : units[number].ops)
      op->moveBefore(end);
    for (unsigned user : units[number].users)
      if (--units[user].waitsFor == 0)
        ready.push(user);
  }
}

/// Orders the body so that a value is used up soon: the scratch that a thread needs is the largest
/// number of values alive at once. Each time the ready operation that leaves the fewest alive,
/// among equals that which reads the most of them, then the earliest.
SmallVector<Operation *> orderForScratch(ArrayRef<Operation *> ops) {
  llvm::SmallSetVector<Operation *, 32> left(ops.begin(), ops.end());
  llvm::DenseMap<Operation *, unsigned> waitsFor;
  llvm::DenseMap<Value, unsigned> usesLeft;
  auto inside = [&](Value value) {
    return value.getDefiningOp() && left.contains(value.getDefiningOp());
  };
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (inside(operand)) {
        ++waitsFor[op];
        ++usesLeft[operand];
      }
  SmallVector<Operation *> order;
  SmallVector<Operation *> ready;
  for (Operation *op : ops)
    if (!waitsFor.lookup(op))
      ready.push_back(op);
  auto growth = [&](Operation *op) {
    int alive = static_cast<int>(op->getNumResults()), read = 0;
    llvm::SmallDenseMap<Value, unsigned> uses;
    for (Value operand : op->getOperands())
      if (usesLeft.contains(operand)) {
        ++read;
        alive -= ++uses[operand] == usesLeft.lookup(operand);
      }
    return std::pair(alive, -read);
  };
  llvm::DenseMap<Operation *, unsigned> position;
  for (auto [number, op] : llvm::enumerate(ops))
    position[op] = number;
  while (!ready.empty()) {
    auto best = llvm::min_element(ready, [&](Operation *a, Operation *b) {
      return std::pair(growth(a), position[a]) < std::pair(growth(b), position[b]);
    });
    Operation *op = *best;
    ready.erase(best);
    order.push_back(op);
    for (Value operand : op->getOperands())
      if (auto uses = usesLeft.find(operand); uses != usesLeft.end())
        --uses->second;
    for (Operation *user : op->getUsers())
      if (left.contains(user) && --waitsFor[user] == 0)
        ready.push_back(user);
  }
  return order;
}

/// Puts the operations of a unit, which stand together, into a kernel.
void makeKernel(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 32> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs, results;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (isa<rns::PolyType>(operand.getType()) && !inside.contains(operand.getDefiningOp()) &&
          !operand.getDefiningOp<rns::ConstantOp>())
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(user); }))
        results.insert(result);
  }
  SmallVector<Operation *> order = orderForScratch(ops);
  OpBuilder builder(ops.back());
  builder.setInsertionPointAfter(ops.back());
  Location loc = ops.back()->getLoc();
  auto kernel = rns::LimbKernelOp::create(
      builder, loc, ValueRange(results.getArrayRef()).getTypes(), inputs.getArrayRef());
  Block *body = builder.createBlock(&kernel.getBody());
  for (Value input : inputs)
    input.replaceUsesWithIf(body->addArgument(input.getType(), input.getLoc()),
                            [&](OpOperand &use) { return inside.contains(use.getOwner()); });
  builder.setInsertionPointToEnd(body);
  rns::YieldOp::create(builder, loc, results.getArrayRef());
  for (unsigned number = 0; number < results.size(); ++number)
    Value(results[number]).replaceUsesWithIf(kernel.getResult(number), [&](OpOperand &use) {
      return !inside.contains(use.getOwner()) && use.getOwner()->getBlock() != body;
    });
  Operation *yield = body->getTerminator();
  for (Operation *op : order)
    op->moveBefore(yield);
}

struct FuseLimbLoops : impl::FuseLimbLoopsBase<FuseLimbLoops> {
  using FuseLimbLoopsBase::FuseLimbLoopsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        Grouping grouping(block, window, atOnce);
        reorder(block, grouping.getUnits());
        for (const Unit &unit : grouping.getUnits()) {
          if (unit.ops.size() < 2)
            continue;
          makeKernel(unit.ops);
          ++kernels;
          largest.updateMax(unit.ops.size());
        }
      }
  }
};

} // namespace

} // namespace sluice
