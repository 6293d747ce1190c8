// Runs the standard benchmark: repeats all runs in turn, so that other load on the host affects all
// alike, and counts host instructions with callgrind.
#include "base/file.h"
#include "standard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A folder for the output of the runs.
typedef struct Scratch {
    char folder[32], out[64], log[64];
} Scratch;

static bool scratch_make(Scratch *s, HdError *err)
{
    snprintf(s->folder, sizeof s->folder, "/tmp/heddle-bench-XXXXXX");
    if (!mkdtemp(s->folder)) return hd_fail(err, "%s: %s", s->folder, strerror(errno));
    snprintf(s->out, sizeof s->out, "%s/run.json", s->folder);
    snprintf(s->log, sizeof s->log, "%s/log", s->folder);
    return true;
}

static void scratch_remove(const Scratch *s)
{
    unlink(s->out);
    unlink(s->log);
    rmdir(s->folder);
}

static void join(const Child *child, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < child->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "",
                                 child->arguments[i]);
}

// Reads the result of a run. All repetitions must have the same result.
static bool take(Work *work, const json_t *root, double *seconds, HdError *err)
{
    const char *hash = "", *reason = NULL;
    double instructions, cycles, cut = 0;
    json_error_t why;
    if (json_unpack_ex((json_t *)root, &why, 0, "{s:{s:s, s:F, s:F}, s:{s:F}}", "result", "hash",
                       &hash, "warp_instructions", &instructions, "cycles", &cycles, "host",
                       "seconds", seconds))
        return hd_fail(err, "%s: the result is not as expected: %s", work->name, why.text);
    json_unpack((json_t *)root, "{s:{s:{s:s, s:F}}}", "result", "partial", "reason", &reason,
                "cycle", &cut);
    if (work->limit) { // totals cover the launches before the one that was cut off
        if (!reason || strcmp(reason, "max-instructions"))
            return hd_fail(err, "%s: ended otherwise than at its limit", work->name);
        instructions = (double)work->limit;
        cycles += cut;
    }
    if (work->hash[0] && strcmp(work->hash, hash))
        return hd_fail(err, "%s: two repetitions have different results: %s and %s", work->name,
                       work->hash, hash);
    snprintf(work->hash, sizeof work->hash, "%s", hash);
    work->warp_instructions = instructions;
    work->cycles = cycles;
    return true;
}

