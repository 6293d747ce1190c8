// The report of a run on a real GPU.
#include "cli/run/cuda_report.h"

#include "cli/run/run_report.h"
#include "device/cuda_device.h"
#include "report/format_numbers.h"

#include <string.h>

// The launches of one kernel.
typedef struct KernelTimes {
    const CudaLaunch *first;
    size_t launches;
    double milliseconds;
} KernelTimes;

enum { MOST_KERNELS = 12 };

// By kernel, in the order of first launches; kernels beyond MOST_KERNELS are left out.
static void print_kernels(const CudaLaunch *launches, size_t count, double all, FILE *out)
{
    KernelTimes kernels[MOST_KERNELS];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < used && strcmp(kernels[k].first->kernel, launches[i].kernel) != 0) k++;
        if (k == MOST_KERNELS) continue;
        if (k == used) kernels[used++] = (KernelTimes){.first = &launches[i]};
        kernels[k].launches++;
        kernels[k].milliseconds += launches[i].milliseconds;
    }
    fprintf(out, "\n%-28s %9s %12s %8s %12s %10s\n", "kernels", "launches", "ms", "of all",
            "ms each", "registers");
    for (size_t k = 0; k < used; k++) {
        const KernelTimes *row = &kernels[k];
        fprintf(out, "  %-26.26s %9zu %12.3f %6.1f %% %12.4f %10d\n", row->first->kernel,
                row->launches, row->milliseconds, all > 0 ? 100 * row->milliseconds / all : 0,
                row->milliseconds / (double)row->launches, row->first->registers);
    }
}

// milliseconds: of the GPU, over all repetitions.
static void print_power(const Run *run, double milliseconds, FILE *out)
{
    const RunPower *p = &run->power;
    char repetitions[NUMBER_TEXT], samples[NUMBER_TEXT];
    if (!p->repetitions) return;
    fprintf(out,
            "repeated   %s times in %.1f s: %.3f ms of the GPU each, one every %.3f ms\n"
            "power      %.1f W, mean of %s samples from %.1f to %.1f W; %.1f W before, idle\n"
            "energy     %.4g J each\n",
            format_count(p->repetitions, repetitions), p->busy.seconds,
            milliseconds / (double)p->repetitions,
            p->busy.seconds * 1e3 / (double)p->repetitions, p->busy.watts,
            format_count(p->busy.samples, samples), p->busy.min, p->busy.max, p->idle.watts,
            p->busy.joules / (double)p->repetitions);
    if (p->strayed)
        fprintf(out,
                "note       %s of the repetitions read other flags or lengths than the checked "
                "run: their work may differ\n",
                format_count(p->strayed, repetitions));
}

static void print_counts(const Run *run, FILE *out)
{
    const RunCounts *c = &run->counts;
    char warps[NUMBER_TEXT], threads[NUMBER_TEXT], reads[NUMBER_TEXT], writes[NUMBER_TEXT];
    if (!c->valid) return;
    fprintf(out, "counts     %s warp instructions, %s thread instructions",
            format_count(c->counters.warp_instructions, warps),
            format_count(c->counters.thread_instructions, threads));
    if (c->dram)
        fprintf(out, "; DRAM: %s sectors read, %s written",
                format_count(c->counters.dram_read_sectors, reads),
                format_count(c->counters.dram_write_sectors, writes));
    if (c->simulated)
        fprintf(out, "\n           simulated, machine %s: %s\n",
                *c->machine ? c->machine : "of all defaults", c->reason);
    else
        fprintf(out, "\n           counted by the GPU (CUPTI)\n");
}

void cuda_report_print(const Run *run, FILE *out)
{
    const CudaInfo *info = run->gpu_info;
    const char *target = device_cuda_target(run->device);
    char where[256];
    size_t count;
    const CudaLaunch *launches = device_cuda_launches(run->device, &count);
    double all = 0, repeated = 0;
    for (size_t i = 0; i < count; i++) {
        all += launches[i].milliseconds;
        repeated += launches[i].repeated;
    }
    snprintf(where, sizeof where, "on %s (compute capability %d.%d, %d SMs, driver for CUDA %d.%d)",
             info->name, info->major, info->minor, info->sms, info->driver / 1000,
             info->driver % 1000 / 10);
    run_report_title(run, where, out);
    run_report_answer(run, out);
    fprintf(out,
            "time       %.3f ms of the GPU in %zu launches; with copies and the check %.1f s on "
            "this host\n",
            all, count, run->seconds);
    print_power(run, repeated, out);
    print_counts(run, out);
    if (target)
        fprintf(out, "note       the driver no longer supports the kernels' own target: "
                     "compiled for %s\n", target);
    print_kernels(launches, count, all, out);
}
