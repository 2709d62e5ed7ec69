//===- ComplexScalars.h - clear complex numbers on ciphertexts --------------------------------===//
//
// The scalar operations of the ckks dialect take real numbers. With ckks.mul_by_i, which is exact
// and uses no level, they make the complex ones.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_COMPLEXSCALARS_H
#define SLUICE_PASSES_COMPLEXSCALARS_H

#include "dialects/CKKS/CKKSOps.h"

#include "mlir/IR/Builders.h"

#include <complex>

namespace sluice {

/// value + number. A part that is zero costs nothing.
mlir::Value addNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      std::complex<double> number);

/// real + i * imaginary + number, of two values either of which may be null.
mlir::Value addComplex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value real,
                       mlir::Value imaginary, std::complex<double> number);

} // namespace sluice

#endif // SLUICE_PASSES_COMPLEXSCALARS_H
