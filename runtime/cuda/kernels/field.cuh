//===- field.cuh - which arithmetic a device computes with ------------------------------------===//
//
// The same residues either way. Doubles on data-centre devices, whose double-precision units are as
// many as half their others; words elsewhere.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_FIELD_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_FIELD_CUH

#include "runtime/cuda/kernels/field_fp64.cuh"
#include "runtime/cuda/kernels/field_integer.cuh"

namespace sluice::cuda {

#if defined(SLUICE_CUDA_INTEGER) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 &&             \
                                     __CUDA_ARCH__ != 900 && __CUDA_ARCH__ != 1000)
using Field = IntegerField;
#else
using Field = Fp64Field;
#endif

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_FIELD_CUH
