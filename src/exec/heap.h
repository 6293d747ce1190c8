// The heap for malloc and free in kernels: which bytes of one allocation are in use.
//
// The bookkeeping lies in host memory, outside the guest's, so that a kernel cannot corrupt it.
#ifndef HEDDLE_EXEC_HEAP_H
#define HEDDLE_EXEC_HEAP_H

#include "base/fail.h"

#include <stdint.h>

typedef struct GuestHeap GuestHeap;

// Creates a heap over the guest addresses [base, base + bytes). base must be a multiple of 16.
GuestHeap *heap_new(uint64_t base, uint64_t bytes, HdError *err);
void heap_free(GuestHeap *heap);

// Allocates `bytes` at a multiple of 16. Returns 0 if there is no room or bytes is 0. The address
// depends only on the calls before.
uint64_t heap_allocate(GuestHeap *heap, uint64_t bytes);
// false: no live allocation begins at the address.
bool heap_release(GuestHeap *heap, uint64_t address);
// Bytes in use.
uint64_t heap_used(const GuestHeap *heap);

#endif