static bool run_once(const Options *options, const Scratch *scratch, Work *work, int at,
                     unsigned repeat, HdError *err)
{
    enum { CUT_OFF = 2 }; // the exit status of a run that reached a limit
    Child child = {0};
    for (int i = 0; i < work->command.count; i++)
        child_add(&child, "%s", work->command.arguments[i]);
    child.too_long |= work->command.too_long;
    child_add(&child, "--threads");
    child_add(&child, "%u", options->threads[at]);
    child_add(&child, "--quiet");
    child_add(&child, "--out");
    child_add(&child, "%s", scratch->out);
    unlink(scratch->out);
    if (!child_run(&child, "/dev/null", work->limit ? scratch->log : NULL, err)) return false;
    json_t *root = json_load_file(scratch->out, 0, NULL);
    if (!root || child.status != (work->limit ? CUT_OFF : 0)) {
        char text[256];
        join(&child, text, sizeof text);
        json_decref(root);
        return hd_fail(err, "exit status %d from: %s", child.status, text);
    }
    bool ok = take(work, root, &work->seconds[at][repeat], err);
    json_decref(root);
    if (at == 0 && child.peak_kib > work->peak_kib) work->peak_kib = child.peak_kib;
    return ok;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The entry of one run. Sorts its times.
static json_t *work_json(const Options *options, Work *work)
{
    json_t *seconds = json_array();
    double first = 0, spread = 0;
    for (int t = 0; t < options->thread_counts; t++) {
        double *all = work->seconds[t], median;
        qsort(all, options->repeats, sizeof *all, by_value);
        median = (all[(options->repeats - 1) / 2] + all[options->repeats / 2]) / 2;
        json_array_append_new(seconds, json_real(median));
        if (t) continue;
        first = median;
        spread = (all[options->repeats - 1] - all[0]) / median;
    }
    return json_pack("{s:s, s:f, s:f, s:o, s:f, s:f, s:f, s:f}", "name", work->name,
                     "warp_instructions", work->warp_instructions, "cycles", work->cycles,
                     "seconds", seconds, "spread", spread, "warp_instructions_per_second",
                     work->warp_instructions / first, "cycles_per_second", work->cycles / first,
                     "peak_mib", (double)work->peak_kib / 1024);
}

// Host instructions per warp instruction, from the last line of bench/budget.sh ("all SPENT ...").
static json_t *count_one(const Options *options, const Scratch *scratch, const char *impl,
                         const char *graph, HdError *err)
{
    enum { NOT_RUN = 2 };
    Child child = {0};
    child_add(&child, "bench/budget.sh");
    child_add(&child, "%s", options->heddle);
    child_add(&child, "%s", impl);
    child_add(&child, "%s", graph);
    if (!child_run(&child, scratch->log, NULL, err)) return NULL;
    size_t size;
    double spent = 0;
    char *text = file_read(scratch->log, &size, err);
    if (!text) return NULL;
    const char *all = strstr(text, "\nall ");
    bool ok = child.status < NOT_RUN && all && sscanf(all, " all %lf", &spent) == 1;
    free(text);
    if (!ok) {
        hd_fail(err, "bench/budget.sh %s %s %s counted nothing (--no-count does without)",
                options->heddle, impl, graph);
        return NULL;
    }
    return json_pack("{s:s+++, s:f}", "name", impl, " ", graph, "", "per_warp_instruction", spent);
}

static json_t *count_all(const Options *options, const Scratch *scratch, HdError *err)
{
    const char *graph = options->quick ? "rmat:10,8,seed=1" : "rmat:12,8,seed=1";
    json_t *counts = json_array();
    for (int i = 0; options->count && i < 2; i++) {
        json_t *one =
            count_one(options, scratch, i ? "reference-warp" : "reference-topo", graph, err);
        if (!one) {
            json_decref(counts);
            return NULL;
        }
        json_array_append_new(counts, one);
    }
    return counts;
}

// The commit of the checkout, with "-dirty" where files differ from it.
static void find_commit(const Scratch *scratch, char *commit, size_t size)
{
    Child git = {0};
    size_t length;
    child_add(&git, "git");
    child_add(&git, "describe");
    child_add(&git, "--always");
    child_add(&git, "--dirty");
    child_add(&git, "--exclude=*");
    bool ok = child_run(&git, scratch->log, "/dev/null", NULL) && git.status == 0;
    char *text = ok ? file_read(scratch->log, &length, NULL) : NULL;
    if (text) text[strcspn(text, "\n")] = 0;
    snprintf(commit, size, "%s", text ? text : "unknown");
    free(text);
}

static json_t *make_entry(const Options *options, const Scratch *scratch, Work *works, int count,
                          double load, HdError *err)
{
    char commit[64], date[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    find_commit(scratch, commit, sizeof commit);
    json_t *host_instructions = count_all(options, scratch, err);
    if (!host_instructions) return NULL;
    json_t *threads = json_array(), *runs = json_array();
    for (int t = 0; t < options->thread_counts; t++)
        json_array_append_new(threads, json_integer(options->threads[t]));
    for (int i = 0; i < count; i++) json_array_append_new(runs, work_json(options, &works[i]));
    json_t *entry = json_pack("{s:s, s:s, s:s, s:f, s:b, s:i, s:o, s:o, s:o}", "date", date,
                              "commit", commit, "host", options->host, "load", load, "quick",
                              options->quick, "repeats", (int)options->repeats, "threads", threads,
                              "runs", runs, "host_instructions", host_instructions);
    if (!entry) hd_fail_memory(err, "collecting the results");
    return entry;
}

json_t *standard_measure(const Options *options, Work *works, int count, HdError *err)
{
    Scratch scratch;
    double load[1];
    if (!scratch_make(&scratch, err)) return NULL;
    if (getloadavg(load, 1) != 1) load[0] = 0;
    bool ok = true, terminal = isatty(STDERR_FILENO);
    for (unsigned r = 0; ok && r < options->repeats; r++)
        for (int i = 0; ok && i < count; i++)
            for (int t = 0; ok && t < options->thread_counts; t++) {
                if (terminal)
                    fprintf(stderr, "\r\033[Krepetition %u of %u: %s, %u threads", r + 1,
                            options->repeats, works[i].name, options->threads[t]);
                ok = run_once(options, &scratch, &works[i], t, r, err);
            }
    if (terminal) fprintf(stderr, "\r\033[K");
    json_t *entry = ok ? make_entry(options, &scratch, works, count, load[0], err) : NULL;
    scratch_remove(&scratch);
    return entry;
}
