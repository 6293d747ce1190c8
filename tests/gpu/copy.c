// A kernel that keeps many loads on their way.
#include "copy.h"

#include "support/bench.h"

const char copy_ptx[] = PTX_HEAD
    ".visible .entry copy(.param .u64 from, .param .u64 to, .param .u32 words)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n"
    "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\nld.param.u32 %r1, [words];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r5, %r2, %r3, %r4;\nmov.u32 %r6, %nctaid.x;\nmul.lo.u32 %r7, %r6, %r3;\n"
    "mul.wide.u32 %rd3, %r5, 4;\nadd.u64 %rd4, %rd1, %rd3;\nadd.u64 %rd5, %rd2, %rd3;\n"
    "mul.wide.u32 %rd6, %r7, 4;\nshl.b32 %r8, %r7, 2;\n"
    "LOOP:\nadd.u64 %rd7, %rd4, %rd6;\nadd.u64 %rd8, %rd7, %rd6;\nadd.u64 %rd9, %rd8, %rd6;\n"
    "ld.global.u32 %r10, [%rd4];\nld.global.u32 %r11, [%rd7];\nld.global.u32 %r12, [%rd8];\n"
    "ld.global.u32 %r13, [%rd9];\n"
    "add.u64 %rd10, %rd5, %rd6;\nadd.u64 %rd11, %rd10, %rd6;\nadd.u64 %rd12, %rd11, %rd6;\n"
    "st.global.u32 [%rd5], %r10;\nst.global.u32 [%rd10], %r11;\nst.global.u32 [%rd11], %r12;\n"
    "st.global.u32 [%rd12], %r13;\n"
    "add.u64 %rd4, %rd9, %rd6;\nadd.u64 %rd5, %rd12, %rd6;\nadd.u32 %r5, %r5, %r8;\n"
    "setp.lt.u32 %p1, %r5, %r1;\n@%p1 bra LOOP;\nret;\n}\n";
