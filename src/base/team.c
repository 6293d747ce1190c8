// A team of host threads: how threads claim items, and how they wait.
//
// One 64-bit word holds the number of the current job, its number of items and its next item. A
// thread claims an item by incrementing the word atomically. This fails if the job has changed, so
// that a late thread never claims an item of a finished job, and a job need not wait for threads
// that are still asleep.
#include "base/team.h"

#include "base/memory.h"
#include "base/random.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    ITEM_BITS = 20,
    ITEM_MASK = (1 << ITEM_BITS) - 1,
    POLLS_PER_YIELD = 1 << 8, // some 10 microseconds: longer than most waits at the end of a job
    POLLS_AWAKE = 1 << 13,    // longer than most gaps between two jobs of a busy machine
};

typedef struct Member {
    Team *team;
    pthread_t thread;
    unsigned number;
} Member;

struct Team {
    // Job number, number of items, next item; see above.
    _Alignas(64) atomic_uint_least64_t claim;
    void (*work)(void *context, unsigned item);
    void *context;
    _Alignas(64) atomic_uint done; // items of the job that are finished
    _Alignas(64) atomic_uint asleep;
    atomic_bool stop;
    unsigned max_polls; // of an idle thread before it sleeps
    uint64_t shuffle;
    pthread_mutex_t lock; // guards going to sleep
    pthread_cond_t wake;
    Member *members;      // [threads - 1]
    unsigned threads, started;
};

unsigned team_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static unsigned next_of(uint64_t claim) { return (unsigned)claim & ITEM_MASK; }
static unsigned items_of(uint64_t claim) { return (unsigned)(claim >> ITEM_BITS) & ITEM_MASK; }
static uint64_t job_of(uint64_t claim) { return claim >> 2 * ITEM_BITS; }

// Pauses between two polls of a variable that another thread will change.
static void pause_between_polls(unsigned polls)
{
    if (polls % POLLS_PER_YIELD == 0) {
        sched_yield();
        return;
    }
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

// Does items of the current job until none is left.
static void run_items(Team *team, unsigned number)
{
    uint64_t claim = atomic_load_explicit(&team->claim, memory_order_acquire);
    while (next_of(claim) < items_of(claim)) {
        if (team->shuffle) { // gives other threads the chance to be first
            unsigned times = (unsigned)(random_draw(team->shuffle, 1, number, claim) % 3);
            while (times--) sched_yield();
        }
        if (!atomic_compare_exchange_weak_explicit(&team->claim, &claim, claim + 1,
                                                   memory_order_acq_rel, memory_order_acquire))
            continue;
        // The job cannot end before this item is counted as done, so its fields are stable.
        team->work(team->context, next_of(claim));
        atomic_fetch_add_explicit(&team->done, 1, memory_order_release);
        claim = atomic_load_explicit(&team->claim, memory_order_acquire);
    }
}

static bool idle(Team *team)
{
    uint64_t claim = atomic_load(&team->claim);
    return next_of(claim) >= items_of(claim) && !atomic_load(&team->stop);
}

static void *member_main(void *argument)
{
    Member *member = argument;
    Team *team = member->team;
    while (!atomic_load(&team->stop)) {
        run_items(team, member->number);
        unsigned polls = 0;
        while (polls < team->max_polls && idle(team)) pause_between_polls(++polls);
        if (polls < team->max_polls) continue;
        // Sleep until woken. The thread counts itself before the last poll; team_run publishes the
        // job before it reads the count.
        pthread_mutex_lock(&team->lock);
        atomic_fetch_add(&team->asleep, 1);
        while (idle(team)) pthread_cond_wait(&team->wake, &team->lock);
        atomic_fetch_sub(&team->asleep, 1);
        pthread_mutex_unlock(&team->lock);
    }
    return NULL;
}

static void wake_all(Team *team)
{
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

Team *team_new(unsigned threads, uint64_t shuffle, HdError *err)
{
    Team *team = hd_new_aligned(1, sizeof *team, 64);
    Member *members = hd_new(threads, sizeof *members);
    if (!team || !members) {
        hd_fail_memory(err, "starting host threads");
        free(team);
        free(members);
        return NULL;
    }
    team->threads = threads;
    team->shuffle = shuffle;
    // If the host has fewer CPUs than threads, a polling thread delays the others.
    team->max_polls = threads <= team_cpus() ? POLLS_AWAKE : POLLS_PER_YIELD;
    team->members = members;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    // Only the calling thread handles signals.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = true;
    while (ok && team->started + 1 < team->threads) {
        Member *member = &team->members[team->started];
        *member = (Member){.team = team, .number = team->started + 1};
        ok = pthread_create(&member->thread, NULL, member_main, member) == 0;
        if (ok) pthread_setname_np(member->thread, TEAM_THREAD_NAME);
        team->started += ok;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok) return team;
    hd_fail(err, "the host starts only %u of %u threads: use fewer (--threads)", team->started + 1,
            threads);
    team_free(team);
    return NULL;
}

void team_free(Team *team)
{
    if (!team) return;
    atomic_store(&team->stop, true);
    wake_all(team);
    for (unsigned i = 0; i < team->started; i++) pthread_join(team->members[i].thread, NULL);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->wake);
    free(team->members);
    free(team);
}

void team_run(Team *team, unsigned items, void (*work)(void *context, unsigned item), void *context)
{
    if (!team || team->threads == 1 || items < 2) {
        for (unsigned i = 0; i < items; i++) work(context, i);
        return;
    }
    team->work = work;
    team->context = context;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    uint64_t job = job_of(atomic_load_explicit(&team->claim, memory_order_relaxed)) + 1;
    atomic_store(&team->claim, job << 2 * ITEM_BITS | (uint64_t)items << ITEM_BITS);
    if (atomic_load(&team->asleep)) wake_all(team);
    run_items(team, 0);
    unsigned polls = 0;
    while (atomic_load_explicit(&team->done, memory_order_acquire) < items)
        pause_between_polls(++polls);
}
