// Surfaces: objects, and the references of CUDA 11.
#include "api_calls.h"

typedef struct Resource {
    int type, pad;
    union {
        CudaArray array;
        char reserved[128];
    } of;
    unsigned flags;
} Resource;
enum { ARRAY = 0, LINEAR = 2, FOR_SURFACES = 2 };

CudaError cudaCreateSurfaceObject(uint64_t *handle, const Resource *resource);
CudaError cudaDestroySurfaceObject(uint64_t handle);
CudaError cudaGetSurfaceObjectResourceDesc(void *resource, uint64_t handle);
CudaError cudaBindSurfaceToArray(const void *reference, CudaArray array,
                                 const CudaChannels *channels);
CudaError cudaGetSurfaceReference(const void **reference, const void *symbol);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int external);

// Thread i writes i + 1 to element i of the object or reference; writes outside of it have no
// effect.
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".global .surfref plain;\n"
    ".visible .entry object(.param .u64 s)\n"
    "{\n"
    "    .reg .b64 %s;\n"
    "    .reg .b32 %i, %j;\n"
    "    ld.param.u64 %s, [s];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    shl.b32 %j, %i, 2;\n"
    "    add.u32 %i, %i, 1;\n"
    "    sust.b.1d.b32.zero [%s, {%j}], %i;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry named()\n"
    "{\n"
    "    .reg .b32 %i, %j;\n"
    "    mov.u32 %i, %tid.x;\n"
    "    shl.b32 %j, %i, 2;\n"
    "    add.u32 %i, %i, 101;\n"
    "    sust.b.1d.b32.zero [plain, {%j}], %i;\n"
    "    ret;\n"
    "}\n";
static const char object, named, plain;
static CudaArray array, unfit;
static const CudaChannels one_int = {{32, 0, 0, 0}, CHANNEL_KIND_SIGNED};

static int start(void **state)
{
    (void)state;
    void **handle = program_register(ptx);
    program_kernel(handle, &object, "object");
    program_kernel(handle, &named, "named");
    __cudaRegisterSurface(handle, &plain, NULL, "plain", 1, 0);
    return cudaMallocArray(&array, &one_int, 5, 0, FOR_SURFACES) ||
           cudaMallocArray(&unfit, &one_int, 5, 0, 0);
}

static void expect(int first)
{
    int got[5];
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromArray(got, array, 0, 0, sizeof got, CUDA_DEVICE_TO_HOST));
    for (int i = 0; i < 5; i++) assert_int_equal(got[i], first + i);
}

static void test_objects(void **state)
{
    (void)state;
    Resource r = {.type = ARRAY, .of.array = array};
    uint64_t surface;
    OK(cudaCreateSurfaceObject(&surface, &r));
    OK(program_launch(&object, 1, 8, 0, (void *[]){&surface}));
    expect(1);
    unsigned char at[256];
    memset(at, 0x5a, sizeof at);
    OK(cudaGetSurfaceObjectResourceDesc(at, surface));
    assert_memory_equal(at, &r, 16);
    FAILS(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(NULL, surface));
    FAILS(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(at, surface + 1));
    OK(cudaDestroySurfaceObject(surface));
    FAILS(cudaErrorInvalidValue, cudaDestroySurfaceObject(surface));
    OK(cudaDestroySurfaceObject(0));
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(NULL, &r));
    r.of.array = unfit; // allocated without cudaArraySurfaceLoadStore
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &r));
    r.type = LINEAR;
    FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &r));
}

static void test_references(void **state)
{
    (void)state;
    const void *found;
    OK(cudaBindSurfaceToArray(&plain, array, &one_int));
    OK(program_launch(&named, 1, 8, 0, NULL));
    expect(101);
    FAILS(cudaErrorInvalidSurface, cudaBindSurfaceToArray(&object, array, &one_int));
    FAILS(cudaErrorInvalidValue, cudaBindSurfaceToArray(&plain, unfit, &one_int));
    OK(cudaGetSurfaceReference(&found, &plain));
    assert_ptr_equal(found, &plain);
    FAILS(cudaErrorInvalidSurface, cudaGetSurfaceReference(&found, &object));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests_name("cudart surfaces", tests, start, NULL);
}
