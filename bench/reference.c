// Reads the reference counts, and runs `heddle` on the reference kernels and graphs.
#include "reference.h"
#include "base/file.h"
#include "base/number.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How the columns' names begin.
static const char *const csv_names[COLUMNS] = {
    "cycles",
    "warp_instructions_total",
    "l1d_accesses_total",
    "l1d_misses_total",
    "l1d_pending_hits_total",
    "l2_accesses_total",
    "l2_misses_total",
    "packets_mem_to_core_total",
    "packets_core_to_mem_total",
    "dram_reads",
    "dram_writes",
};

static int split(char *line, char *fields[], int most)
{
    int count = 0;
    for (char *field = strtok(line, ",\r"); field && count < most; field = strtok(NULL, ",\r"))
        fields[count++] = field;
    return count;
}

enum { MOST_FIELDS = 32 };

// The file that is being read.
typedef struct Reading {
    const char *path;
    int at[COLUMNS]; // the columns' fields
    int fields;      // of each line
    double sum[COLUMNS];
    HdError *err;
} Reading;

static bool read_header(Reading *r, char *line)
{
    char *fields[MOST_FIELDS];
    r->fields = split(line, fields, MOST_FIELDS);
    for (int c = 0; c < COLUMNS; c++) {
        r->at[c] = -1;
        for (int f = 0; f < r->fields; f++)
            if (!strncmp(fields[f], csv_names[c], strlen(csv_names[c]))) r->at[c] = f;
        if (r->at[c] < 0)
            return hd_fail_at(r->err, r->path, 1, 0, "the column %s is missing", csv_names[c]);
    }
    return true;
}

static bool read_launch(Reading *r, char *line, Table *table)
{
    char *fields[MOST_FIELDS];
    int number = (int)table->count + 2, count = split(line, fields, MOST_FIELDS);
    if (count != r->fields)
        return hd_fail_at(r->err, r->path, number, 0, "%d fields: expected %d, as in line 1", count,
                          r->fields);
    if (table->count == MOST_ROWS)
        return hd_fail_at(r->err, r->path, number, 0, "expected at most %d launches", MOST_ROWS);
    Row *row = &table->rows[table->count];
    snprintf(row->run, sizeof row->run, "%s", fields[0]);
    snprintf(row->kernel, sizeof row->kernel, "%s", fields[1]);
    bool first = !table->count || strcmp(row[-1].run, row->run);
    for (int c = 0; c < COLUMNS; c++) {
        char *text = fields[r->at[c]], *end;
        double value = number_read(text, &end), least = c == CYCLES ? 1 : first ? 0 : r->sum[c];
        if (end == text || *end || !isfinite(value) || value < least)
            return hd_fail_at(r->err, r->path, number, 0,
                              "%s = %s: expected a number of at least %.0f", csv_names[c], text,
                              least);
        row->value[c] = c == CYCLES || first ? value : value - r->sum[c];
        r->sum[c] = value;
    }
    table->count++;
    return true;
}

bool reference_read(const char *path, Table *table, HdError *err)
{
    size_t size;
    char *text = file_read(path, &size, err);
    if (!text) return false;
    Reading reading = {.path = path, .err = err};
    char *rest = text, *line = strsep(&rest, "\n");
    bool ok = read_header(&reading, line);
    while (ok && (line = strsep(&rest, "\n")) && *line) ok = read_launch(&reading, line, table);
    free(text);
    return ok;
}

// ---- our run ----

static double number(const json_t *object, const char *group, const char *key)
{
    return json_number_value(json_object_get(group ? json_object_get(object, group) : object, key));
}

static void row_of_launch(const json_t *launch, Row *row)
{
    row->value[CYCLES] = number(launch, NULL, "cycles");
    row->value[WARP_INSTRUCTIONS] = number(launch, NULL, "warp_instructions");
    row->value[L1_ACCESSES] = number(launch, "l1d", "accesses");
    row->value[L1_MISSES] = number(launch, "l1d", "misses");
    row->value[L1_PENDING] = number(launch, "l1d", "pending_hits");
    row->value[L2_ACCESSES] = number(launch, "l2", "accesses");
    // GPGPU-Sim counts a store to a sector that holds only written bytes as a miss.
    row->value[L2_MISSES] =
        number(launch, "l2", "misses") + number(launch, "l2", "store_incomplete");
    // GPGPU-Sim counts flits: a line is four replies of one sector each.
    row->value[TO_SM] =
        number(launch, "icnt", "flits_to_sm_data") + number(launch, "icnt", "flits_to_sm_control");
    row->value[TO_MEMORY] = number(launch, "icnt", "flits_to_memory_data") +
                            number(launch, "icnt", "flits_to_memory_control");
    row->value[DRAM_READS] = number(launch, "dram", "reads");
    row->value[DRAM_WRITES] = number(launch, "dram", "writes");
}

