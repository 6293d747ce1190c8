// `heddle annotate`: source files with the stall cycles of each line.
#include "base/text.h"
#include "cli/common/data_directories.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "cli/results/annotate.h"
#include "cli/results/result_file.h"
#include "report/format_numbers.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const reasons[REASONS] = {"ready", "table",  "depend", "L1",      "L2",
                                             "DRAM",  "shared", "fetch",  "barrier", "end"};

// ---- the table ----

enum { CYCLES = 14 };

static int column_width(int reason)
{
    int length = (int)strlen(reasons[reason]);
    return length > 4 ? length : 4;
}

static void print_share(uint64_t cycles, uint64_t all, int width)
{
    double percent = 100 * ratio(cycles, all);
    if (percent >= 0.05)
        printf(" %*.1f", width, percent);
    else
        printf(" %*s", width, cycles ? "0" : "");
}

static int by_cycles(const void *a, const void *b)
{
    const AllocationWait *x = a, *y = b;
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? 1 : -1;
    return strcmp(x->name, y->name);
}

enum { TOP_ALLOCATIONS = 3, LONGEST = 48, ALLOCATIONS_TEXT = 192 };

// "edges 31.2, offsets 4.0": the allocations with the longest waits, in percent of all cycles.
static const char *top_allocations(const Line *line, uint64_t all, char text[ALLOCATIONS_TEXT])
{
    int at = 0;
    text[0] = 0;
    size_t most = line->allocation_count < TOP_ALLOCATIONS ? line->allocation_count
                                                            : TOP_ALLOCATIONS;
    for (size_t i = 0; i < most && at < ALLOCATIONS_TEXT; i++) {
        double percent = 100 * ratio(line->allocations[i].cycles, all);
        if (percent < 0.05) break;
        // Of a CUDA program's "cudaMalloc #3, bfs.cu:120" the number: the table below the files has
        // the names.
        const char *name = line->allocations[i].name, *number = strstr(name, " #");
        size_t digits = number ? strspn(number + 2, "0123456789") : 0;
        size_t length = digits ? 1 + digits : strlen(name);
        if (digits) name = number + 1;
        at += snprintf(text + at, (size_t)(ALLOCATIONS_TEXT - at), "%s%.*s %.1f", at ? ", " : "",
                       (int)(length < LONGEST ? length : LONGEST), name, percent);
    }
    return text;
}

// Whether the reason has a column: REASON_TABLE only if a warp waited so.
static bool has_column(const Annotation *a, int reason)
{
    return reason != REASON_TABLE || a->all.cycles[reason];
}

static void print_numbers(const Annotation *a, const Line *line)
{
    char cycles[NUMBER_TEXT];
    uint64_t all = line_cycles(&a->all);
    printf("%*s", CYCLES, format_count(line_cycles(line), cycles));
    print_share(line_cycles(line), all, 6);
    for (int i = 0; i < REASONS; i++)
        if (has_column(a, i)) print_share(line->cycles[i], all, column_width(i));
    if (line->memory)
        printf(" %8.1f", ratio(line->requests, line->memory));
    else
        printf(" %8s", "");
    printf(" %5.1f", ratio(line->lanes, line->issued));
}

static void print_file(const Annotation *a, const SourceFile *file)
{
    char allocations[ALLOCATIONS_TEXT], path[PATH_MAX];
    int widest = 0, numbers = CYCLES + 7 + 9 + 6;
    uint64_t all = line_cycles(&a->all);
    for (int i = 0; i < REASONS; i++)
        if (has_column(a, i)) numbers += 1 + column_width(i);
    for (size_t i = 0; i < file->count; i++) {
        Line *line = &file->lines[i];
        if (line->allocation_count)
            qsort(line->allocations, line->allocation_count, sizeof *line->allocations, by_cycles);
        int width = (int)strlen(top_allocations(line, all, allocations));
        widest = width > widest ? width : widest;
    }
    printf("\n%s\n", text_escape(path, sizeof path, file->path, ""));
    printf("%*s %6s", CYCLES, "cycles", "%");
    for (int i = 0; i < REASONS; i++)
        if (has_column(a, i)) printf(" %*s", column_width(i), reasons[i]);
    printf(" %8s %5s  %-*s line\n", "requests", "lanes", widest, widest ? "allocations" : "");
    for (size_t i = 0; i < file->count; i++) {
        if (file->lines[i].issued)
            print_numbers(a, &file->lines[i]);
        else
            printf("%*s", numbers, "");
        printf("  %-*s %4zu  %s\n", widest, top_allocations(&file->lines[i], all, allocations),
               i + 1, file->rows[i]);
    }
}

static void print_annotation(Annotation *a)
{
    char cycles[NUMBER_TEXT];
    uint64_t all = line_cycles(&a->all);
    printf("%s cycles of warps\n", format_count(all, cycles));
    for (size_t i = 0; i < a->file_count; i++) print_file(a, &a->files[i]);
    if (a->rest.issued) {
        print_numbers(a, &a->rest);
        printf("  elsewhere: other files (without FILE all are shown), or no known line\n");
    }
    if (!a->all.allocation_count) return;
    qsort(a->all.allocations, a->all.allocation_count, sizeof *a->all.allocations, by_cycles);
    printf("\nwaits for memory by allocation, %% of all cycles\n");
    for (size_t i = 0; i < a->all.allocation_count; i++) {
        const AllocationWait *wait = &a->all.allocations[i];
        printf("%*s", CYCLES, format_count(wait->cycles, cycles));
        print_share(wait->cycles, all, 6);
        printf("  %s\n", wait->name);
    }
}

