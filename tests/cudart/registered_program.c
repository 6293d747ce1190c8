// A program's registration of its kernels, as compilers write it.
#include "api_calls.h"

#include "base/fatbin_layout.h"

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int thread_limit, void *thread, void *block, CudaDim3 *block_shape,
                            CudaDim3 *grid_shape, int *warp_size);
void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                              int external, size_t bytes, int constant, int global);

// A program's images live as long as it does.
enum { MOST_IMAGES = 8 };
static struct {
    FatbinWrapper wrapper;
    void *data;
} images[MOST_IMAGES];
static unsigned image_count;

void **program_register(const char *ptx)
{
    assert_true(image_count < MOST_IMAGES);
    size_t length = strlen(ptx) + 1, padded = (length + FATBIN_ALIGN - 1) & ~(size_t)7;
    char *data = calloc(1, sizeof(FatbinHeader) + sizeof(FatbinEntry) + padded);
    assert_non_null(data);
    *(FatbinHeader *)data = (FatbinHeader){FATBIN_MAGIC, FATBIN_VERSION, sizeof(FatbinHeader),
                                           sizeof(FatbinEntry) + padded};
    *(FatbinEntry *)(data + sizeof(FatbinHeader)) = (FatbinEntry){
        .kind = FATBIN_PTX,
        .version = FATBIN_ENTRY_VERSION,
        .header_size = sizeof(FatbinEntry),
        .padded_size = padded,
        .architecture = 70,
        .flags = FATBIN_64_BIT | FATBIN_LINUX,
    };
    memcpy(data + sizeof(FatbinHeader) + sizeof(FatbinEntry), ptx, length);
    images[image_count].data = data;
    images[image_count].wrapper =
        (FatbinWrapper){FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_VERSION, data, NULL};
    void **handle = __cudaRegisterFatBinary(&images[image_count++].wrapper);
    assert_non_null(handle);
    return handle;
}

__attribute__((destructor)) static void free_images(void)
{
    while (image_count) free(images[--image_count].data);
}

void program_kernel(void **handle, const void *host, const char *name)
{
    __cudaRegisterFunction(handle, host, (char *)host, name, -1, NULL, NULL, NULL, NULL, NULL);
}

void program_managed(void **handle, void **pointer, const char *name)
{
    __cudaRegisterManagedVar(handle, pointer, (char *)name, name, 0, 4, 0, 0);
}

CudaError program_launch(const void *host, unsigned grid, unsigned block, size_t dynamic,
                         void **arguments)
{
    return cudaLaunchKernel(host, (CudaDim3){grid, 1, 1}, (CudaDim3){block, 1, 1}, arguments,
                            dynamic, NULL);
}
