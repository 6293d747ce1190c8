// Host memory and managed memory in kernels, pointer attributes, pools, copies between devices.
#include "api_calls.h"

// Adds 1 to each of n words.
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared_word = 40;\n"
    ".visible .entry add(.param .u64 to, .param .u32 n)\n"
    "{\n"
    "    .reg .b64 %p, %o;\n"
    "    .reg .b32 %n, %x, %t;\n"
    "    .reg .pred %q;\n"
    "    mov.u32 %t, %tid.x;\n"
    "    ld.param.u64 %p, [to];\n"
    "    ld.param.u32 %n, [n];\n"
    "    setp.ge.u32 %q, %t, %n;\n"
    "    @%q bra OUT;\n"
    "    mul.wide.u32 %o, %t, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    ld.global.u32 %x, [%p];\n"
    "    add.u32 %x, %x, 1;\n"
    "    st.global.u32 [%p], %x;\n"
    "OUT:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry bump()\n"
    "{\n"
    "    .reg .b32 %x;\n"
    "    ld.global.u32 %x, [shared_word];\n"
    "    add.u32 %x, %x, 2;\n"
    "    st.global.u32 [shared_word], %x;\n"
    "    ret;\n"
    "}\n";
static const char add, bump;
static void **handle;
static uint32_t *word; // the host pointer of shared_word

static int start(void **state)
{
    (void)state;
    handle = program_register(ptx);
    program_kernel(handle, &add, "add");
    program_kernel(handle, &bump, "bump");
    program_managed(handle, (void **)&word, "shared_word");
    return 0;
}

enum { COUNT = 100 };

static void add_one(void *to)
{
    uint32_t n = COUNT;
    OK(program_launch(&add, 1, 128, 0, (void *[]){&to, &n}));
    OK(cudaDeviceSynchronize());
}

static void fill(uint32_t *words)
{
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i;
}

static void check(const uint32_t *words, uint32_t more)
{
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(words[i], i + more);
}

// type, device, pointer on the device, on the host
static void check_pointer(const void *pointer, int type, const void *device, const void *host)
{
    struct {
        int type, device;
        const void *on_device, *on_host;
        char rest[128];
    } a;
    memset(&a, 0x5a, sizeof a);
    OK(cudaPointerGetAttributes(&a, pointer));
    assert_int_equal(a.type, type);
    assert_int_equal(a.device, type ? 0 : -2);
    assert_ptr_equal(a.on_device, device);
    assert_ptr_equal(a.on_host, host);
    size_t end = cudart_version < 13000 ? 0 : 64;
    for (size_t i = 0; i < sizeof a.rest; i++) assert_int_equal(a.rest[i], i < end ? 0 : 0x5a);
}

static void test_allocated(void **state)
{
    (void)state;
    uint32_t *words, *device = NULL;
    unsigned flags;
    OK(cudaHostAlloc((void **)&words, COUNT * 4, 2));
    OK(cudaHostGetFlags(&flags, words));
    assert_int_equal(flags, 2);
    fill(words);
    OK(cudaHostGetDevicePointer((void **)&device, words, 0));
    add_one(device);
    check(words, 1);
    OK(cudaHostGetDevicePointer((void **)&device, words + 3, 0));
    if ((void *)device == (void *)(words + 3)) { // one pointer for both
        add_one(words);
        check(words, 2);
        check_pointer(words + 5, 1, words + 5, words + 5);
    }
    FAILS(cudaErrorInvalidValue, cudaFreeHost(words + 1));
    OK(cudaFreeHost(words));
    OK(cudaFreeHost(NULL));
    FAILS(cudaErrorInvalidValue, cudaFreeHost(words));
    FAILS(cudaErrorInvalidValue, cudaHostAlloc((void **)&words, 4, 8));
    OK(cudaMallocHost((void **)&words, 0));
    assert_null(words);
}

static void test_registered(void **state)
{
    (void)state;
    uint32_t *words = malloc(COUNT * 4), *device;
    fill(words);
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(words));
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer((void **)&device, words, 0));
    OK(cudaHostRegister(words, COUNT * 4, 2));
    FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(words + 1, 4, 0));
    check_pointer(words, 1, NULL, words);
    OK(cudaHostGetDevicePointer((void **)&device, words, 0));
    assert_true(device != words);
    check_pointer(words + 2, 1, device + 2, words + 2);
    add_one(device);
    check(words, 1);
    fill(words); // the device sees the host's writes
    add_one(device);
    check(words, 1);
    OK(cudaHostUnregister(words));
    fill(words);
    check_pointer(words, 0, NULL, words);
    free(words);
}

