// Barriers and fences, instead of the compiler's. LLVM assumes that its intrinsics do not change a
// variable whose address is not taken, so a __shared__ variable stayed in a register across a
// barrier. Inline assembly that clobbers memory prevents this.
#ifndef HEDDLE_CUDA_BARRIERS_H
#define HEDDLE_CUDA_BARRIERS_H

#define HEDDLE_BARRIER static __device__ __inline__ __attribute__((always_inline))

HEDDLE_BARRIER void heddle_syncthreads(void)
{
    asm volatile("bar.sync 0;" ::: "memory");
}
HEDDLE_BARRIER int heddle_syncthreads_count(int predicate)
{
    int count;
    asm volatile("{\n\t.reg .pred %%p;\n\tsetp.ne.s32 %%p, %1, 0;\n\t"
                 "bar.red.popc.u32 %0, 0, %%p;\n\t}"
                 : "=r"(count)
                 : "r"(predicate)
                 : "memory");
    return count;
}
#define HEDDLE_BARRIER_OF(name)                                                                    \
    HEDDLE_BARRIER int heddle_syncthreads_##name(int predicate)                                    \
    {                                                                                              \
        int result;                                                                                \
        asm volatile("{\n\t.reg .pred %%p;\n\tsetp.ne.s32 %%p, %1, 0;\n\t"                         \
                     "bar.red." #name ".pred %%p, 0, %%p;\n\tselp.s32 %0, 1, 0, %%p;\n\t}"         \
                     : "=r"(result)                                                                \
                     : "r"(predicate)                                                              \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
HEDDLE_BARRIER_OF(and)
HEDDLE_BARRIER_OF(or)
#undef HEDDLE_BARRIER_OF
HEDDLE_BARRIER void heddle_syncwarp(unsigned mask = 0xffffffff)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
HEDDLE_BARRIER void heddle_barrier_sync(unsigned id)
{
    asm volatile("barrier.sync %0;" ::"r"(id) : "memory");
}
HEDDLE_BARRIER void heddle_barrier_sync_count(unsigned id, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
HEDDLE_BARRIER void heddle_threadfence(void)
{
    asm volatile("membar.gl;" ::: "memory");
}
HEDDLE_BARRIER void heddle_threadfence_block(void)
{
    asm volatile("membar.cta;" ::: "memory");
}
HEDDLE_BARRIER void heddle_threadfence_system(void)
{
    asm volatile("membar.sys;" ::: "memory");
}
#undef HEDDLE_BARRIER

#define __syncthreads        heddle_syncthreads
#define __syncthreads_count  heddle_syncthreads_count
#define __syncthreads_and    heddle_syncthreads_and
#define __syncthreads_or     heddle_syncthreads_or
#define __syncwarp           heddle_syncwarp
#define __barrier_sync       heddle_barrier_sync
#define __barrier_sync_count heddle_barrier_sync_count
#define __threadfence        heddle_threadfence
#define __threadfence_block  heddle_threadfence_block
#define __threadfence_system heddle_threadfence_system

#endif
