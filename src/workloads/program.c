// Functions shared by the host programs.
#include "workloads/program.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Program program_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                      HdError *err)
{
    result->verified = true; // until something differs
    return (Program){.device = device, .input = input, .graph = input->graph,
                     .block = input->block, .result = result, .err = err, .ok = true};
}

bool program_end(Program *program)
{
    for (unsigned i = 0; i < program->scratch_count; i++) free(program->scratch[i]);
    program->scratch_count = 0;
    return program->ok;
}

void program_fail(Program *program, const char *format, ...)
{
    if (!program->ok) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    number_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    program->ok = hd_fail(program->err, "%s", text);
}

void *program_scratch(Program *program, uint64_t count, size_t size)
{
    if (!program->ok) return NULL;
    void *memory = NULL;
    if (program->scratch_count < MAX_SCRATCH) memory = hd_new(count ? count : 1, size);
    if (!memory) {
        program->ok = hd_fail_memory(program->err, "running a workload");
        return NULL;
    }
    return program->scratch[program->scratch_count++] = memory;
}

// ---- arrays ----

HdAddress program_array(Program *program, const char *name, const void *from, uint64_t bytes)
{
    if (!program->ok) return 0;
    HdAddress array = hd_allocate(program->device, bytes ? bytes : sizeof(uint32_t), name,
                                  program->err);
    program->ok = array != 0;
    if (from && bytes) program_write(program, array, from, bytes);
    return array;
}

// Allocates words on the host, all set to `value`. The caller frees them. NULL on failure.
static uint32_t *equal_words(Program *program, uint64_t count, uint32_t value)
{
    uint32_t *words = hd_new(count ? count : 1, sizeof *words);
    if (!words) program->ok = hd_fail_memory(program->err, "running a workload");
    for (uint64_t i = 0; words && i < count; i++) words[i] = value;
    return words;
}

HdAddress program_variable(Program *program, const char *name)
{
    if (!program->ok) return 0;
    HdAddress variable = hd_variable(program->device, name, program->err);
    program->ok = variable != 0;
    return variable;
}

HdArg program_texture(Program *program, HdAddress floats, uint64_t count)
{
    HdArg arg = {.kind = HD_ARG_U64};
    if (program->ok) arg.value.u64 = hd_texture(program->device, floats, count, program->err);
    program->ok = arg.value.u64 != 0;
    return arg;
}

HdAddress program_words(Program *program, const char *name, uint64_t count, uint32_t value)
{
    if (!program->ok) return 0;
    if (!value) return program_array(program, name, NULL, count * sizeof value);
    uint32_t *words = equal_words(program, count, value);
    HdAddress array = program_array(program, name, words, count * sizeof *words);
    free(words);
    return array;
}

HdAddress program_vertex_words(Program *program, const char *name, int32_t at_source,
                               int32_t elsewhere)
{
    if (!program->ok) return 0;
    uint32_t n = program->graph->vertices;
    uint32_t *words = equal_words(program, n, (uint32_t)elsewhere);
    if (words) words[program->input->source] = (uint32_t)at_source;
    HdAddress array = program_array(program, name, words, (uint64_t)n * sizeof *words);
    free(words);
    return array;
}

HdAddress program_vertex_flags(Program *program, const char *name, bool at_source)
{
    uint64_t n = program->graph->vertices;
    bool *flags = program_scratch(program, n, sizeof *flags);
    if (flags) flags[program->input->source] = at_source;
    return program_array(program, name, flags, n * sizeof *flags);
}

HdAddress program_offsets(Program *program)
{
    const HdGraph *graph = program->graph;
    return program_array(program, "offsets", graph->row32,
                         ((uint64_t)graph->vertices + 1) * sizeof *graph->row32);
}

void program_reverse(Program *program, HdAddress *row, HdAddress *column)
{
    *row = *column = 0;
    if (!program->ok) return;
    HdGraph *reverse = hd_graph_reverse(program->graph, program->err);
    program->ok = reverse != NULL;
    if (!reverse) return;
    *row = program_array(program, "in_offsets", reverse->row32,
                         ((uint64_t)reverse->vertices + 1) * sizeof *reverse->row32);
    *column = program_array(program, "in_edges", reverse->column,
                            reverse->edges * sizeof *reverse->column);
    hd_graph_free(reverse);
}

HdAddress program_row_pairs(Program *program)
{
    const HdGraph *graph = program->graph;
    uint32_t (*rows)[2] = program_scratch(program, graph->vertices, sizeof *rows);
    for (uint32_t v = 0; rows && v < graph->vertices; v++) {
        rows[v][0] = graph->row32[v];
        rows[v][1] = graph->row32[v + 1] - graph->row32[v];
    }
    return program_array(program, "rows", rows, (uint64_t)graph->vertices * sizeof *rows);
}

