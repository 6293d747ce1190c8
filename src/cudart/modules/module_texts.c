// Finds the PTX of a module. nvcc and clang register a wrapper with one fat binary. With -rdc=true,
// the wrapper is that of the device link, and has a list of fat binaries, one for each object file.
#include "cudart/modules/module_texts.h"

#include "cudart/modules/fatbin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- texts ----

void module_texts_free(ModuleTexts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        free((char *)texts->items[i].text);
        free((char *)texts->items[i].path);
    }
    free(texts->items);
    *texts = (ModuleTexts){0};
}

// Adds a text, which it takes over, with a copy of its path.
static bool add_text(ModuleTexts *texts, char *text, const char *path, HdError *err)
{
    PtxText item = {.text = text, .path = strdup(path)};
    if (item.path && HD_PUSH(texts->items, texts->count, texts->capacity, item)) return true;
    free(text);
    free((char *)item.path);
    return hd_fail_memory(err, "reading PTX");
}

// ---- fat binaries ----

static bool fail_unreadable(CudaError *code, HdError *err)
{
    HdError why = *err;
    *err = (HdError){0};
    *code = cudaErrorInvalidKernelImage;
    return hd_fail(err, "cannot read the program's fat binary: %s", why.text);
}

// `fatbin`: one of the module's, which tells which machine code it has instead of PTX.
static bool fail_machine_code_only(const Fatbin *fatbin, CudaError *code, HdError *err)
{
    char list[128] = "no device code";
    size_t used = 0;
    for (unsigned i = 0; i < fatbin->machine_count && i < FATBIN_MAX_NAMED; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%ssm_%" PRIu32, i ? ", " : "",
                                 fatbin->machine[i]);
    *code = cudaErrorNoKernelImageForDevice;
    return hd_fail(err, "the program holds %s%s: expected PTX, which is what Heddle runs; compile "
                        "with nvcc -gencode arch=compute_75,code=compute_75",
                   fatbin->machine_count ? "only machine code for " : "", list);
}

static bool read_fatbin(Fatbin *fatbin, const void *data, CudaError *code, HdError *err)
{
    return fatbin_read(fatbin, data, fatbin_extent(data), err) || fail_unreadable(code, err);
}

// Whether this is the toolkit's device runtime (libcudadevrt), by which kernels launch kernels.
// nvcc links it to each program with relocatable code. Its functions call the driver's, so it is
// left out, and a kernel that calls one cannot be launched.
static bool is_device_runtime(const char *text) { return strstr(text, "cuda_device_runtime_cu"); }

// The PTX of a list of fat binaries that ends with NULL. A file with machine code only is left out:
// what the others need of it is reported as missing.
static bool read_list(ModuleTexts *texts, const void *const *list, const char *name,
                      CudaError *code, HdError *err)
{
    Fatbin first = {0};
    for (size_t i = 0; list && list[i]; i++) {
        Fatbin fatbin;
        if (!read_fatbin(&fatbin, list[i], code, err)) return false;
        if (i == 0) first = fatbin;
        if (!fatbin.ptx_count) continue;
        char *text = fatbin_ptx(&fatbin, err);
        if (!text) return fail_unreadable(code, err);
        if (is_device_runtime(text)) {
            free(text);
            continue;
        }
        // The second file of bfs.1.ptx is bfs.1.2.ptx.
        char path[160];
        snprintf(path, sizeof path, "%.*s%zu.ptx", (int)(strlen(name) - strlen("ptx")), name,
                 i + 1);
        if (!add_text(texts, text, path, err)) return false;
    }
    return texts->count || fail_machine_code_only(&first, code, err);
}

bool module_texts_read(ModuleTexts *texts, const FatbinWrapper *wrapper, const char *name,
                       CudaError *code, HdError *err)
{
    *code = cudaErrorMemoryAllocation; // if nothing else fails
    if (!wrapper || wrapper->magic != FATBIN_WRAPPER_MAGIC) {
        hd_fail(err, "there is no fat binary at the registered address");
        return fail_unreadable(code, err);
    }
    texts->relocatable = wrapper->version == FATBIN_WRAPPER_LINKED;
    if (texts->relocatable)
        return read_list(texts, wrapper->filename_or_images, name, code, err);
    Fatbin fatbin;
    if (!read_fatbin(&fatbin, wrapper->data, code, err)) return false;
    if (!fatbin.ptx_count) return fail_machine_code_only(&fatbin, code, err);
    char *text = fatbin_ptx(&fatbin, err);
    if (!text) return fail_unreadable(code, err);
    return add_text(texts, text, name, err);
}
