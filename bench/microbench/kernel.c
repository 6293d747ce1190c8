// Kernels of repeated instructions, and their times.
#include "base/fail.h"
#include "device/sim.h"
#include "gpu/launch_result.h"
#include "microbench.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] =
    ".version 7.5 .target sm_53 .address_size 64\n"
    ".const .align 8 .u64 bank[1] = { bank };\n"
    ".visible .entry micro%u(.param .u64 argument, .param .u64 times, .param .u32 rounds)\n"
    "{\n"
    "    .reg .pred %%p<11>;\n"
    "    .reg .b16 %%h<10>;\n"
    "    .reg .b32 %%r<14>;\n"
    "    .reg .b64 %%rd<14>;\n"
    "    .reg .f32 %%f<10>;\n"
    "    .reg .f64 %%d<10>;\n"
    "    .shared .align 16 .b8 place[8192];\n"
    "    ld.param.u64 %%rd8, [argument];\n"
    "    ld.param.u64 %%rd12, [times];\n"
    "    ld.param.u32 %%r12, [rounds];\n"
    "    mov.u32 %%r10, %%ctaid.x;\n"
    "    mov.u32 %%r11, %%ntid.x;\n"
    "    mov.u32 %%r9, %%tid.x;\n"
    "    mad.wide.u32 %%rd9, %%r10, %%r11, 0;\n"
    "    cvt.u64.u32 %%rd10, %%r9;\n"
    "    add.u64 %%rd9, %%rd9, %%rd10;\n"
    "    and.b32 %%r8, %%r9, 31;\n"
    "    mov.u32 %%r13, 0;\n";
static const char loop[] =
    "LOOP:\n"
    "    mov.u64 %rd10, %clock64;\n";
static const char tail[] =
    "    mov.u64 %rd11, %clock64;\n"
    "    add.u32 %r13, %r13, 1;\n"
    "    setp.lt.u32 %p10, %r13, %r12;\n"
    "    @%p10 bra LOOP;\n"
    "    sub.u64 %rd11, %rd11, %rd10;\n"
    "    st.global.u64 [%rd12], %rd11;\n"
    "    ret;\n"
    "}\n";

// The PTX of the kernel "micro<number>". NULL and err if out of memory. The caller frees it.
static char *kernel_text(const Kernel *kernel, unsigned number, HdError *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        hd_fail_memory(err, "writing a kernel");
        return NULL;
    }
    fprintf(out, head, number);
    fputs(kernel->before ? kernel->before : "", out);
    fputs(loop, out);
    for (unsigned i = 0; i < kernel->count; i++)
        for (const char *c = kernel->body; *c; c++)
            if (*c == '#') fprintf(out, "%u", i % kernel->chains);
            else fputc(*c, out);
    fputs(tail, out);
    if (fclose(out)) {
        free(text);
        hd_fail_memory(err, "writing a kernel");
        return NULL;
    }
    return text;
}

bool micro_run(Chip *chip, const Kernel *kernel, const KernelRun *run, KernelTimes *times,
               HdError *err)
{
    char *text = kernel_text(kernel, chip->kernels, err), name[32];
    if (!text) return false;
    snprintf(name, sizeof name, "micro%u", chip->kernels++);
    bool ok = hd_load(chip->device, text, name, err);
    free(text);
    HdAddress round = ok ? hd_allocate(chip->device, sizeof times->round, "times", err) : 0;
    if (!round) return false;
    HdArg args[] = {hd_buffer(run->argument ? run->argument : round), hd_buffer(round),
                    hd_u32(run->rounds)};
    HdLaunch launch = {.kernel = name, .grid = {run->blocks, 1, 1}, .block = {run->threads, 1, 1},
                       .args = args, .arg_count = 3};
    if (!hd_launch(chip->device, &launch, err) ||
        !hd_read(chip->device, &times->round, round, sizeof times->round, err))
        return false;
    size_t launches;
    const LaunchResult *results = gpu_results(device_sim_gpu(chip->device), &launches);
    times->launch = results[launches - 1].cycles;
    return true;
}
