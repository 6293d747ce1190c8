// The table of workloads, and look-up by name.
#include "workloads/workload.h"

#include "base/memory.h"
#include "config/parameter.h"
#include "device/cuda_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

STAT_TABLE(work_table, WorkCounters, WORK_COUNTERS);

#define WORKLOAD(name) extern const Workload workload_##name;
#include "workloads/list.h"
#undef WORKLOAD

const Workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads/list.h"
#undef WORKLOAD
    NULL,
};

// "there is no WHAT 'bsf': expected one of bfs, stream; did you mean 'bfs'?"
static bool fail_unknown(HdError *err, const char *what, const char *name, const char *const *names,
                         int count)
{
    char all[512];
    hd_list_names(all, sizeof all, names, count);
    const char *near = hd_nearest(name, names, count);
    return hd_fail(err, "there is no %s '%s': expected one of %s%s%s%s", what, name, all,
                   HD_DID_YOU_MEAN(near));
}

enum { MOST_NAMES = 64 };

const Workload *workload_find(const char *name, HdError *err)
{
    const char *names[MOST_NAMES];
    int count = 0;
    for (size_t i = 0; workloads[i]; i++) {
        if (strcmp(workloads[i]->name, name) == 0) return workloads[i];
        if (count < MOST_NAMES) names[count++] = workloads[i]->name;
    }
    fail_unknown(err, "workload", name, names, count);
    return NULL;
}

const Implementation *workload_implementation(const Workload *workload, const char *name,
                                              HdError *err)
{
    if (!name) return workload->implementations;
    const char *names[MOST_NAMES];
    int count = 0;
    for (const Implementation *i = workload->implementations; i->name; i++) {
        if (strcmp(i->name, name) == 0) return i;
        if (count < MOST_NAMES) names[count++] = i->name;
    }
    char what[96];
    snprintf(what, sizeof what, "implementation of %s", workload->name);
    fail_unknown(err, what, name, names, count);
    return NULL;
}

uint32_t workload_block(const Workload *workload)
{
    return workload->block ? workload->block : WORKLOAD_BLOCK;
}

static bool set_parameter(const Workload *workload, const char *text, WorkloadInput *input,
                          HdError *err)
{
    const char *names[MAX_PARAMETERS];
    int count = 0;
    size_t length = strcspn(text, "=");
    for (const HdParameter *p = workload->parameters; p && p->name; p++) {
        double *value = &input->parameters[count];
        HdError why;
        names[count++] = p->name;
        if (strlen(p->name) != length || strncmp(p->name, text, length) != 0) continue;
        if (!text[length]) return hd_fail(err, "--param %s: expected NAME=VALUE", text);
        return parameter_read(p, text + length + 1, value, &why) ||
               hd_fail(err, "--param %.256s: %.1024s (%s)", text, why.text, p->description);
    }
    if (!count) return hd_fail(err, "--param %s: %s has no parameters", text, workload->name);
    char what[96], name[64];
    snprintf(what, sizeof what, "parameter of %s", workload->name);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return fail_unknown(err, what, name, names, count);
}

bool workload_parameters(const Workload *workload, const char *const *texts, size_t count,
                         WorkloadInput *input, HdError *err)
{
    size_t at = 0;
    for (const HdParameter *p = workload->parameters; p && p->name; p++)
        input->parameters[at++] = p->value;
    for (size_t i = 0; i < count; i++)
        if (!set_parameter(workload, texts[i], input, err)) return false;
    return true;
}

const char *answer_unit(const char *name)
{
    static const struct {
        const char *name, *unit;
    } units[] = {
        {"copied", "elements"},   {"dangling", "vertices"}, {"depth", "levels"},
        {"farthest", "away"},     {"found", "queries"},     {"innermost", "vertices"},
        {"inside", "points"},     {"largest", "vertices"},  {"link_bytes", "B"},
        {"longest", "bases"},     {"matched", "bases"},     {"members", "vertices"},
        {"moved", "points"},      {"path", "edges"},        {"reached", "vertices"},
        {"sources", "vertices"},  {"text", "B"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0) return units[i].unit;
    return "";
}

uint64_t workload_count(const WorkloadResult *result, const char *name)
{
    for (unsigned i = 0; i < result->answer_count; i++)
        if (strcmp(result->answers[i].name, name) == 0) return result->answers[i].count;
    return 0;
}

bool workload_run(const Workload *workload, const Implementation *implementation, HdDevice *device,
                  const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    *result = (WorkloadResult){0};
    if (input->block == 0 || input->block > 1024)
        return hd_fail(err, "block of %u threads: expected 1 to 1024", input->block);
    if (implementation->simulated_only && device_cuda_info(device))
        return hd_fail(err, "%s %s on a real GPU: expected a simulated GPU, because its kernels "
                            "take the index of a warp from %%warpid, which on a real GPU is a "
                            "warp slot", workload->name, implementation->name);
    if (workload->needs_graph) {
        const HdGraph *graph = input->graph;
        if (workload->needs_undirected && graph->directed)
            return hd_fail(err,
                           "%s needs an undirected graph, but graph %s is marked as directed: "
                           "--symmetrize adds the missing reverse edges",
                           workload->name, graph->name);
        if (input->source >= graph->vertices)
            return hd_fail(err, "source %u is not a vertex of graph %s: expected 0 to %u",
                           input->source, graph->name, graph->vertices - 1);
        if (!graph->row32)
            return hd_fail(err,
                           "graph %s has %llu edges: expected fewer than 2^31, because kernels "
                           "have 32-bit offsets",
                           graph->name, (unsigned long long)graph->edges);
    }
    return implementation->run(device, input, result, err);
}

void workload_result_free(WorkloadResult *result)
{
    free(result->launches);
    *result = (WorkloadResult){0};
}

bool workload_add_work(WorkloadResult *result, WorkCounters numbers, HdError *err)
{
    return HD_PUSH(result->launches, result->launch_count, result->launch_capacity, numbers) ||
           hd_fail_memory(err, "running a workload");
}
