// The standard benchmark: how fast Heddle simulates, in figures that can be compared over time.
// docs: bench/README.md.
#include "base/file.h"
#include "standard.h"
#include "stats/stats.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: build/bench/standard [options] [HEDDLE]      (in the root of the checkout)\n"
    "\n"
    "Runs topology and warp BFS on rmat:16,8, luxembourg_osm and soc-Epinions1, and the four\n"
    "reference runs; prints medians of several repetitions. HEDDLE is build/heddle by default.\n"
    "\n"
    "  --quick          rmat:12,8 only, and fewer repetitions\n"
    "  --repeat N       repetitions (default 5, with --quick 3)\n"
    "  --threads LIST   numbers of host threads; rates are for the first (default 1,2)\n"
    "  --no-count       do not count host instructions, which needs valgrind\n"
    "  --data DIR       the folder of real graphs (default ../shared/data)\n"
    "  --reference DIR  the folder of the reference runs (default: $HEDDLE_REFERENCE, or\n"
    "                   ../shared/reference/gpgpusim)\n"
    "  --json FILE      write the figures as JSON\n"
    "  --compare        print ratios to the last entry of this machine in the history\n"
    "  --record         add the figures to the history\n"
    "  --history FILE   the history (default bench/history.jsonl)\n"
    "  --host NAME      name of this machine in the history (default: processor and CPUs)\n";

enum { QUICK = 256, REPEAT, THREADS, NO_COUNT, DATA, REFERENCE, JSON, COMPARE, RECORD, HISTORY,
       HOST, HELP };

static const struct option long_options[] = {
    {"quick", no_argument, NULL, QUICK},
    {"repeat", required_argument, NULL, REPEAT},
    {"threads", required_argument, NULL, THREADS},
    {"no-count", no_argument, NULL, NO_COUNT},
    {"data", required_argument, NULL, DATA},
    {"reference", required_argument, NULL, REFERENCE},
    {"json", required_argument, NULL, JSON},
    {"compare", no_argument, NULL, COMPARE},
    {"record", no_argument, NULL, RECORD},
    {"history", required_argument, NULL, HISTORY},
    {"host", required_argument, NULL, HOST},
    {"help", no_argument, NULL, HELP},
    {0},
};

typedef struct Command {
    Options options;
    const char *json;
    bool compare, record, help;
} Command;

// A number from 1 to most, up to the end of the text or a comma.
static bool read_number(const char **text, unsigned most, unsigned *value)
{
    char *end;
    errno = 0;
    unsigned long number = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : 0;
    if (errno || number < 1 || number > most || (*end && *end != ',')) return false;
    *value = (unsigned)number;
    *text = *end ? end + 1 : end;
    return *end != ',' || **text;
}

static bool read_threads(Options *options, const char *text, HdError *err)
{
    enum { MOST_THREADS = 1024 };
    const char *rest = text;
    options->thread_counts = 0;
    do {
        if (options->thread_counts == MOST_THREAD_COUNTS ||
            !read_number(&rest, MOST_THREADS, &options->threads[options->thread_counts++]))
            return hd_fail(err, "--threads %s: up to %d numbers of threads, as in 1,2,4", text,
                           MOST_THREAD_COUNTS);
    } while (*rest);
    return true;
}

static bool read_option(Command *c, int option, HdError *err)
{
    Options *o = &c->options;
    const char *rest = optarg;
    switch (option) {
    case QUICK: return o->quick = true;
    case REPEAT:
        if (read_number(&rest, MOST_REPEATS, &o->repeats) && !*rest && !strchr(optarg, ','))
            return true;
        return hd_fail(err, "--repeat %s: a number from 1 to %d", optarg, MOST_REPEATS);
    case THREADS: return read_threads(o, optarg, err);
    case NO_COUNT: o->count = false; return true;
    case DATA: o->data = optarg; return true;
    case REFERENCE: o->reference = optarg; return true;
    case JSON: c->json = optarg; return true;
    case COMPARE: return c->compare = true;
    case RECORD: return c->record = true;
    case HISTORY: o->history = optarg; return true;
    case HOST: o->host = optarg; return true;
    case HELP: return c->help = true;
    default: return hd_fail(err, "see build/bench/standard --help");
    }
}

