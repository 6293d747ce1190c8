// The report at the end of the program.
#include "cudart/report/program_report.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cudart/process/ending_signals.h"
#include "cudart/process/output_files.h"
#include "cudart/report/allocation_sites.h"
#include "cudart/report/program_report_json.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/unsupported.h"
#include "gpu/launch_result.h"
#include "report/format_numbers.h"
#include "report/counter_tables.h"
#include "store/keep_result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 12, KERNEL_WIDTH = 36, CUDA_ARRAY_WIDTH = 36 };

// ---- command line ----

// Reads the words of the command line from the kernel. NULL: not readable.
static char **command_line(void)
{
    FILE *file = fopen("/proc/self/cmdline", "r");
    char *text = NULL, **words = NULL;
    size_t size = 0, count = 0, room = 0;
    bool ok = file;
    while (ok && getdelim(&text, &size, 0, file) > 0) {
        char *word = strdup(text);
        if (word) text_mask(word, "");
        ok = word && HD_PUSH(words, count, room, word);
        if (word && !ok) free(word);
    }
    ok = ok && HD_PUSH(words, count, room, NULL);
    free(text);
    if (file) fclose(file);
    if (ok) return words;
    for (size_t i = 0; i < count; i++) free(words[i]);
    free(words);
    return NULL;
}

// ---- text ----

// The weight by which kernels are sorted: cycles; for functional launches, warp instructions.
static uint64_t weight(const KernelTotal *kernel)
{
    return kernel->cycles ? kernel->cycles : kernel->functional_instructions;
}

// Orders timed kernels first, then by falling weight.
static int by_weight(const void *a, const void *b)
{
    const KernelTotal *x = *(const KernelTotal *const *)a, *y = *(const KernelTotal *const *)b;
    bool timed = x->cycles, other_timed = y->cycles;
    if (timed != other_timed) return timed ? -1 : 1;
    if (weight(x) != weight(y)) return weight(x) < weight(y) ? 1 : -1;
    return x < y ? -1 : 1; // order of the first launches
}

// Shortens a name that is too long: leaves out the namespaces in front ("cub::detail::Kernel<...>"
// becomes "Kernel<...>"), which many kernels may share.
static const char *short_name(const char *name)
{
    if (strlen(name) <= KERNEL_WIDTH) return name;
    const char *start = name;
    int open = 0;
    for (const char *c = name; *c && (*c != '<' || open); c++) {
        open += (*c == '(') - (*c == ')'); // "(anonymous namespace)::"
        if (!open && c[0] == ':' && c[1] == ':') start = c + 2;
    }
    return start;
}

// `all`: the weight of all timed kernels; if none is timed, of all kernels.
static void print_kernel(const KernelTotal *kernel, bool timed, uint64_t all, FILE *out)
{
    char launches[NUMBER_TEXT], number[NUMBER_TEXT];
    char *name = symbol_demangle(kernel->kernel->name, false);
    uint64_t share = timed ? kernel->cycles : kernel->functional_instructions;
    fprintf(out, "  %-*.*s %10s %16s %7.1f %%", KERNEL_WIDTH, KERNEL_WIDTH,
            short_name(name ? name : kernel->kernel->name),
            format_count(kernel->launches + kernel->functional, launches),
            format_count(share, number), 100 * ratio(share, all));
    if (timed) fprintf(out, " %8.3f", ratio(kernel->sm.warp_instructions, kernel->cycles));
    fputc('\n', out);
    free(name);
}

static void print_kernels(const Gpu *gpu, FILE *out)
{
    size_t count;
    const KernelTotal *totals = gpu_kernel_totals(gpu, &count);
    const KernelTotal **sorted = hd_new(count, sizeof *sorted);
    uint64_t cycles = gpu_total(gpu)->cycles;
    uint64_t all = cycles ? cycles : gpu_functional(gpu)->sm.sm.warp_instructions;
    if (!sorted) return;
    for (size_t i = 0; i < count; i++) sorted[i] = &totals[i];
    qsort(sorted, count, sizeof *sorted, by_weight);
    fprintf(out, "%-*s %10s %16s %9s%s\n", KERNEL_WIDTH + 2, "kernels", "launches",
            cycles ? "cycles" : "warp instr.", "share", cycles ? "      IPC" : "");
    for (size_t i = 0; i < count && i < MOST_KERNELS; i++)
        print_kernel(sorted[i], cycles, all, out);
    if (count > MOST_KERNELS) fprintf(out, "  and %zu more (HEDDLE_OUT writes all)\n",
                                      count - MOST_KERNELS);
    free(sorted);
}

static void print_notes(const Gpu *gpu, FILE *out)
{
    const char *note;
    for (size_t i = 0; (note = gpu_notice(gpu, i)); i++) {
        char text[HD_ERROR_TEXT];
        allocation_site_annotate(note, text, sizeof text);
        fprintf(out, "%s%s\n", i ? "           " : "\nnoticed    ", text);
    }
    for (unsigned i = 0; (note = unsupported_reported(i)); i++)
        fprintf(out, "%s%s", i ? ", " : "\nmissing    ", note);
    if (unsupported_reported(0)) fputc('\n', out);
}

// Prints how the program ended, unless it ended by itself.
static void print_end(const Gpu *gpu, int signal, FILE *out)
{
    const LaunchStop *stop = gpu_stop(gpu);
    if (cudart_faulted()) fputs(", then one that FAILED and is not in the numbers below", out);
    if (signal) fprintf(out, "; ended by %s", signals_name(signal));
    if (stop->reason != STOP_ASKED || !*stop->kernel) return;
    char cycle[NUMBER_TEXT], done[NUMBER_TEXT], blocks[NUMBER_TEXT];
    fprintf(out,
            "\nPARTIAL    stopped in %s at cycle %s of its launch, %s of %s blocks done; this "
            "launch is not in the numbers below",
            stop->kernel, format_count(stop->cycle, cycle), format_count(stop->blocks_done, done),
            format_count(stop->blocks, blocks));
    if (*stop->warps) fprintf(out, "; some of its warps:\n%s", stop->warps);
}

