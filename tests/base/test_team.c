// The team of host threads: each item once, results visible when the call returns, with any number
// of threads, also after they have slept.
#include "base/team.h"

#include "support/scratch.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1000 };

typedef struct Job {
    unsigned round;
    unsigned value[MOST]; // plain: the team makes it visible to the caller
    atomic_uint times[MOST];
} Job;

static void work(void *context, unsigned item)
{
    Job *job = context;
    job->value[item] = job->round + item;
    atomic_fetch_add(&job->times[item], 1);
}

static void run_and_check(Team *team, Job *job, unsigned items)
{
    memset(job->times, 0, sizeof job->times);
    memset(job->value, 0, sizeof job->value);
    team_run(team, items, work, job);
    for (unsigned i = 0; i < MOST; i++) {
        assert_int_equal(atomic_load(&job->times[i]), i < items);
        assert_int_equal(job->value[i], i < items ? job->round + i : 0);
    }
}

static void every_item_once(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 4, 8}, items[] = {0, 1, 2, 3, 15, 16, MOST};
    static Job job;
    for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++)
        for (uint64_t shuffle = 0; shuffle < 2; shuffle++) {
            Team *team = team_new(threads[t], shuffle, NULL);
            assert_non_null(team);
            for (unsigned r = 0; r < 20; r++)
                for (unsigned i = 0; i < sizeof items / sizeof *items; i++) {
                    job.round = 1 + r;
                    run_and_check(team, &job, items[i]);
                }
            team_free(team);
        }
}

// Long enough for idle threads to fall asleep; they must be woken for the next job.
static void after_a_sleep(void **state)
{
    (void)state;
    static Job job;
    Team *team = team_new(3, 0, NULL);
    for (job.round = 1; job.round < 4; job.round++) {
        run_and_check(team, &job, 100);
        usleep(20000);
    }
    team_free(team);
}

static void without_a_team(void **state)
{
    (void)state;
    static Job job;
    job.round = 5;
    run_and_check(NULL, &job, 7);
}

static void a_team_without_work(void **state)
{
    (void)state;
    team_free(team_new(4, 0, NULL));
    team_free(NULL);
    assert_true(team_cpus() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(after_a_sleep),
        cmocka_unit_test(without_a_team),
        cmocka_unit_test(a_team_without_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
