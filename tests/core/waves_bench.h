// Kernels and settings of tests of waves. A kernel has its thread's number in %r1, its warp's in
// %r2, the parameters `in` and `out` in %rd1 and %rd2, and a word there for each thread at %rd4 and
// %rd5.
#ifndef TESTS_CORE_WAVES_BENCH_H
#define TESTS_CORE_WAVES_BENCH_H

#include "support/bench.h"

#define KERNEL(registers, body)                                                                    \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n"                                         \
    "{\n"                                                                                          \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    .reg .pred %p<5>;\n" registers                                                            \
    "    ld.param.u64 %rd1, [in];\n"                                                               \
    "    ld.param.u64 %rd2, [out];\n"                                                              \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mul.wide.u32 %rd3, %r1, 4;\n"                                                             \
    "    add.u64 %rd4, %rd1, %rd3;\n"                                                              \
    "    add.u64 %rd5, %rd2, %rd3;\n"                                                              \
    "    mov.u32 %r2, %warpid;\n" body                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

#define SM "gpu.sms=1", "frontend.perfect=true", "memory.perfect_constants=true"
// Buffers that hold a whole kernel, so that warps that leave a barrier are ready together.
#define BUFFERS                                                                                    \
    "frontend.buffer=per-warp", "frontend.fetches=16", "frontend.entries=16",                      \
        "frontend.fetch_bytes=128B", "frontend.cross_line=true"
#define BUFFERED "core.schedulers=1", BUFFERS

#endif
