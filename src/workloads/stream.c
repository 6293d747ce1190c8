// Streaming copy: the host program.
#include "workloads/stream.h"

#include "base/bits.h"
#include "base/memory.h"
#include "workloads/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first element of `out` that is not that of `in`, into the result.
static void stream_verify(const uint32_t *in, const uint32_t *out, uint32_t elements,
                          WorkloadResult *result)
{
    uint32_t i = 0;
    while (i < elements && in[i] == out[i]) i++;
    result->reached = i;
    result->verified = i == elements;
    if (!result->verified)
        snprintf(result->mismatch, sizeof result->mismatch,
                 "element %u is 0x%08x, it should be 0x%08x", i, out[i], in[i]);
}

// Arrays in the order of the reference: in, out. Values are bit patterns of normal floats.
static bool stream_copy(HdDevice *device, const WorkloadInput *input, uint32_t *in, uint32_t *out,
                        WorkloadResult *result, HdError *err)
{
    uint32_t n = input->elements;
    uint64_t bytes = (uint64_t)n * sizeof *in;
    for (uint32_t i = 0; i < n; i++) in[i] = 0x3f800000u + (i & 0x7fffff);
    HdAddress from = hd_allocate(device, bytes, "in", err);
    HdAddress to = from ? hd_allocate(device, bytes, "out", err) : 0;
    if (!to || !hd_write(device, from, in, bytes, err) ||
        !workload_note(result, (WorkCounters){.active_vertices = n}, err))
        return false;
    HdLaunch launch = {
        .kernel = "stream_copy",
        .grid = {(uint32_t)divide_up(n, input->block), 1, 1},
        .block = {input->block, 1, 1},
        .args = (HdArg[]){hd_buffer(from), hd_buffer(to), hd_i32((int32_t)n)},
        .arg_count = 3,
    };
    if (!hd_launch(device, &launch, err) || !hd_read(device, out, to, bytes, err)) return false;
    stream_verify(in, out, n, result);
    return true;
}

static bool stream_run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    if (input->elements == 0 || input->elements > INT32_MAX)
        return hd_fail(err, "stream copies 1 to %d elements, not %u", INT32_MAX, input->elements);
    uint32_t *in = hd_new(input->elements, sizeof *in);
    uint32_t *out = hd_new(input->elements, sizeof *out);
    bool ok = in && out ? stream_copy(device, input, in, out, result, err)
                        : hd_fail_memory(err, "running stream");
    free(in);
    free(out);
    return ok;
}

const Implementation stream_implementations[] = {
    {"reference-stream", "the copy that was run on GPGPU-Sim: 4-byte elements, one per thread",
     ptx_reference_stream, "kernels/reference_stream.cu", stream_run},
    {0},
};
