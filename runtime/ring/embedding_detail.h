//===- embedding_detail.h - what encoding and decoding share ----------------------------------===//
#ifndef SLUICE_RUNTIME_RING_EMBEDDING_DETAIL_H
#define SLUICE_RUNTIME_RING_EMBEDDING_DETAIL_H

#include "runtime/ring/ring.h"

namespace sluice::ring::detail {

/// invalidArgument unless it is a power of two up to N/2.
Status checkSlotCount(const Ring &ring, size_t slots);

} // namespace sluice::ring::detail

#endif // SLUICE_RUNTIME_RING_EMBEDDING_DETAIL_H
