// Textures: objects for linear memory, pitched memory and arrays, and the references of CUDA 11.
// The structures are declared here as in programs.
#include "api_calls.h"

// A resource of CUDA 12. The one of CUDA 13 only has more bytes at the end.
typedef struct Resource {
    int type, pad;
    union {
        CudaArray array;
        struct {
            void *memory;
            CudaChannels channels;
            size_t size, height, pitch; // linear memory: bytes; rows: texels, rows, bytes
        } memory;
        char reserved[128];
    } of;
    unsigned flags;
} Resource;
enum { ARRAY = 0, MIPMAPS = 1, LINEAR = 2, ROWS = 3 };
typedef struct How {
    int mode[3], filter, read, srgb;
    float border[4];
    int normalised, anisotropy, level_filter;
    float levels[3];
    int rest[2];
} How;
enum { CLAMP = 1, BORDER = 3 };
typedef struct Reference {
    int normalised, filter, mode[3];
    CudaChannels channels;
    int rest[21];
} Reference;

CudaError cudaCreateTextureObject(uint64_t *handle, const Resource *resource, const How *how,
                                  const void *view);
CudaError cudaDestroyTextureObject(uint64_t handle);
CudaError cudaGetTextureObjectResourceDesc(void *resource, uint64_t handle);
CudaError cudaGetTextureObjectTextureDesc(void *how, uint64_t handle);
CudaError cudaBindTexture(size_t *offset, const Reference *reference, const void *memory,
                          const CudaChannels *channels, size_t bytes);
CudaError cudaBindTexture2D(size_t *offset, const Reference *reference, const void *memory,
                            const CudaChannels *channels, size_t width, size_t height,
                            size_t pitch);
CudaError cudaBindTextureToArray(const Reference *reference, CudaArray array,
                                 const CudaChannels *channels);
CudaError cudaUnbindTexture(const Reference *reference);
CudaError cudaGetTextureReference(const void **reference, const void *symbol);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int normalised, int external);

// Thread i stores the first channel of three fetches: at integer i, at (i + 1, 0.5), and at the
// same point of a reference.
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".global .texref plain;\n"
    ".visible .entry fetch(.param .u64 tex, .param .u64 to)\n"
    "{\n"
    "    .reg .b64 %t, %p, %o;\n"
    "    .reg .b32 %i;\n"
    "    .reg .f32 %x, %y, %z, %w;\n"
    "    ld.param.u64 %t, [tex];\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mul.wide.u32 %o, %i, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    tex.1d.v4.f32.s32 {%x, %y, %z, %w}, [%t, {%i}];\n"
    "    st.global.f32 [%p], %x;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry sample(.param .u64 tex, .param .u64 to)\n"
    "{\n"
    "    .reg .b64 %t, %p, %o;\n"
    "    .reg .b32 %i;\n"
    "    .reg .f32 %x, %y, %z, %w, %u, %v;\n"
    "    ld.param.u64 %t, [tex];\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mul.wide.u32 %o, %i, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    cvt.rn.f32.u32 %u, %i;\n"
    "    add.f32 %u, %u, 0f3F800000;\n"
    "    mov.f32 %v, 0f3F000000;\n"
    "    tex.2d.v4.f32.f32 {%x, %y, %z, %w}, [%t, {%u, %v}];\n"
    "    st.global.f32 [%p], %x;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry named(.param .u64 to)\n"
    "{\n"
    "    .reg .b64 %p, %o;\n"
    "    .reg .b32 %i;\n"
    "    .reg .f32 %x, %y, %z, %w;\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mul.wide.u32 %o, %i, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    tex.1d.v4.f32.s32 {%x, %y, %z, %w}, [plain, {%i}];\n"
    "    st.global.f32 [%p], %x;\n"
    "    ret;\n"
    "}\n";
static const char fetch, sample, named;
static Reference plain;
static void *memory, *results; // 16 floats 0, 1, ...; 16 floats

static const CudaChannels one_float = {{32, 0, 0, 0}, CHANNEL_KIND_FLOAT};

static int start(void **state)
{
    (void)state;
    void **handle = program_register(ptx);
    program_kernel(handle, &fetch, "fetch");
    program_kernel(handle, &sample, "sample");
    program_kernel(handle, &named, "named");
    __cudaRegisterTexture(handle, &plain, NULL, "plain", 1, 0, 0);
    float floats[16];
    for (int i = 0; i < 16; i++) floats[i] = (float)i;
    return cudaMalloc(&memory, sizeof floats) || cudaMalloc(&results, sizeof floats) ||
           cudaMemcpy(memory, floats, sizeof floats, CUDA_HOST_TO_DEVICE);
}