static void test_managed(void **state)
{
    (void)state;
    uint32_t *words;
    FAILS(cudaErrorInvalidValue, cudaMallocManaged((void **)&words, 0, 1));
    FAILS(cudaErrorInvalidValue, cudaMallocManaged((void **)&words, 4, 4));
    CudaError code = cudaMallocManaged((void **)&words, COUNT * 4, 1);
    if (code == cudaErrorNotSupported) skip(); // a sanitizer uses these addresses
    OK(code);
    fill(words);
    add_one(words);
    check(words, 1);
    check_pointer(words + 1, 3, words + 1, words + 1);
    // To the device and back, with each version's signature.
    bool old = cudart_version < 13000;
    uint64_t device = old ? 0 : 1, host = old ? (uint64_t)-1 : 2;
    int value;
    OK(cudaMemRangeGetAttribute(&value, 4, 4, words, 4));
    assert_int_equal(value, -2);
    OK(cudaMemPrefetchAsync(words, COUNT * 4, device, 0, NULL));
    OK(cudaMemRangeGetAttribute(&value, 4, 4, words, 4));
    assert_int_equal(value, 0);
    OK(cudaMemPrefetchAsync(words, 4, host, 0, NULL));
    OK(cudaMemRangeGetAttribute(&value, 4, 4, words, 4));
    assert_int_equal(value, -1);
    FAILS(cudaErrorInvalidValue, cudaMemPrefetchAsync(words, COUNT * 4 + 1, device, 0, NULL));
    OK(cudaMemAdvise(words, 4, 1, device));
    OK(cudaMemAdvise(words, 4, 3, host));
    OK(cudaMemRangeGetAttribute(&value, 4, 1, words, 4));
    assert_int_equal(value, 1);
    OK(cudaMemRangeGetAttribute(&value, 4, 2, words, 4));
    assert_int_equal(value, -1);
    FAILS(cudaErrorInvalidValue, cudaMemAdvise(words, 4, 9, device));
    OK(cudaFree(words));
    // A managed variable.
    OK(__cudaInitModule(handle) ? cudaSuccess : cudaErrorUnknown);
    assert_int_equal(*word, 40);
    OK(program_launch(&bump, 1, 1, 0, NULL));
    OK(cudaDeviceSynchronize());
    assert_int_equal(*word, 42);
}

static void test_pointers(void **state)
{
    (void)state;
    void *device;
    int own;
    OK(cudaMalloc(&device, 16));
    check_pointer(device, 2, device, NULL);
    check_pointer(&own, 0, NULL, &own);
    OK(cudaMemcpyPeer((char *)device + 8, 0, device, 0, 8));
    FAILS(cudaErrorInvalidDevice, cudaMemcpyPeer((char *)device + 8, 1, device, 0, 8));
    OK(cudaFree(device));
}

static void test_pools(void **state)
{
    (void)state;
    void *pool, *own, *memory;
    char properties[88] = {1};
    uint64_t threshold = 12345, got = 0;
    OK(cudaMallocAsync(&memory, 400, NULL));
    add_one(memory);
    OK(cudaFreeAsync(memory, NULL));
    FAILS(cudaErrorInvalidValue, cudaFreeAsync(memory, NULL));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolCreate(&own, properties));
    OK(cudaMemPoolSetAttribute(own, 4, &threshold));
    OK(cudaMemPoolGetAttribute(own, 4, &got));
    assert_int_equal(got, threshold);
    OK(cudaMemPoolGetAttribute(pool, 4, &got));
    assert_int_equal(got, 0);
    FAILS(cudaErrorNotSupported, cudaMemPoolGetAttribute(pool, 7, &got));
    OK(cudaMallocFromPoolAsync(&memory, 400, own, NULL));
    OK(cudaFreeAsync(memory, NULL));
    OK(cudaMemPoolDestroy(own));
    FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(own));
    FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
    FAILS(cudaErrorInvalidResourceHandle, cudaMallocFromPoolAsync(&memory, 4, own, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocated), cmocka_unit_test(test_registered),
        cmocka_unit_test(test_managed),   cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_pools),
    };
    return cmocka_run_group_tests_name("cudart memory kinds", tests, start, NULL);
}
