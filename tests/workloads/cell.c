// Runs of workloads for tests: see cell.h.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The text with `from` replaced by `to`.
static char *replaced(const char *text, const char *from, const char *to, bool every)
{
    size_t room = strlen(text) * (strlen(to) + 1) + 1;
    char *out = malloc(room), *end = out;
    assert_non_null(out);
    bool first = true;
    for (const char *at = text; *at;) {
        if ((every || first) && strncmp(at, from, strlen(from)) == 0) {
            memcpy(end, to, strlen(to));
            end += strlen(to);
            at += strlen(from);
            first = false;
        } else {
            *end++ = *at++;
        }
    }
    *end = 0;
    if (first) fail_msg("the kernels have no '%s'", from);
    return out;
}

bool cell_try(const Cell *cell, WorkloadResult *result, HdError *err)
{
    const Workload *w = workload_find(cell->workload, err);
    const Implementation *i = w ? workload_implementation(w, cell->implementation, err) : NULL;
    if (!i) fail_msg("%s", err->text);
    WorkloadInput input = {.graph = cell->graph, .source = cell->source,
                           .block = cell->block ? cell->block : workload_block(w)};
    *result = (WorkloadResult){0};
    size_t count = 0;
    while (count < 6 && cell->parameters[count]) count++;
    const char *set[4] = {cell->set[0], cell->set[1], cell->set[2], NULL};
    char *changed = cell->replace ? replaced(i->ptx, cell->replace, cell->with, cell->every) : NULL;
    HdDevice *device = hd_device_simulate(&(HdSimulation){.set = set, .threads = 1}, err);
    bool ok = device && workload_parameters(w, cell->parameters, count, &input, err) &&
              hd_load(device, changed ? changed : i->ptx, i->ptx_name, err) &&
              workload_run(w, i, device, &input, result, err);
    hd_device_close(device);
    free(changed);
    return ok;
}

WorkloadResult cell_run(const Cell *cell)
{
    WorkloadResult result;
    HdError err = {0};
    if (!cell_try(cell, &result, &err)) fail_msg("%s", err.text);
    return result;
}

// `heddle workload` describes each number of the answer by its name, in order.
static void check_described(const char *workload, const WorkloadResult *result)
{
    HdError err;
    const char *text = workload_find(workload, &err)->answer;
    for (unsigned i = 0; i < result->answer_count; i++) {
        const char *name = result->answers[i].name;
        const char *at = strstr(text, name);
        if (!at || !strchr(",:;", at[strlen(name)]))
            fail_msg("%s: its answer '%s' does not describe %s", workload,
                     workload_find(workload, &err)->answer, name);
        text = at + strlen(name);
    }
}

WorkloadResult cell_verified(const Cell *cell)
{
    WorkloadResult result = cell_run(cell);
    check_described(cell->workload, &result);
    if (!result.verified)
        fail_msg("%s %s: %s", cell->workload, cell->implementation, result.mismatch);
    return result;
}

const char *const cell_widths[CELL_WIDTHS] = {"core.width=4", "core.width=8", "core.width=16",
                                              "core.width=32"};

void cell_at_widths(Cell cell)
{
    for (int w = 0; w < CELL_WIDTHS; w++) {
        cell.set[0] = cell_widths[w];
        WorkloadResult r = cell_verified(&cell);
        workload_result_free(&r);
    }
}

static const Answer *find_answer(const WorkloadResult *result, const char *name)
{
    for (unsigned i = 0; i < result->answer_count; i++)
        if (strcmp(result->answers[i].name, name) == 0) return &result->answers[i];
    fail_msg("there is no answer '%s'", name);
    return NULL;
}

double cell_real(const WorkloadResult *result, const char *name)
{
    return find_answer(result, name)->real;
}

void cell_answers(Cell cell, const CellAnswer *answers)
{
    for (int w = 0; w < CELL_WIDTHS; w++) {
        cell.set[0] = cell_widths[w];
        WorkloadResult r = cell_verified(&cell);
        for (const CellAnswer *a = answers; a->name; a++) {
            const Answer *found = find_answer(&r, a->name);
            double got = found->is_real ? found->real : (double)found->count;
            if (!(fabs(got - a->value) <= a->tolerance))
                fail_msg("%s with %s: %s is %.17g: expected %.17g", cell.workload, cell_widths[w],
                         a->name, got, a->value);
        }
        workload_result_free(&r);
    }
}

void cell_array(Cell cell, double sum, double greatest, uint64_t at)
{
    cell_answers(cell, (const CellAnswer[]){{"sum", sum, 0}, {"greatest", greatest, 0},
                                            {"greatest_at", (double)at, 0}, {0}});
}

void cell_refused(const Cell *cell, const char *message)
{
    HdError err = {0};
    WorkloadResult r = {0};
    assert_false(cell_try(cell, &r, &err));
    if (!strstr(err.text, message)) fail_msg("'%s'", err.text);
    workload_result_free(&r);
}

void cell_wrong(const Cell *cell, const char *message)
{
    WorkloadResult r = cell_run(cell);
    if (r.verified || !strstr(r.mismatch, message))
        fail_msg("%s with %s: '%s'", cell->workload, cell->with, r.mismatch);
    workload_result_free(&r);
}

void cells_at_widths(const Cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) cell_at_widths(cells[i]);
}

void cells_refused(const CellMessage *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) cell_refused(&cells[i].cell, cells[i].message);
}

void cells_wrong(const CellMessage *cells, size_t count, const HdGraph *graph)
{
    for (size_t i = 0; i < count; i++) {
        Cell cell = cells[i].cell;
        cell.graph = graph;
        cell.every = true;
        cell_wrong(&cell, cells[i].message);
    }
}

HdGraph *cell_graph(uint32_t vertices, const HdEdge *edges, uint64_t count, bool both)
{
    HdGraph *graph = hd_graph_build("small", vertices, edges, count, NULL);
    assert_non_null(graph);
    if (both) assert_true(hd_graph_symmetrize(graph, NULL));
    return graph;
}

HdGraph *cell_weighted(uint32_t vertices, const HdEdge *edges, const int32_t *weights,
                       uint64_t count, bool both)
{
    HdGraph *graph = cell_graph(vertices, edges, count, false);
    graph->weight_kind = HD_WEIGHTS_INT;
    graph->int_weights = calloc(count + 1, sizeof *graph->int_weights);
    assert_non_null(graph->int_weights);
    uint64_t *next = calloc(vertices, sizeof *next);
    assert_non_null(next);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t from = edges[i].from;
        graph->int_weights[graph->row[from] + next[from]++] = weights[i];
    }
    free(next);
    if (both) assert_true(hd_graph_symmetrize(graph, NULL));
    return graph;
}
