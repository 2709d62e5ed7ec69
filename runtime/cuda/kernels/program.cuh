//===- program.cuh - all that the source of a program's device code includes ------------------===//
//
// The compiler writes `#define SLUICE_LOG_N <log2 of the ring's degree>`, includes this, and
// defines the program's limb kernels. launch_parameters.h says how each kernel is launched.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_PROGRAM_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_PROGRAM_CUH

#include "runtime/cuda/kernels/base_convert.cuh"

#ifndef SLUICE_LOG_N
#error "define SLUICE_LOG_N, log2 of the degree of the program's ring, before this"
#endif

using namespace sluice::cuda;

SLUICE_KERNEL(sluice_inverse_columns, TransformBlock<SLUICE_LOG_N>, const SourceParameters *,
              limbs) {
  inverseColumns<SLUICE_LOG_N>(limbs[index.y], index);
}

SLUICE_KERNEL(sluice_scale, ElementsBlock<SLUICE_LOG_N>, const SourceParameters *, limbs) {
  scaleSource<SLUICE_LOG_N>(limbs[index.y], index);
}

SLUICE_KERNEL(sluice_convert_columns, ConversionBlock<SLUICE_LOG_N>, const ConversionShare *,
              shares) {
  convertColumns<SLUICE_LOG_N, true>(shares[index.x]);
}

SLUICE_KERNEL(sluice_convert, ConversionBlock<SLUICE_LOG_N>, const ConversionShare *, shares) {
  convertColumns<SLUICE_LOG_N, false>(shares[index.x]);
}

SLUICE_KERNEL(sluice_forward_columns, TransformBlock<SLUICE_LOG_N>, const TransformParameters *,
              limbs) {
  forwardColumns<SLUICE_LOG_N>(limbs[index.y], index);
}

/// body(block) with parameter 1 the destination and 2 the source.
template <typename Body>
SLUICE_DEVICE void transformRows(const TransformParameters &limb, BlockIndex index,
                                 const Body &body) {
  using Block = RowsBlock<SLUICE_LOG_N>;
  SLUICE_SHARED(Field::Word, exchange, Block::exchangeWords);
  const uint64_t parameters[] = {reinterpret_cast<uint64_t>(limb.limb),
                                 reinterpret_cast<uint64_t>(limb.destination),
                                 reinterpret_cast<uint64_t>(limb.source)};
  body(Block{parameters, Field(*limb.limb), exchange, index.x});
}

SLUICE_KERNEL(sluice_ntt_rows, RowsBlock<SLUICE_LOG_N>, const TransformParameters *, limbs) {
  transformRows(limbs[index.y], index,
                [](const auto &b) { store(b, 1, nttRows(b, loadHalf(b, 2))); });
}

SLUICE_KERNEL(sluice_intt_rows, RowsBlock<SLUICE_LOG_N>, const TransformParameters *, limbs) {
  transformRows(limbs[index.y], index,
                [](const auto &b) { storeHalf(b, 1, inttRows(b, load(b, 2))); });
}

SLUICE_KERNEL(sluice_reduce, ElementsBlock<SLUICE_LOG_N>, const ReduceParameters *, limbs) {
  reduceCoefficients<SLUICE_LOG_N>(limbs[index.y], index);
}

#endif // SLUICE_RUNTIME_CUDA_KERNELS_PROGRAM_CUH
