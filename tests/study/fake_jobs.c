// Makes jobs of a script, and its results.
#include "fake_jobs.h"

#include "report/host_json.h"
#include "report/result_hash.h"
#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char script[] =
    "#!/bin/sh\n"
    "cd \"${0%/*}\"\n"
    "previous= out=\n"
    "for word; do\n"
    "    [ \"$previous\" = --out ] && out=$word\n"
    "    previous=$word\n"
    "done\n"
    "case \" $* \" in\n"
    "*' --check '*)\n"
    "    [ \"$word\" = refused ] || exit 0\n"
    "    echo 'heddle: it is refused' >&2\n"
    "    exit 2 ;;\n"
    "esac\n"
    "echo \"$word\" >>log\n"
    "case $word in\n"
    "bad) echo 'heddle: note: a note' >&2; echo 'heddle: it is bad' >&2; exit 1 ;;\n"
    "gone) kill -9 $$ ;;\n"
    "none) exit 0 ;;\n"
    "slow) exec sleep 1000 ;;\n"
    "esac\n"
    "[ -e \"$word.json\" ] || word=good\n"
    "cp \"$word.json\" \"$out\"\n";

char *fake_result(const char *workload, const char *sources, bool partial, bool right)
{
    json_t *whole = json_pack(
        "{si s{ss ss si si si sb sb so s[]} s{ss ss ss sf}}", "schema", RESULT_SCHEMA, "result",
        "workload", workload, "machine", "m", "cycles", 100, "warp_instructions", 10,
        "thread_instructions", 320, "verified", right, "functional", 0, "partial",
        partial ? json_object() : json_null(), "kernels", "host", "sources",
        sources ? sources : sources_version(), "version", "0", "date", "2000-01-01T00:00:00Z",
        "seconds", 1.5);
    assert_non_null(whole);
    char *text = result_file_text(whole);
    assert_non_null(text);
    json_decref(whole);
    return text;
}

static void write_result(const char *name, const char *workload, const char *sources, bool partial,
                         bool right)
{
    char *text = fake_result(workload, sources, partial, right);
    scratch_text(name, text);
    free(text);
}

void fake_setup(void)
{
    assert_int_equal(chmod(scratch_text("program", script), 0700), 0);
    write_result("good.json", "good", NULL, false, true);
    write_result("good2.json", "good2", NULL, false, true);
    write_result("early.json", "early", NULL, true, true);
    write_result("wrong.json", "wrong", NULL, false, false);
    write_result("old.json", "old", "0123456789abcdef", false, true);
    scratch_text("broken.json", "{\"result\": {");
}

static void record(void *owner, const Job *job, JobsEvent event)
{
    FakeJobs *fake = owner;
    if (event == JOBS_PROCEEDS || fake->event_count == FAKE_EVENTS) return;
    fake->events[fake->event_count++] = (int)event + 8 * (int)(job - fake->items);
}

void fake_jobs(FakeJobs *fake, const char *store, const char *const *actions)
{
    *fake = (FakeJobs){0};
    snprintf(fake->store, sizeof fake->store, "%s", scratch_path(store));
    fake->computed_from = json_pack("{s{} s{} s{} ss}", "files", "machine", "objects", "sources",
                                    sources_version());
    assert_non_null(fake->computed_from);
    size_t count = 0;
    for (; actions[count]; count++) {
        fake->words[count][0] = "job";
        fake->words[count][1] = actions[count];
        fake->items[count] = (Job){.name = actions[count], .words = fake->words[count],
                                   .computed_from = fake->computed_from};
    }
    // The program of all jobs, in the scratch folder.
    static char program[4096];
    snprintf(program, sizeof program, "%s", scratch_path("program"));
    fake->jobs = (Jobs){.items = fake->items, .count = count, .store = fake->store,
                        .at_a_time = 2, .program = program, .owner = fake, .progress = record};
}

void fake_free(FakeJobs *fake)
{
    jobs_free(&fake->jobs);
    json_decref(fake->computed_from);
}

size_t fake_runs(void)
{
    char line[256];
    size_t count = 0;
    FILE *log = fopen(scratch_path("log"), "r");
    while (log && fgets(line, sizeof line, log)) count++;
    if (log) fclose(log);
    return count;
}

void fake_check_tidy(const FakeJobs *fake)
{
    static const char *const endings[] = {"-spool", "-claims", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[4128];
        snprintf(path, sizeof path, "%s%s", fake->store, endings[i]);
        if (access(path, F_OK) == 0) fail_msg("%s is left", path);
    }
}
