// Reads the reference counts, and runs `heddle` on the reference kernels and graphs.
#include "reference.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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
    "dram_reads_64B_total",
    "dram_writes_64B_total",
};

static int split(char *line, char *fields[], int most)
{
    int count = 0;
    for (char *field = strtok(line, ",\r"); field && count < most; field = strtok(NULL, ",\r"))
        fields[count++] = field;
    return count;
}

bool reference_read(const char *directory, Table *table, HdError *err)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/per_kernel.csv", directory);
    char *text = file_read(path, &size, err);
    if (!text) return false;
    enum { MOST_FIELDS = 32 };
    char *fields[MOST_FIELDS], *rest = text, *line = strsep(&rest, "\n");
    int at[COLUMNS], count = split(line, fields, MOST_FIELDS);
    for (int c = 0; c < COLUMNS; c++) {
        at[c] = -1;
        for (int f = 0; f < count; f++)
            if (!strcmp(fields[f], csv_names[c])) at[c] = f;
        if (at[c] >= 0) continue;
        free(text);
        return hd_fail_at(err, path, 1, 0, "the column %s is missing", csv_names[c]);
    }
    double sum[COLUMNS] = {0};
    while ((line = strsep(&rest, "\n")) && *line && table->count < MOST_ROWS) {
        count = split(line, fields, MOST_FIELDS);
        Row *row = &table->rows[table->count];
        snprintf(row->run, sizeof row->run, "%s", fields[0]);
        snprintf(row->kernel, sizeof row->kernel, "%s", fields[1]);
        bool first = !table->count || strcmp(row[-1].run, row->run);
        for (int c = 0; c < COLUMNS; c++) {
            double value = at[c] < count ? atof(fields[at[c]]) : 0;
            row->value[c] = c == CYCLES || first ? value : value - sum[c];
            sum[c] = value;
        }
        table->count++;
    }
    free(text);
    return true;
}

// ---- our run ----

static bool run_heddle(char *const arguments[], HdError *err)
{
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return hd_fail(err, "%s: cannot be run: %s", arguments[0], strerror(failed));
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
        return hd_fail(err, "%s failed", arguments[0]);
    return true;
}

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
    // There, a store to a sector of which only written bytes are known is a miss.
    row->value[L2_MISSES] =
        number(launch, "l2", "misses") + number(launch, "l2", "store_incomplete");
    // Its packets are flits: a line is four replies of a sector each.
    row->value[TO_SM] =
        number(launch, "icnt", "flits_to_sm_data") + number(launch, "icnt", "flits_to_sm_control");
    row->value[TO_MEMORY] = number(launch, "icnt", "flits_to_memory_data") +
                            number(launch, "icnt", "flits_to_memory_control");
    row->value[DRAM_READS] = number(launch, "dram", "reads");
    row->value[DRAM_WRITES] = number(launch, "dram", "writes");
}

bool reference_simulate(const char *heddle, const char *directory, const char *run,
                        char *const extra[], Row *rows, size_t count, HdError *err)
{
    char kind[16] = "", graph[32] = "", ptx[4096], file[4096], impl[64],
         out[] = "/tmp/reference-XXXXXX";
    bool stream = !strncmp(run, "stream", 6);
    if (!stream && sscanf(run, "%15[a-z]-%31[a-z0-9]-", kind, graph) != 2)
        return hd_fail(err, "'%s' is not the name of a run", run);
    snprintf(ptx, sizeof ptx, "%s/%s.nvcc13-sm75.ptx", directory, stream ? "stream" : kind);
    snprintf(file, sizeof file, "%s/%s.mtx.gz", directory, graph);
    snprintf(impl, sizeof impl, "reference-%s", stream ? "stream" : kind);
    int fd = mkstemp(out);
    if (fd < 0) return hd_fail(err, "%s: %s", out, strerror(errno));
    close(fd);
    const char *warm =
        strstr(run, "warm") ? "memory.copy_fills_l2=true" : "memory.copy_fills_l2=false";
    const char *arguments[64] = {
        heddle,  "run",       stream ? "stream" : "bfs", "--impl", impl, "--ptx",
        ptx,     "--machine", "fermi-gtx480-gpgpusim4",  "--set",  warm, "--per-kernel",
        "--out", out};
    int n = 14;
    if (!strcmp(kind, "topo")) {
        arguments[n++] = "--registers";
        arguments[n++] = "topo_expand=24,topo_update=10";
    }
    if (!stream) {
        arguments[n++] = "--graph";
        arguments[n++] = file;
    }
    for (int i = 0; extra && extra[i] && n < 63; i++) arguments[n++] = extra[i];
    bool ok = run_heddle((char *const *)arguments, err);
    json_t *root = ok ? json_load_file(out, 0, NULL) : NULL;
    unlink(out);
    if (ok && !root) return hd_fail(err, "%s wrote no result", heddle);
    const json_t *kernels = json_object_get(json_object_get(root, "result"), "kernels");
    if (ok && json_array_size(kernels) != count)
        ok = hd_fail(err, "%s: %zu launches, the reference has %zu", run, json_array_size(kernels),
                     count);
    for (size_t i = 0; ok && i < count; i++) row_of_launch(json_array_get(kernels, i), &rows[i]);
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