uint32_t program_edge_tail(const Program *program, uint64_t edge)
{
    const HdGraph *graph = program->graph;
    uint32_t low = 0, high = graph->vertices - 1; // find the last vertex whose row starts at or
                                                  // before the edge
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (graph->row[middle] <= edge)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

HdAddress program_edges(Program *program)
{
    const HdGraph *graph = program->graph;
    return program_array(program, "edges", graph->column, graph->edges * sizeof *graph->column);
}

bool program_read(Program *program, void *to, HdAddress from, uint64_t bytes)
{
    program->ok = program->ok && hd_read(program->device, to, from, bytes, program->err);
    return program->ok;
}

bool program_write(Program *program, HdAddress to, const void *from, uint64_t bytes)
{
    program->ok = program->ok && hd_write(program->device, to, from, bytes, program->err);
    return program->ok;
}

uint32_t program_get(Program *program, HdAddress array, uint64_t index)
{
    uint32_t value = 0;
    program_read(program, &value, array + index * sizeof value, sizeof value);
    return program->ok ? value : 0;
}

void program_set(Program *program, HdAddress array, uint64_t index, uint32_t value)
{
    program_write(program, array + index * sizeof value, &value, sizeof value);
}

bool program_test_and_clear(Program *program, HdAddress flag)
{
    if (!program_get(program, flag, 0)) return false;
    program_set(program, flag, 0, 0);
    return program->ok;
}

// ---- work ----

void program_work_add(const Program *program, uint32_t vertex, WorkCounters *work)
{
    work->active_vertices++;
    work->edges += program->graph->row[vertex + 1] - program->graph->row[vertex];
}

WorkCounters program_work_flagged(Program *program, HdAddress flags, unsigned bytes, void *host)
{
    WorkCounters work = {0};
    const bool *byte = host;
    const int32_t *word = host;
    uint32_t n = program->graph->vertices;
    if (!program_read(program, host, flags, (uint64_t)n * bytes)) return work;
    for (uint32_t v = 0; v < n; v++)
        if (bytes == 1 ? byte[v] : word[v]) program_work_add(program, v, &work);
    return work;
}

WorkCounters program_work_with(Program *program, HdAddress words, int32_t value, int32_t *host)
{
    WorkCounters work = {0};
    uint32_t n = program->graph->vertices;
    if (!program_read(program, host, words, (uint64_t)n * sizeof *host)) return work;
    for (uint32_t v = 0; v < n; v++)
        if (host[v] == value) program_work_add(program, v, &work);
    return work;
}

WorkCounters program_work_listed(Program *program, HdAddress list, uint32_t count, int32_t *host)
{
    WorkCounters work = {0};
    uint32_t n = program->graph->vertices;
    if (count > n) {
        program_fail(program, "a kernel wrote a list of %u vertices: expected at most %u", count,
                     n);
        return work;
    }
    if (!program_read(program, host, list, (uint64_t)count * sizeof *host)) return work;
    for (uint32_t i = 0; i < count; i++)
        if ((uint32_t)host[i] < n) program_work_add(program, (uint32_t)host[i], &work);
    return work;
}

// ---- launches ----

void program_launch(Program *program, const char *kernel, uint64_t threads, WorkCounters work,
                    const HdArg *args, size_t count)
{
    if (!program->ok) return;
    uint32_t block = program->block;
    uint64_t blocks = threads ? divide_up(threads, block) : 1;
    if (blocks * block > (uint64_t)INT32_MAX + 1) { // all threads of the last block have an index
        program_fail(program, "kernel %s needs %llu threads: expected at most 2^31",
                     kernel, (unsigned long long)threads);
        return;
    }
    HdLaunch launch = {
        .kernel = kernel,
        .grid = {(uint32_t)blocks, 1, 1},
        .block = {block, 1, 1},
        .dynamic_shared = program->dynamic_shared,
        .args = args,
        .arg_count = count,
    };
    program->ok = workload_add_work(program->result, work, program->err) &&
                  hd_launch(program->device, &launch, program->err);
}

uint64_t program_warps(Program *program, uint64_t warps)
{
    unsigned width = hd_device_warp_width(program->device), block = program->block;
    if (block % width)
        program_fail(program, "blocks of %u threads are not whole warps: expected --block to be "
                              "a multiple of %u for this implementation",
                     block, width);
    return warps * width;
}

// ---- the answer ----

static void add_answer(Program *program, Answer answer)
{
    WorkloadResult *result = program->result;
    if (!program->ok) return;
    if (result->answer_count == MAX_ANSWERS)
        program_fail(program, "a workload has at most %d answers", MAX_ANSWERS);
    else
        result->answers[result->answer_count++] = answer;
}

void program_answer(Program *program, const char *name, uint64_t value)
{
    add_answer(program, (Answer){.name = name, .count = value});
}

void program_answer_real(Program *program, const char *name, double value)
{
    add_answer(program, (Answer){.name = name, .real = value, .is_real = true});
}

void program_mismatch(Program *program, const char *format, ...)
{
    WorkloadResult *result = program->result;
    if (!program->ok || !result->verified) return;
    result->verified = false;
    va_list arguments;
    va_start(arguments, format);
    number_format_list(result->mismatch, sizeof result->mismatch, format, arguments);
    va_end(arguments);
}

void program_check_words(Program *program, const char *name, const int32_t *got,
                         const int32_t *expected, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (got[i] != expected[i])
            program_mismatch(program, "%s[%llu] is %d: expected %d", name, (unsigned long long)i,
                             got[i], expected[i]);
}