// ---- the command ----

typedef struct Request {
    bool one_launch;
    uint64_t launch;
} Request;

static const Option annotate_options[] = {
    {.name = "launch", .type = OPTION_U64, .target = offsetof(Request, launch), .value = "K",
     .min = 1, .max = UINT32_MAX,
     .help = "launch K alone (the first is 1); needs heddle run --per-kernel"},
    {0},
};

// The table of instructions in the result; NULL and err: there is none.
static const json_t *find_pcs(const json_t *result, const json_t *kernels, const char *name,
                              const Request *request, HdError *err)
{
    if (request->one_launch && request->launch > json_array_size(kernels)) {
        hd_fail(err, "--launch %llu: expected at most %zu, the launches of %s",
                (unsigned long long)request->launch, json_array_size(kernels), name);
        return NULL;
    }
    const json_t *from =
        request->one_launch ? json_array_get(kernels, request->launch - 1) : result;
    const json_t *pcs = json_object_get(from, "pcs");
    if (json_is_array(pcs)) return pcs;
    if (request->one_launch)
        hd_fail(err,
                "%s: has no instructions of single launches: expected a result of heddle run "
                "--per-kernel",
                name);
    else
        hd_fail(err, "%s: has no table of instructions ('pcs')", name);
    return NULL;
}

static bool show(const char *name, char **paths, int count, const Request *request, HdError *err)
{
    const json_t *result, *kernels;
    json_t *root = result_file_read(name, &result, &kernels, err);
    if (!root) return false;
    Annotation a = {0};
    const json_t *pcs = find_pcs(result, kernels, name, request, err);
    // Heddle's own workloads run the kernels that come with Heddle, unless --ptx names others.
    const char *workload = json_string_value(json_object_get(result, "workload"));
    bool own_kernels = workload && strcmp(workload, "cuda") != 0 &&
                       json_is_null(json_object_get(result, "ptx"));
    Directories kernel_folders;
    kernel_directories(&kernel_folders);
    AnnotationRequest files = {.pcs = pcs, .result = name, .paths = (const char *const *)paths,
                               .path_count = (size_t)count,
                               .folders = own_kernels ? kernel_folders.paths : NULL};
    bool ok = pcs && annotate(&a, &files, err);
    if (ok && !line_cycles(&a.all))
        ok = hd_fail(err, "%s: its warps took no cycles; was the launch functional?",
                     name);
    if (ok) print_annotation(&a);
    annotation_free(&a);
    json_decref(root);
    return ok;
}

static int annotate_result(const CommandLine *line, void *options)
{
    HdError err = {0};
    Request *request = options;
    char **words = line->arguments;
    request->one_launch = command_line_has(line, "launch");
    if (!line->argument_count)
        return cli_fail_with("no result: expected a file of heddle run --out (see heddle annotate "
                             "--help)");
    return show(words[0], words + 1, line->argument_count - 1, request, &err) ? cli_flush()
                                                                              : cli_fail(&err);
}

static int cmd_annotate(int argc, char **argv)
{
    Request request = {0};
    return command_line_run(&command_annotate, annotate_result, &request, (void *[]){&request},
                            argc, argv);
}

const Command command_annotate = {
    .name = "annotate",
    .summary = "show a kernel's source with the stall cycles of its warps, line by line",
    .synopsis = "annotate RUN.json [FILE]... [--launch K]",
    .description =
        "Prints source files with the cycles that warps spent on each line, from a result of "
        "`heddle run --out RUN.json`. Without FILE: all files that the result names, from this "
        "folder or, for Heddle's own workloads, from where Heddle keeps their kernels. A .ptx "
        "file is shown by the lines of its instructions.\n"
        "\n"
        "A warp's cycles belong to the instruction that it issues next; waits for memory belong to "
        "the load or atomic that ended them. The columns, in percent of all warps' cycles:\n"
        "  ready    the instruction could issue; another warp was chosen, its unit was busy, or a\n"
        "           mechanism throttled the warp\n"
        "  table    the instruction could issue, but waited for an entry of the table of waves\n"
        "           (only if some warp did)\n"
        "  depend   waiting for the result of an instruction without memory access\n"
        "  L1, L2, DRAM, shared   waiting for a load that this level served\n"
        "  fetch    waiting for fetch and decode\n"
        "  barrier  at a barrier, fence or sleep\n"
        "  end      the warp had exited, its stores were outstanding\n"
        "requests: per memory instruction; lanes: active ones per instruction",
    .tables = {annotate_options},
    .notes = "example:\n"
             "  heddle run bfs --impl warp --graph rmat:16,8 --out run.json\n"
             "  heddle annotate run.json kernels/bfs.cu",
    .run = cmd_annotate,
};
