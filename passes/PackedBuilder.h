//===- PackedBuilder.h - tensor arithmetic on lanes of one ciphertext -------------------------===//
//
// What pack-tensors emits. A packed tensor is one ciphertext whose lanes hold the elements
// (algorithms/Layout.h); the builder keeps account of what stands in the other lanes, because a sum
// over lanes needs zeros there and a polynomial must not meet values outside its interval: one huge
// slot would spoil all others.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_PACKEDBUILDER_H
#define SLUICE_PASSES_PACKEDBUILDER_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/Interval.h"
#include "passes/algorithms/Layout.h"

#include "mlir/IR/Builders.h"

#include <vector>

namespace sluice {

/// A tensor in the lanes of a ciphertext.
struct Packed {
  mlir::Value ct;
  algorithms::Shape shape;
  /// Every lane holds the same number (per batch item): then every shape fits and there is no
  /// padding.
  bool isUniform = false;
  /// A single element may stand in a lane other than 0: an element of a tensor that was picked but
  /// not moved.
  int64_t lane = 0;
  /// Bounds of the elements, and of what stands in the lanes without element (meaningless if
  /// isUniform).
  algorithms::Interval range = algorithms::Interval::everything();
  algorithms::Interval padding = algorithms::Interval::everything();

  int64_t elements() const { return algorithms::elementCount(shape); }
};

/// Emits packed operations on `lanes` lanes of `slots / lanes` slots each.
class PackedBuilder {
public:
  PackedBuilder(mlir::OpBuilder &builder, int64_t lanes, int64_t slots)
      : builder(builder), lanes(lanes), slots(slots) {}

  /// Where the next operations come from.
  void setLocation(mlir::Location location) { loc = location; }

  /// Element by element; shapes are equal.
  Packed add(Packed a, Packed b);
  Packed subtract(Packed a, Packed b);
  Packed multiply(Packed a, Packed b);
  Packed negate(Packed a);
  Packed square(Packed a);
  /// a^exponent, exponent >= 1, in depth ceil(log2 exponent).
  Packed power(const Packed &a, int64_t exponent);
  /// With clear elements of the same shape. Clear padding is zero, so that products have zero
  /// padding.
  Packed addConstant(Packed a, const std::vector<double> &elements);
  Packed multiplyConstant(Packed a, const std::vector<double> &elements);
  /// Copies of ckks.polynomial `op` on `a`.
  Packed polynomial(Packed a, ckks::PolynomialOp op);

  /// The tensor of `shape` whose element out is the sum of value * element in over the terms.
  struct Term {
    int64_t out, in;
    double value;
  };
  Packed linearMap(Packed a, const algorithms::Shape &shape, const std::vector<Term> &terms);
  /// Places single elements into a tensor of `shape`, element i at positions[i]; other elements are
  /// 0.
  Packed gather(const std::vector<Packed> &elements, const std::vector<int64_t> &positions,
                const algorithms::Shape &shape);
  /// The sum of all elements, in every lane.
  Packed sumElements(Packed a);
  /// A single element, in every lane.
  Packed replicate(Packed a);
  /// A single element, in lane 0.
  Packed atFirstLane(const Packed &a);

private:
  bool hasPadding(const Packed &a) const { return !a.isUniform && a.elements() < lanes; }
  /// One value a lane: the elements in their lanes, `fill` in the others.
  std::vector<double> laneValues(const algorithms::Shape &shape,
                                 const std::vector<double> &elements, double fill = 0) const;
  Packed elementwise(mlir::Value ct, const Packed &a, const Packed &b, algorithms::Interval range,
                     algorithms::Interval padding) const;
  /// Zeros in the lanes without element.
  Packed clearPadding(Packed a);
  /// Padding inside `domain`, which holds the elements.
  Packed confinePadding(Packed a, algorithms::Interval domain);
  /// The sum over all lanes, in every lane: log2(lanes) rotations.
  mlir::Value sumLanes(mlir::Value ct);
  mlir::Value addPlain(mlir::Value ct, const std::vector<double> &values);
  mlir::Value multiplyPlain(mlir::Value ct, const std::vector<double> &values);
  mlir::Value multiplyScalar(mlir::Value ct, double value);
  mlir::Value linearTransform(mlir::Value ct, const std::vector<algorithms::LaneEntry> &entries);

  mlir::OpBuilder &builder;
  mlir::Location loc = builder.getUnknownLoc();
  int64_t lanes, slots;
};

} // namespace sluice

#endif // SLUICE_PASSES_PACKEDBUILDER_H
