// A module for tests: PTX as a compiler would generate it for small kernels.
#include "fatbin_writer.h"
#include "sample_module.h"

#include <stdlib.h>

#define REGISTERS                                                                                  \
    "    .reg .b16 %h<8>;\n"                                                                       \
    "    .reg .b32 %r<16>;\n"                                                                      \
    "    .reg .b64 %rd<16>;\n"

// Ninety registers that are live at once.
#define TEN(M, n)                                                                                  \
    M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define NINETY(M)                                                                                  \
    TEN(M, 1) TEN(M, 2) TEN(M, 3) TEN(M, 4) TEN(M, 5) TEN(M, 6) TEN(M, 7) TEN(M, 8) TEN(M, 9)
#define LOAD(n) "    ld.volatile.global.u32 %m" #n ", [%rd1];\n"
#define STORE(n) "    st.volatile.global.u32 [%rd1], %m" #n ";\n"

static const char ptx[] =
    ".version 7.5\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".const .align 4 .b32 table[4] = {10, 20, 30, 40};\n"
    ".global .align 4 .u32 spins;\n"
    ".global .attribute(.managed) .align 4 .u32 managed = 9;\n"
    // data[i] += amount
    ".visible .entry add(.param .u64 data, .param .u32 amount)\n"
    "{\n"
    REGISTERS
    "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.u32 %r5, [amount];\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mov.u32 %r2, %ntid.x;\n"
    "    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    mul.wide.u32 %rd2, %r4, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    ld.global.u32 %r6, [%rd3];\n"
    "    add.u32 %r6, %r6, %r5;\n"
    "    st.global.u32 [%rd3], %r6;\n"
    "    ret;\n"
    "}\n"
    // struct { char c; double d; } s by value after a char: data = {c0, s.c, s.d (two words),
    // table[2], counter++, managed++}
    ".visible .entry scatter(.param .u8 c0, .param .align 8 .b8 s[16], .param .u64 data)\n"
    "{\n"
    REGISTERS
    "    ld.param.u8 %h1, [c0];\n"
    "    ld.param.u8 %h2, [s];\n"
    "    ld.param.u64 %rd2, [s+8];\n"
    "    ld.param.u64 %rd1, [data];\n"
    "    cvt.u32.u16 %r1, %h1;\n"
    "    cvt.u32.u16 %r2, %h2;\n"
    "    st.global.u32 [%rd1], %r1;\n"
    "    st.global.u32 [%rd1+4], %r2;\n"
    "    st.global.u64 [%rd1+8], %rd2;\n"
    "    ld.const.u32 %r3, [table+8];\n"
    "    st.global.u32 [%rd1+16], %r3;\n"
    "    atom.global.add.u32 %r4, [counter], 1;\n"
    "    st.global.u32 [%rd1+20], %r4;\n"
    "    atom.global.add.u32 %r5, [managed], 1;\n"
    "    st.global.u32 [%rd1+24], %r5;\n"
    "    ret;\n"
    "}\n"
    // writes `offset` bytes after its pointer
    ".visible .entry hole(.param .u64 data, .param .u64 offset)\n"
    "{\n"
    REGISTERS
    "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.u64 %rd2, [offset];\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    mov.u32 %r1, 1;\n"
    "    st.global.u32 [%rd3], %r1;\n"
    "    ret;\n"
    "}\n"
    // spins until data is not 0; its stores hide that it never ends
    ".visible .entry spin(.param .u64 data)\n"
    "{\n"
    REGISTERS
    "    .reg .pred %p<2>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    "again:\n"
    "    st.volatile.global.u32 [spins], %r1;\n"
    "    ld.volatile.global.u32 %r1, [%rd1];\n"
    "    setp.eq.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again;\n"
    "    ret;\n"
    "}\n"
    // waits until data is not 0
    ".visible .entry await(.param .u64 data)\n"
    "{\n"
    REGISTERS
    "    .reg .pred %p<2>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    "again:\n"
    "    ld.volatile.global.u32 %r1, [%rd1];\n"
    "    setp.eq.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry trapped()\n"
    "{\n"
    "    trap;\n"
    "    ret;\n"
    "}\n"
    // data = a + b
    ".visible .entry sum(.param .u64 data, .param .f32 a, .param .f32 b)\n"
    "{\n"
    REGISTERS
    "    .reg .f32 %f<4>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.f32 %f1, [a];\n"
    "    ld.param.f32 %f2, [b];\n"
    "    add.f32 %f3, %f1, %f2;\n"
    "    st.global.f32 [%rd1], %f3;\n"
    "    ret;\n"
    "}\n"
    // 20000 bytes of static shared memory
    ".visible .entry wide()\n"
    "{\n"
    "    .shared .align 4 .b8 room[20000];\n"
    REGISTERS
    "    mov.u32 %r1, room;\n"
    "    st.shared.u32 [%r1], %r1;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry bounded()\n"
    ".maxntid 64, 1, 1\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry many(.param .u64 data)\n"
    "{\n"
    REGISTERS
    "    .reg .b32 %m<100>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    NINETY(LOAD)
    NINETY(STORE)
    "    ret;\n"
    "}\n";

char host_add, host_scatter, host_hole, host_trap, host_wide, host_bounded, host_many, host_absent,
    host_sum, host_spin, host_await;
char host_counter, host_table;
int *host_managed;

static FatbinWrapper wrapper;

static void function(void **handle, const void *host, const char *name)
{
    __cudaRegisterFunction(handle, host, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

void **module_open(int packing)
{
    size_t size;
    const Image images[] = {{FATBIN_MACHINE_CODE, 75, "code", PACKED_NOT},
                            {FATBIN_PTX, 70, ptx, (Packing)packing}};
    wrapper = (FatbinWrapper){FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_VERSION,
                              fatbin_new(images, 2, &size), NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    function(handle, &host_add, "add");
    function(handle, &host_scatter, "scatter");
    function(handle, &host_hole, "hole");
    function(handle, &host_trap, "trapped");
    function(handle, &host_wide, "wide");
    function(handle, &host_bounded, "bounded");
    function(handle, &host_many, "many");
    function(handle, &host_absent, "absent");
    function(handle, &host_sum, "sum");
    function(handle, &host_spin, "spin");
    function(handle, &host_await, "await");
    __cudaRegisterVar(handle, &host_counter, "counter", "counter", 0, 4, 0, 0);
    __cudaRegisterVar(handle, &host_table, "table", "table", 0, 16, 1, 0);
    __cudaRegisterManagedVar(handle, (void **)&host_managed, "managed", "managed", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return handle;
}

void module_close(void **handle)
{
    __cudaUnregisterFatBinary(handle);
    free((void *)wrapper.data);
}