// The results of the first eight threads.
static void run(const void *kernel, uint64_t texture, const float *expected)
{
    float got[8];
    if (kernel == &named)
        OK(program_launch(kernel, 1, 8, 0, (void *[]){&results}));
    else
        OK(program_launch(kernel, 1, 8, 0, (void *[]){&texture, &results}));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(got, results, sizeof got, CUDA_DEVICE_TO_HOST));
    for (int i = 0; i < 8; i++)
        if (got[i] != expected[i])
            fail_msg("thread %d: %g, not %g", i, (double)got[i], (double)expected[i]);
}

static void test_linear(void **state)
{
    (void)state;
    Resource r = {.type = LINEAR, .of.memory = {memory, one_float, 6 * 4, 0, 0}};
    How how = {.filter = 0};
    uint64_t texture;
    OK(cudaCreateTextureObject(&texture, &r, &how, NULL));
    run(&fetch, texture, (float[]){0, 1, 2, 3, 4, 5, 0, 0}); // reads behind the end return 0
    unsigned char at[256];
    memset(at, 0x5a, sizeof at);
    OK(cudaGetTextureObjectResourceDesc(at, texture));
    assert_memory_equal(at, &r, 48);
    assert_int_equal(at[cudart_version < 13000 ? 64 : 144], 0x5a);
    OK(cudaDestroyTextureObject(texture));
    FAILS(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
    r.type = MIPMAPS;
    FAILS(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &r, &how, NULL));
    r.type = 4;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &r, &how, NULL));
    r.type = LINEAR;
    r.of.memory.channels.bits[0] = 7;
    FAILS(cudaErrorInvalidChannelDescriptor, cudaCreateTextureObject(&texture, &r, &how, NULL));
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(NULL, &r, &how, NULL));
}

static void test_array(void **state)
{
    (void)state;
    CudaArray array;
    uint64_t texture;
    OK(cudaMallocArray(&array, &one_float, 4, 4, 0));
    OK(cudaMemcpy2DToArray(array, 0, 0, memory, 16, 16, 4, CUDA_DEVICE_TO_DEVICE));
    Resource r = {.type = ARRAY, .of.array = array};
    How how = {.mode = {BORDER, CLAMP, CLAMP}, .filter = 1, .border = {8}}, got = {.filter = 0};
    OK(cudaCreateTextureObject(&texture, &r, &how, NULL));
    // Each point is between two texels; the last is between 3 and the border.
    run(&sample, texture, (float[]){0.5f, 1.5f, 2.5f, 5.5f, 8, 8, 8, 8});
    OK(cudaGetTextureObjectTextureDesc(&got, texture));
    assert_memory_equal(&got, &how, 68);
    OK(cudaDestroyTextureObject(texture));
    how.mode[0] = CLAMP;
    how.filter = 0;
    OK(cudaCreateTextureObject(&texture, &r, &how, NULL));
    run(&sample, texture, (float[]){1, 2, 3, 3, 3, 3, 3, 3});
    OK(cudaDestroyTextureObject(texture));
    how.mode[2] = 4;
    FAILS(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &r, &how, NULL));
    how.mode[2] = 0;
    how.srgb = 1;
    FAILS(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &r, &how, NULL));
    how.srgb = 0;
    OK(cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &r, &how, NULL));
    Resource rows = {.type = ROWS, .of.memory = {(char *)memory + 16, one_float, 3, 2, 16}};
    OK(cudaCreateTextureObject(&texture, &rows, &how, NULL));
    run(&sample, texture, (float[]){5, 6, 6, 6, 6, 6, 6, 6});
    OK(cudaDestroyTextureObject(texture));
}

static void test_reference(void **state)
{
    (void)state;
    Reference stranger = {0};
    const void *found;
    size_t offset = 9;
    plain.mode[0] = CLAMP;
    FAILS(cudaErrorInvalidTexture, cudaBindTexture(&offset, &stranger, memory, &one_float, 16));
    // The largest size, which programs pass for "all of the memory".
    OK(cudaBindTexture(&offset, &plain, (char *)memory + 40, &one_float, UINT32_MAX));
    assert_int_equal(offset, 0);
    run(&named, 0, (float[]){10, 11, 12, 13, 14, 15, 0, 0});
    OK(cudaBindTexture(NULL, &plain, memory, &one_float, 8));
    run(&named, 0, (float[]){0, 1, 0, 0, 0, 0, 0, 0});
    CudaArray array;
    OK(cudaMallocArray(&array, &one_float, 5, 0, 0));
    OK(cudaMemcpyToArray(array, 0, 0, memory, 20, CUDA_DEVICE_TO_DEVICE));
    OK(cudaBindTextureToArray(&plain, array, &one_float));
    run(&named, 0, (float[]){0, 1, 2, 3, 4, 4, 4, 4}); // clamped
    OK(cudaGetTextureReference(&found, &plain));
    assert_ptr_equal(found, &plain);
    FAILS(cudaErrorInvalidTexture, cudaGetTextureReference(&found, &stranger));
    OK(cudaUnbindTexture(&plain));
    OK(cudaFreeArray(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_array),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests_name("cudart textures", tests, start, NULL);
}