static bool read_options(Command *c, int argc, char **argv, HdError *err)
{
    Options *o = &c->options;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!read_option(c, option, err)) return false;
    if (argc - optind > 1)
        return hd_fail(err, "%s: one program is measured, %s", argv[optind + 1], argv[optind]);
    if (optind < argc) o->heddle = argv[optind];
    if (!o->repeats) o->repeats = o->quick ? 3 : 5;
    if (c->help) return true;
    if (access(o->heddle, X_OK))
        return hd_fail(err, "%s: %s (build it, or name another)", o->heddle, strerror(errno));
    if (o->count && access("bench/budget.sh", X_OK))
        return hd_fail(err, "there is no bench/budget.sh here: run it in the root of the "
                            "checkout, or with --no-count");
    // Reported before minutes of measurement, not after.
    return (!c->json || file_check_writable(c->json, err)) &&
           (!c->record || file_check_writable(o->history, err));
}

// The name of the processor, and the number of CPUs.
static void name_host(char *name, size_t size)
{
    char line[256], model[128] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1) break;
    if (file) fclose(file);
    snprintf(name, size, "%s, %ld CPUs", model, sysconf(_SC_NPROCESSORS_ONLN));
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void standard_print(const json_t *entry)
{
    size_t i, t;
    json_t *one, *value;
    const json_t *threads = json_object_get(entry, "threads");
    printf("%s, commit %s, %s\n", json_string_value(json_object_get(entry, "date")),
           json_string_value(json_object_get(entry, "commit")),
           json_string_value(json_object_get(entry, "host")));
    printf("medians of %.0f; rates and memory with --threads %.0f; load average before: %.1f\n\n",
           number_of(entry, "repeats"), json_number_value(json_array_get(threads, 0)),
           number_of(entry, "load"));
    printf("%-28s %12s %12s %12s %12s %9s %7s", "run", "warp inst", "warp inst/s", "cycles",
           "cycles/s", "peak MiB", "spread");
    json_array_foreach(threads, t, value)
        if (t) printf("  x on %lld", (long long)json_integer_value(value));
    printf("\n");
    json_array_foreach(json_object_get(entry, "runs"), i, one) {
        const json_t *seconds = json_object_get(one, "seconds");
        double first = json_number_value(json_array_get(seconds, 0));
        printf("%-28s %12.0f %12.0f %12.0f %12.0f %9.1f %5.0f %%",
               json_string_value(json_object_get(one, "name")), number_of(one, "warp_instructions"),
               number_of(one, "warp_instructions_per_second"), number_of(one, "cycles"),
               number_of(one, "cycles_per_second"), number_of(one, "peak_mib"),
               100 * number_of(one, "spread"));
        json_array_foreach(seconds, t, value)
            if (t) printf(" %7.2f", first / json_number_value(value));
        printf("\n");
    }
    json_array_foreach(json_object_get(entry, "host_instructions"), i, one)
        printf("host instructions per warp instruction, %s: %.0f\n",
               json_string_value(json_object_get(one, "name")),
               number_of(one, "per_warp_instruction"));
}

// Prints the entry, writes it to --json, compares it, and adds it to the history.
static bool report(const Command *c, const json_t *entry, HdError *err)
{
    const Options *o = &c->options;
    json_t *last = NULL;
    standard_print(entry);
    if (c->json && !stats_write_json(c->json, entry, err)) return false;
    if (c->compare) {
        if (!history_last(o->history, entry, &last, err)) return false;
        if (last)
            history_compare(entry, last);
        else
            printf("\nnothing to compare with: %s has no such entry of this machine\n", o->history);
        json_decref(last);
    }
    return !c->record || history_add(o->history, entry, err);
}

int main(int argc, char **argv)
{
    static Work works[MOST_WORKS];
    char host[192];
    name_host(host, sizeof host);
    const char *reference = getenv("HEDDLE_REFERENCE");
    Command c = {.options = {.heddle = "build/heddle",
                             .data = "../shared/data",
                             .reference = reference ? reference : "../shared/reference/gpgpusim",
                             .history = "bench/history.jsonl",
                             .host = host,
                             .threads = {1, 2},
                             .thread_counts = 2,
                             .count = true}};
    HdError err = {0};
    bool ok = read_options(&c, argc, argv, &err);
    if (ok && c.help) return fputs(usage, stdout) < 0;
    int count = ok ? standard_works(&c.options, works, &err) : -1;
    json_t *entry = count > 0 ? standard_measure(&c.options, works, count, &err) : NULL;
    ok = entry && report(&c, entry, &err);
    json_decref(entry);
    if (!ok) fprintf(stderr, "standard: %s\n", err.text);
    return ok ? 0 : 2;
}
