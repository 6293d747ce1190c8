// What a host program did on a real GPU, done again: the same launches, in the same order, from the
// same memory. The host's own work between them, and its reading of results, is left out, so that
// the GPU is busy all the time.
//
// Large uploads are kept as copies in the GPU's memory, and copied there. Words that the host reads
// (a flag that says whether to go on, the length of a list) are read again, as a program must wait
// for them; if one differs, which races in a kernel can cause, the repetition has strayed.
#include "device/cuda_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct CudaAct {
    enum { ACT_FILL, ACT_COPY, ACT_WRITE, ACT_READ, ACT_LAUNCH } kind;
    CudaAddress at; // its memory; ACT_COPY, ACT_WRITE: where it goes
    uint64_t bytes;
    int byte;                       // ACT_FILL
    CudaAddress copy;               // ACT_COPY: where it comes from
    uint8_t word[CUDA_WORD];        // ACT_WRITE: what is written; ACT_READ: what was read
    const CudaKernel *kernel;       // ACT_LAUNCH, with its number and its parameter block
    size_t launch;
    void *block;
};

void cuda_acts_free(CudaDevice *cuda)
{
    for (size_t i = 0; i < cuda->act_count; i++) {
        if (cuda->acts[i].kind == ACT_COPY) cuda->api.cuMemFree_v2(cuda->acts[i].copy);
        free(cuda->acts[i].block);
    }
    free(cuda->acts);
}

static bool keep(CudaDevice *cuda, const CudaAct *act, HdError *err)
{
    return HD_PUSH(cuda->acts, cuda->act_count, cuda->act_capacity, *act) ||
           hd_fail_memory(err, "keeping what a program did");
}

bool cuda_keep_fill(CudaDevice *cuda, CudaAddress at, int byte, uint64_t bytes, HdError *err)
{
    CudaAct act = {.kind = ACT_FILL, .at = at, .bytes = bytes, .byte = byte};
    return !cuda->options.repeatable || keep(cuda, &act, err);
}

bool cuda_keep_write(CudaDevice *cuda, CudaAddress at, const void *from, uint64_t bytes,
                     HdError *err)
{
    CudaAct act = {.kind = bytes > CUDA_WORD ? ACT_COPY : ACT_WRITE, .at = at, .bytes = bytes};
    if (!cuda->options.repeatable) return true;
    if (act.kind == ACT_WRITE) {
        memcpy(act.word, from, bytes);
        return keep(cuda, &act, err);
    }
    int code = cuda->api.cuMemAlloc_v2(&act.copy, bytes);
    if (code)
        return cuda_fail(&cuda->api, code, err,
                         "a copy of %" PRIu64 " bytes, which repeating the program needs", bytes);
    code = cuda->api.cuMemcpyDtoD_v2(act.copy, at, bytes);
    if (!code && keep(cuda, &act, err)) return true;
    cuda->api.cuMemFree_v2(act.copy);
    return code ? cuda_fail(&cuda->api, code, err, "copying %" PRIu64 " bytes", bytes) : false;
}

bool cuda_keep_read(CudaDevice *cuda, CudaAddress at, const void *read, uint64_t bytes,
                    HdError *err)
{
    CudaAct act = {.kind = ACT_READ, .at = at, .bytes = bytes};
    if (!cuda->options.repeatable || bytes > CUDA_WORD) return true;
    memcpy(act.word, read, bytes);
    return keep(cuda, &act, err);
}

bool cuda_keep_launch(CudaDevice *cuda, const CudaKernel *kernel, size_t launch, const void *block,
                      HdError *err)
{
    CudaAct act = {.kind = ACT_LAUNCH, .kernel = kernel, .launch = launch};
    size_t bytes = kernel->function->param_bytes;
    if (!cuda->options.repeatable) return true;
    act.block = hd_new(bytes, 1);
    if (!act.block) return hd_fail_memory(err, "keeping what a program did");
    memcpy(act.block, block, bytes);
    if (keep(cuda, &act, err)) return true;
    free(act.block);
    return false;
}

static bool do_again(CudaDevice *cuda, const CudaAct *act, bool *strayed, HdError *err)
{
    const CudaApi *api = &cuda->api;
    uint8_t word[CUDA_WORD];
    int code = 0;
    switch (act->kind) {
    case ACT_FILL:
        code = api->cuMemsetD8_v2(act->at, (unsigned char)act->byte, act->bytes);
        break;
    case ACT_COPY: code = api->cuMemcpyDtoD_v2(act->at, act->copy, act->bytes); break;
    case ACT_WRITE: code = api->cuMemcpyHtoD_v2(act->at, act->word, act->bytes); break;
    case ACT_READ:
        code = api->cuMemcpyDtoH_v2(word, act->at, act->bytes);
        *strayed |= !code && memcmp(word, act->word, act->bytes) != 0;
        break;
    case ACT_LAUNCH:
        return cuda_start(cuda, act->kernel, &cuda->launches[act->launch],
                          &cuda->spans[act->launch], act->block, err);
    }
    return !code || cuda_fail(api, code, err, "repeating the program");
}

// The initial values of a module's own variables are not kept.
static bool check_variables(const CudaDevice *cuda, HdError *err)
{
    for (size_t i = 0; i < cuda->module_count; i++) {
        const PtxModule *module = cuda->modules[i].ptx;
        for (size_t v = 0; v < module->variable_count; v++)
            if (module->variables[v].space == SPACE_GLOBAL)
                return hd_fail(err, "%s: cannot be repeated: what its variable %s held at first is "
                                    "lost", module->path, module->variables[v].name);
    }
    return true;
}

bool cuda_repeat(CudaDevice *cuda, const CudaEach *each, HdError *err)
{
    bool strayed = false;
    if (!check_variables(cuda, err)) return false;
    for (size_t i = 0; i < cuda->act_count; i++) {
        const CudaAct *act = &cuda->acts[i];
        if (!do_again(cuda, act, &strayed, err)) return false;
        if (each && act->kind == ACT_LAUNCH && !(cuda_wait(cuda, err) && each->launched(each, err)))
            return false;
    }
    if (!cuda_wait(cuda, err)) return false;
    cuda->repetitions++;
    cuda->strayed += strayed;
    return true;
}

bool device_cuda_repeat(HdDevice *device, HdError *err)
{
    CudaDevice *cuda = device_state(device);
    if (!cuda_repeat(cuda, NULL, err)) return false;
    for (size_t i = 0; i < cuda->launch_count; i++) {
        float milliseconds;
        int code = cuda->api.cuEventElapsedTime(&milliseconds, cuda->spans[i].begin,
                                                cuda->spans[i].end);
        if (code) return cuda_fail(&cuda->api, code, err, "reading a kernel's time");
        cuda->launches[i].repeated += milliseconds;
    }
    return true;
}

void device_cuda_forget(HdDevice *device)
{
    CudaDevice *cuda = device_state(device);
    for (size_t i = 0; i < cuda->launch_count; i++) cuda->launches[i].repeated = 0;
    cuda->repetitions = cuda->strayed = 0;
}

size_t device_cuda_repetitions(const HdDevice *device, size_t *strayed)
{
    const CudaDevice *cuda = device_state(device);
    *strayed = cuda->strayed;
    return cuda->repetitions;
}
