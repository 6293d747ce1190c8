// Repeats what a host program did on a real GPU: the same launches, in the same order, from the
// same memory. The host's own work between them and its reads of results are left out, so that the
// GPU is always busy.
//
// Large uploads are kept as copies in the GPU's memory. Words that the host reads (a flag that
// continues a loop, the length of a list) are read again, because the program must wait for them.
// If a word differs, which races in a kernel can cause, the repetition has strayed.
#include "device/cuda_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct CudaHostOp {
    enum { HOST_FILL, HOST_COPY, HOST_WRITE, HOST_READ, HOST_LAUNCH } kind;
    CudaAddress at; // the memory operated on; HOST_COPY, HOST_WRITE: the destination
    uint64_t bytes;
    int byte;                       // HOST_FILL
    CudaAddress copy;               // HOST_COPY: the source
    uint8_t word[CUDA_SMALL_COPY];  // HOST_WRITE: the bytes written; HOST_READ: the bytes read
    const CudaKernel *kernel;       // HOST_LAUNCH, with its number and its parameter block
    size_t launch;
    void *block;
};

void cuda_host_ops_free(CudaDevice *cuda)
{
    for (size_t i = 0; i < cuda->host_op_count; i++) {
        if (cuda->host_ops[i].kind == HOST_COPY) cuda->api.cuMemFree_v2(cuda->host_ops[i].copy);
        free(cuda->host_ops[i].block);
    }
    free(cuda->host_ops);
}

static bool append_op(CudaDevice *cuda, const CudaHostOp *op, HdError *err)
{
    return HD_PUSH(cuda->host_ops, cuda->host_op_count, cuda->host_op_capacity, *op) ||
           hd_fail_memory(err, "logging the host's operations");
}

bool cuda_log_fill(CudaDevice *cuda, CudaAddress at, int byte, uint64_t bytes, HdError *err)
{
    CudaHostOp op = {.kind = HOST_FILL, .at = at, .bytes = bytes, .byte = byte};
    return !cuda->options.repeatable || append_op(cuda, &op, err);
}

bool cuda_log_write(CudaDevice *cuda, CudaAddress at, const void *from, uint64_t bytes,
                    HdError *err)
{
    CudaHostOp op = {.kind = bytes > CUDA_SMALL_COPY ? HOST_COPY : HOST_WRITE,
                     .at = at, .bytes = bytes};
    if (!cuda->options.repeatable) return true;
    if (op.kind == HOST_WRITE) {
        memcpy(op.word, from, bytes);
        return append_op(cuda, &op, err);
    }
    int code = cuda->api.cuMemAlloc_v2(&op.copy, bytes);
    if (code)
        return cuda_fail(&cuda->api, code, err,
                         "a copy of %" PRIu64 " bytes, needed to repeat the program", bytes);
    code = cuda->api.cuMemcpyDtoD_v2(op.copy, at, bytes);
    if (!code && append_op(cuda, &op, err)) return true;
    cuda->api.cuMemFree_v2(op.copy);
    return code ? cuda_fail(&cuda->api, code, err, "copying %" PRIu64 " bytes", bytes) : false;
}

bool cuda_log_read(CudaDevice *cuda, CudaAddress at, const void *read, uint64_t bytes,
                   HdError *err)
{
    CudaHostOp op = {.kind = HOST_READ, .at = at, .bytes = bytes};
    if (!cuda->options.repeatable || bytes > CUDA_SMALL_COPY) return true;
    memcpy(op.word, read, bytes);
    return append_op(cuda, &op, err);
}

bool cuda_log_launch(CudaDevice *cuda, const CudaKernel *kernel, size_t launch, const void *block,
                     HdError *err)
{
    CudaHostOp op = {.kind = HOST_LAUNCH, .kernel = kernel, .launch = launch};
    size_t bytes = kernel->function->param_bytes;
    if (!cuda->options.repeatable) return true;
    op.block = hd_new(bytes, 1);
    if (!op.block) return hd_fail_memory(err, "logging the host's operations");
    memcpy(op.block, block, bytes);
    if (append_op(cuda, &op, err)) return true;
    free(op.block);
    return false;
}

static bool replay_op(CudaDevice *cuda, const CudaHostOp *op, bool *strayed, HdError *err)
{
    const CudaApi *api = &cuda->api;
    uint8_t word[CUDA_SMALL_COPY];
    int code = 0;
    switch (op->kind) {
    case HOST_FILL:
        code = api->cuMemsetD8_v2(op->at, (unsigned char)op->byte, op->bytes);
        break;
    case HOST_COPY: code = api->cuMemcpyDtoD_v2(op->at, op->copy, op->bytes); break;
    case HOST_WRITE: code = api->cuMemcpyHtoD_v2(op->at, op->word, op->bytes); break;
    case HOST_READ:
        code = api->cuMemcpyDtoH_v2(word, op->at, op->bytes);
        *strayed |= !code && memcmp(word, op->word, op->bytes) != 0;
        break;
    case HOST_LAUNCH:
        return cuda_start(cuda, op->kernel, &cuda->launches[op->launch],
                          &cuda->event_pairs[op->launch], op->block, err);
    }
    return !code || cuda_fail(api, code, err, "repeating the program");
}

bool cuda_replay(CudaDevice *cuda, const CudaReplayHook *hook, HdError *err)
{
    bool strayed = false;
    // The initial values of a module's variables are not logged.
    for (size_t i = 0; i < cuda->module_count; i++) {
        const PtxModule *module = cuda->modules[i].ptx;
        for (size_t v = 0; v < module->variable_count; v++)
            if (module->variables[v].space == SPACE_GLOBAL)
                return hd_fail(err, "%s: cannot be repeated: the initial value of its variable %s "
                                    "is lost", module->path, module->variables[v].name);
    }
    for (size_t i = 0; i < cuda->host_op_count; i++) {
        const CudaHostOp *op = &cuda->host_ops[i];
        if (!replay_op(cuda, op, &strayed, err)) return false;
        if (hook && op->kind == HOST_LAUNCH &&
            !(cuda_wait(cuda, err) && hook->on_launch_end(hook, err)))
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
    if (!cuda_replay(cuda, NULL, err)) return false;
    for (size_t i = 0; i < cuda->launch_count; i++) {
        float milliseconds;
        int code = cuda->api.cuEventElapsedTime(&milliseconds, cuda->event_pairs[i].begin,
                                                cuda->event_pairs[i].end);
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
