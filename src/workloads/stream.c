// Streaming copy: the host program.
#include "workloads/kernels.h"
#include "workloads/program.h"

static const HdParameter parameters[] = {
    {.name = "elements", .unit = "numbers", .description = "number of 4-byte elements to copy",
     .value = 1 << 20, .min = 1, .max = INT32_MAX, .kind = HD_WHOLE},
    {0},
};

// Arrays are allocated in the order of the reference: in, out. Values are bit patterns of normal
// floats.
static bool stream_run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t n = (uint32_t)input->parameters[0];
    uint64_t bytes = (uint64_t)n * sizeof(uint32_t);
    uint32_t *in = program_scratch(&program, n, sizeof *in);
    uint32_t *out = program_scratch(&program, n, sizeof *out);
    for (uint32_t i = 0; program.ok && i < n; i++) in[i] = 0x3f800000u + (i & 0x7fffff);
    HdAddress from = program_array(&program, "in", in, bytes);
    HdAddress to = program_array(&program, "out", NULL, bytes);
    PROGRAM_LAUNCH(&program, "stream_copy", n, (WorkCounters){.active_vertices = n},
                   hd_buffer(from), hd_buffer(to), hd_i32((int32_t)n));
    program_read(&program, out, to, bytes);
    uint32_t copied = 0;
    while (program.ok && copied < n && in[copied] == out[copied]) copied++;
    if (program.ok && copied < n)
        program_mismatch(&program, "element %u is 0x%08x: expected 0x%08x", copied,
                         out[copied], in[copied]);
    program_answer(&program, "copied", copied);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("reference-stream", reference_stream, stream_run, "docs/validation.md",
        "the copy that was run on GPGPU-Sim: 4-byte elements, one per thread"),
    {0},
};

const Workload workload_stream = {
    .name = "stream",
    .doc = "copies an array: measures the DRAM bandwidth that a kernel can use",
    .answer = "copied: elements",
    .check = "each element",
    .small = "elements=20000",
    .implementations = implementations,
    .parameters = parameters,
};