const ReferenceMachine *reference_machine(const char *name, HdError *err)
{
    static const ReferenceMachine machines[] = {
        {.name = "fermi-gtx480-gpgpusim4", .csv = "per_kernel.csv",
         .topo = "topo_expand=24,topo_update=10", .mean_off = 2, .worst_off = 6},
        {.name = "volta-v100-gpgpusim4", .csv = "per_kernel_qv100.csv",
         .topo = "topo_expand=24,topo_update=10", .warp = "warp_expand=18",
         .stream = "stream_copy=8", .mean_off = 10, .worst_off = 25},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (!strcmp(machines[i].name, name)) return &machines[i];
    hd_fail(err, "there are no reference counts for the machine '%s': expected %s or %s", name,
            machines[0].name, machines[1].name);
    return NULL;
}

bool reference_command(const ReferenceRuns *runs, const char *run, Child *child, HdError *err)
{
    char kind[16] = "", graph[32] = "";
    bool stream = !strncmp(run, "stream", 6);
    if (!stream && sscanf(run, "%15[a-z]-%31[a-z0-9]-", kind, graph) != 2)
        return hd_fail(err, "'%s' is not the name of a run", run);
    const char *name = stream ? "stream" : kind;
    const ReferenceMachine *machine = runs->machine;
    const char *registers =
        stream ? machine->stream : !strcmp(kind, "topo") ? machine->topo : machine->warp;
    child_add(child, "%s", runs->heddle);
    child_add(child, "run");
    child_add(child, stream ? "stream" : "bfs");
    child_add(child, "--impl");
    child_add(child, "reference-%s", name);
    child_add(child, "--ptx");
    child_add(child, "%s/%s.nvcc13-sm75.ptx", runs->directory, name);
    child_add(child, "--machine");
    child_add(child, "%s", machine->name);
    child_add(child, "--set");
    child_add(child, "memory.copy_fills_l2=%s", strstr(run, "warm") ? "true" : "false");
    if (registers) {
        child_add(child, "--registers");
        child_add(child, "%s", registers);
    }
    if (!stream) {
        child_add(child, "--graph");
        child_add(child, "%s/%s.mtx.gz", runs->directory, graph);
    }
    return true;
}

void reference_take_latency(Row *rows, size_t count, double latency)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].value[CYCLES] -= latency;
        rows[i].latency = latency;
    }
}

void reference_count_merged(Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].value[L1_MISSES] += rows[i].value[L1_PENDING];
        rows[i].value[L1_PENDING] = 0;
    }
}

bool reference_simulate(const ReferenceRuns *runs, Row *ours, Row *theirs, size_t count,
                        HdError *err)
{
    char out[] = "/tmp/reference-XXXXXX";
    Child child = {0};
    if (!reference_command(runs, theirs->run, &child, err)) return false;
    int fd = mkstemp(out);
    if (fd < 0) return hd_fail(err, "%s: %s", out, strerror(errno));
    close(fd);
    child_add(&child, "--per-kernel");
    child_add(&child, "--out");
    child_add(&child, "%s", out);
    for (int i = 0; runs->extra && runs->extra[i]; i++) child_add(&child, "%s", runs->extra[i]);
    bool ok = child_run(&child, "/dev/null", NULL, err);
    if (ok && child.status) ok = hd_fail(err, "%s failed", runs->heddle);
    json_t *root = ok ? json_load_file(out, 0, NULL) : NULL;
    unlink(out);
    if (ok && !root) return hd_fail(err, "%s wrote no result", runs->heddle);
    const json_t *result = json_object_get(root, "result");
    const json_t *kernels = json_object_get(result, "kernels");
    if (ok && json_array_size(kernels) != count)
        ok = hd_fail(err, "%s: %zu launches, the reference has %zu", theirs->run,
                     json_array_size(kernels), count);
    for (size_t i = 0; ok && i < count; i++) row_of_launch(json_array_get(kernels, i), &ours[i]);
    const json_t *parameters = json_object_get(result, "parameters");
    const char *allocate =
        json_string_value(json_object_get(json_object_get(parameters, "l1d"), "allocate"));
    if (allocate && !strcmp(allocate, "on_fill")) reference_count_merged(ours, count);
    reference_take_latency(theirs, count, number(parameters, "launch", "latency"));
    json_decref(root);
    return ok;
}

void reference_sum(const Row *rows, size_t count, double sum[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        sum[c] = 0;
        for (size_t i = 0; i < count; i++) sum[c] += rows[i].value[c];
    }
}
