// Fuzz targets of studies: `study` reads a study file, makes its runs, tables, claims and page, and
// writes its data again; what is behind the byte 1 in an input is the file of the first record.
// `batch` reads what Slurm's tasks write: the list of a batch, or, if the first byte of an input is
// odd, how a run ended.
#include "fuzz.h"

#include "store/store_internal.h"
#include "study/slurm_batch.h"
#include "study/study_claims.h"
#include "study/study_data.h"
#include "study/study_degrees.h"
#include "study/study_print.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = "data"; // of the files of records

enum { MOST_STEPS = 200, STEP = 1000, MOST_VALUE = 1 << 18 };

// Ends SQL that takes long: it may be endless.
static int count_steps(void *steps)
{
    return ++*(int *)steps > MOST_STEPS;
}

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_check(file >= 0 && write(file, bytes, size) == (ssize_t)size, "a file");
    close(file);
}

// ---- studies ----

// A call gives what it promises, or a message.
static bool done(bool ok, HdError *err)
{
    fuzz_check(ok != err->set, "a result, or a message");
    return ok;
}

static void print_all(const Study *study, Store *tables, FILE *out)
{
    ClaimCounts counts;
    for (size_t i = 0; i < study->table_count; i++) {
        HdError err = {0};
        done(study_print_table(&study->tables[i], tables, out, &err), &err);
    }
    for (size_t i = 0; i < study->figure_count; i++) {
        HdError err = {0};
        Rows rows;
        done(store_query(tables, study->figures[i].sql.text, &study->figures[i].sql.place, &rows,
                         &err), &err);
        rows_free(&rows);
    }
    HdError err = {0};
    done(study_print_claims(study, tables, true, out, &err), &err);
    err = (HdError){0};
    done(study_count_claims(study, tables, &counts, &err), &err);
    err = (HdError){0};
    done(study_print_page(study, tables, "figures", out, &err), &err);
}

static char *name_graph(const void *owner, const StudyRun *run, HdError *err)
{
    (void)owner;
    (void)err;
    return strdup(run->words[0]);
}

static HdGraph *open_graph(const void *owner, const StudyRun *run, HdError *err)
{
    static const HdEdge edge = {0, 1};
    (void)owner;
    return hd_graph_build(run->name, 2, &edge, 1, err);
}

// Writes the files of all records anew, without results.
static void write_data(const Study *study, const StudyMatrix *matrix, Store *tables)
{
    const StudyGraphs graphs = {.name = name_graph, .open = open_graph};
    StudyRenewed renewed;
    DegreesCount count;
    HdError err = {0};
    int64_t *in_store = calloc(matrix->count, sizeof *in_store);
    fuzz_check(in_store, "memory");
    done(study_data_check(study, matrix, tables, &err), &err);
    err = (HdError){0};
    done(study_data_write(study, matrix, tables, in_store, folder, &renewed, &err), &err);
    err = (HdError){0};
    done(study_degrees_make(study, matrix, tables, &graphs, folder, &count, &err), &err);
    free(in_store);
    for (size_t i = 0; i < study->record_count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.200s", folder, study->records[i].file);
        unlink(path);
    }
}

static int run_study(const uint8_t *bytes, size_t all)
{
    const uint8_t *mark = all ? memchr(bytes, 1, all) : NULL;
    size_t size = mark ? (size_t)(mark - bytes) : all;
    char *text = fuzz_text(bytes, size);
    HdError err = {0};
    Study study;
    StudyMatrix matrix = {0};
    size_t missing;
    int steps = 0;
    bool ok = done(study_read_text(&study, "s.yaml", text, size, &err), &err);
    Store *tables = tables_open(NULL, NULL);
    FILE *out = fopen("/dev/null", "w");
    fuzz_check(tables && out, "tables, and a file");
    sqlite3_progress_handler(tables->sqlite, STEP, count_steps, &steps);
    sqlite3_limit(tables->sqlite, SQLITE_LIMIT_LENGTH, MOST_VALUE);
    mkdir(folder, 0700);
    if (ok && mark && study.record_count && strlen(study.records[0].file) < 200) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, study.records[0].file);
        write_file(path, mark + 1, all - size - 1);
    }
    if (ok && done(study_matrix_make(&matrix, &study, tables, 1, &err), &err) &&
        done(study_data_read(&study, tables, folder, &missing, &err), &err)) {
        size_t *runs, count;
        HdError why = {0};
        for (size_t i = 0; i < study.figure_count; i++, why = (HdError){0}) {
            done(study_matrix_select(&matrix, tables, &study.figures[i].needs, &runs, &count,
                                     &why), &why);
            free(runs);
        }
        write_data(&study, &matrix, tables);
        if (done(study_data_views(&study, tables, &err), &err)) print_all(&study, tables, out);
    }
    study_matrix_free(&matrix);
    fclose(out);
    store_close(tables);
    study_free(&study);
    free(text);
    return ok ? 0 : -1;
}

// ---- batches ----

static int run_batch(const uint8_t *bytes, size_t size)
{
    static const uint64_t hash = 0x12;
    char path[SLURM_PATH];
    if (size == 0) return -1;
    mkdir("slurm", 0700);
    mkdir("slurm/heddle-1", 0700);
    mkdir(slurm_run_path("slurm", hash, NULL, path), 0700);
    if (bytes[0] % 2) {
        SlurmOutcome outcome;
        write_file(slurm_run_path("slurm", hash, SLURM_OUTCOME, path), bytes + 1, size - 1);
        return slurm_outcome_read("slurm", hash, &outcome) ? 0 : -1;
    }
    SlurmBatches batches;
    HdError err = {0};
    write_file("slurm/heddle-1/" SLURM_TASKS, bytes + 1, size - 1);
    bool ok = done(slurm_batches_read("slurm", &batches, &err), &err);
    fuzz_check(!ok || batches.count == 1, "the batch");
    slurm_batches_free(&batches);
    return ok ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return strcmp(fuzz_target, "batch") == 0 ? run_batch(bytes, size) : run_study(bytes, size);
}
