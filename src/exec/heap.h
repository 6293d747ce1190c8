// The heap of malloc and free in kernels: which bytes of one array are given out.
//
// The bookkeeping is the host's, beside the guest's memory, so that a kernel cannot destroy it.
#ifndef HEDDLE_EXEC_HEAP_H
#define HEDDLE_EXEC_HEAP_H

#include "base/error.h"

#include <stdint.h>

typedef struct GuestHeap GuestHeap;

// A heap of the guest's addresses [base, base + bytes); base is a multiple of 16.
GuestHeap *heap_new(uint64_t base, uint64_t bytes, HdError *err);
void heap_free(GuestHeap *heap);

// `bytes` at a multiple of 16; 0 where there is no room, and for no bytes. It depends on the calls
// before it only.
uint64_t heap_allocate(GuestHeap *heap, uint64_t bytes);
// false: nothing that is given out begins there.
bool heap_release(GuestHeap *heap, uint64_t address);
// Bytes that are given out.
uint64_t heap_used(const GuestHeap *heap);

#endif
