//===- ComplexScalars.cpp - clear complex numbers on ciphertexts ------------------------------===//

#include "passes/ComplexScalars.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice {

static Value addReal(ImplicitLocOpBuilder &builder, Value value, double number) {
  if (number == 0)
    return value;
  return ckks::AddScalarOp::create(builder, value, builder.getF64FloatAttr(number));
}

Value addNumber(OpBuilder &builder, Location loc, Value value, std::complex<double> number) {
  ImplicitLocOpBuilder located(loc, builder);
  if (number.imag() != 0) { // v + i b = -i (i v - b)
    value = addReal(located, ckks::MulByIOp::create(located, value), -number.imag());
    value = ckks::NegateOp::create(located, ckks::MulByIOp::create(located, value));
  }
  return addReal(located, value, number.real());
}

Value addComplex(OpBuilder &builder, Location loc, Value real, Value imaginary,
                 std::complex<double> number) {
  if (!imaginary)
    return addNumber(builder, loc, real, number);
  // The constant's imaginary part is added before the one multiplication by i.
  ImplicitLocOpBuilder located(loc, builder);
  imaginary = ckks::MulByIOp::create(located, addReal(located, imaginary, number.imag()));
  return addReal(located, real ? ckks::AddOp::create(located, real, imaginary) : imaginary,
                 number.real());
}

} // namespace sluice