static void print_report(const ProgramReport *report, FILE *out)
{
    Gpu *gpu = device_sim_gpu(report->device);
    char launches[NUMBER_TEXT];
    uint64_t count = gpu_launches(gpu);
    fprintf(out, "\nheddle     ");
    for (char **word = report->words; word && *word; word++) fprintf(out, "%s ", *word);
    fprintf(out, "on machine %s", config_name(device_sim_config(report->device)));
    const char *mechanisms = report->settings->simulation.mechanisms;
    if (mechanisms) fprintf(out, " with %s", mechanisms);
    fprintf(out, "; %s launch%s", format_count(count, launches), count == 1 ? "" : "es");
    print_end(gpu, report->signal, out);
    fputc('\n', out);
    if (count) {
        print_kernels(gpu, out);
        fputc('\n', out);
        print_counter_tables(gpu, report->seconds, CUDA_ARRAY_WIDTH, out);
    }
    print_notes(gpu, out);
}

// ---- output ----

static bool is_none(const char *path) { return path && !strcmp(path, "none"); }

static void write_report(const ProgramReport *report)
{
    const char *path = report->settings->report;
    if (is_none(path)) return;
    if (!path) {
        print_report(report, stderr);
        return;
    }
    OutputFile output;
    HdError err = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) print_report(report, out);
    if (!out || fclose(out) != 0) {
        hd_fail_memory(&err, "writing the report");
    } else if (output_file_begin(&output, path, &report->begun, &err)) {
        file_write(output.path, text, size, &err);
        output_file_end(&output);
    }
    free(text);
    if (err.set) cudart_warn("%s", err.text);
}

static void write_json(const ProgramReport *report)
{
    OutputFile output;
    HdError err = {0};
    const Settings *s = report->settings;
    if (!s->out && !s->store) return;
    json_t *json = program_report_json(report);
    if (!json) {
        hd_fail_memory(&err, "writing the result");
    } else if (!s->out) {
        keep_result(NULL, s->store, json, &err);
    } else if (output_file_begin(&output, s->out, &report->begun, &err)) {
        keep_result(output.path, s->store, json, &err);
        output_file_end(&output);
    }
    json_decref(json);
    if (err.set) cudart_warn("%s", err.text);
}

// Whether the settings, or `heddle cuda`, ask for a report or a result.
static bool expected(const Settings *settings)
{
    return settings->out || settings->store ||
           (!is_none(settings->report) &&
                             (settings->report || getenv(SETTINGS_RUN)));
}

// "3 calls", "1 call".
static const char *plural(uint64_t count, const char *what, char text[64])
{
    char number[NUMBER_TEXT];
    snprintf(text, 64, "%s %s%s", format_count(count, number), what,
             count == 1 ? "" : *what == 'c' ? "s" : "es");
    return text;
}

// The last line of a run in which something failed that a GPU has. The exit status stays the
// program's.
static void warn_incomplete(void)
{
    Incomplete incomplete = unsupported_summary();
    const VendorLibraries *libraries = &incomplete.libraries;
    char failed[192] = "", calls[64], launches[64], names[512] = "";
    if (!incomplete.any) return;
    if (incomplete.calls || incomplete.launches)
        snprintf(failed, sizeof failed, "; %s%s%s needed what Heddle does not have",
                 incomplete.calls ? plural(incomplete.calls, "call", calls) : "",
                 incomplete.calls && incomplete.launches ? " and " : "",
                 incomplete.launches ? plural(incomplete.launches, "launch", launches)
                                     : "");
    for (unsigned i = 0; i < libraries->count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", libraries->names[i]);
    }
    cudart_warn("results of %s may be missing%s%s%s%s", program_invocation_short_name, failed,
                *names ? "; it has loaded " : "", names,
                *names ? ", whose kernels are machine code: calls of them fail" : "");
}

static void write_outputs(ProgramReport report)
{
    Gpu *gpu = device_sim_gpu(report.device);
    if (!gpu_launches(gpu) && gpu_stop(gpu)->reason == STOP_NONE &&
        !(report.signal && expected(report.settings))) {
        if (!report.signal && expected(report.settings))
            cudart_warn("no report: %s %s", program_invocation_short_name,
                        cudart_faulted() ? "failed in its first launch" : "launched no kernel");
        return;
    }
    HdError err = {0};
    if (!gpu_check_registers(gpu, &err)) cudart_warn("%s", err.text);
    report.words = command_line();
    fflush(stdout); // the program's output comes first if stdout and stderr go to one file
    allocation_sites_name_all(gpu);
    locale_t of_program = number_locale_begin();
    write_report(&report);
    write_json(&report);
    number_locale_end(of_program);
    for (char **word = report.words; word && *word; word++) free(*word);
    free(report.words);
}

void program_report_write(ProgramReport report)
{
    write_outputs(report);
    warn_incomplete();
}

void program_report_unused(void)
{
    Settings settings = {0};
    if (getenv(SETTINGS_RUN) && settings_read(&settings, NULL) && expected(&settings))
        cudart_warn("no report: %s did not use its GPU", program_invocation_short_name);
    if (getenv(SETTINGS_RUN)) warn_incomplete();
    settings_free(&settings);
}
