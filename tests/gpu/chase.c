// Chains of pointers.
#include "chase.h"

uint64_t chase_chain(Bench *b, unsigned places, uint64_t stride)
{
    uint64_t at = bench_array(b, "chain", NULL, places * stride + 128);
    for (unsigned i = 0; i < places; i++) {
        uint64_t next = at + (i + 1) % places * stride;
        assert_true(gpu_write(b->gpu, at + i * stride, &next, sizeof next, &b->err));
    }
    return at;
}
