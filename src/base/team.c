// A team of host threads: how threads claim items, and how they wait.
//
// Each thread has a share of the items, the same one in each job of as many items: what an item
// works on stays in the caches of the thread's CPU. A thread takes its share from the front; if
// nothing is left of it, it takes from the back of the other shares.
//
// One 64-bit word holds the number of the job, and the first and the end of the items that are left
// of a share. A thread claims an item by changing the word atomically. This fails if the job has
// changed, so that a late thread never claims an item of a finished job, and a job need not wait
// for threads that are still asleep.
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

typedef struct Share {
    _Alignas(64) atomic_uint_least64_t left; // see above
} Share;

struct Team {
    _Alignas(64) atomic_uint job; // its number, after its shares are there
    void (*work)(void *context, unsigned item);
    void *context;
    _Alignas(64) atomic_uint done; // items of the job that are finished
    _Alignas(64) atomic_uint asleep;
    atomic_bool stop;
    unsigned max_polls; // of an idle thread before it sleeps
    uint64_t shuffle;
    pthread_mutex_t lock; // guards going to sleep
    pthread_cond_t wake;
    Share *shares;        // [threads]
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

static unsigned first_of(uint64_t left) { return (unsigned)left & ITEM_MASK; }
static unsigned end_of(uint64_t left) { return (unsigned)(left >> ITEM_BITS) & ITEM_MASK; }

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

// Gives other threads the chance to be first.
static void yield_at_random(const Team *team, unsigned number, uint64_t left)
{
    unsigned times = (unsigned)(random_draw(team->shuffle, 1, number, left) % 3);
    while (times--) sched_yield();
}

// Does items of a share until none is left, from its front or from its back. Returns how many.
static unsigned run_share(Team *team, unsigned number, Share *share, bool front)
{
    unsigned done = 0;
    uint64_t left = atomic_load_explicit(&share->left, memory_order_acquire);
    while (first_of(left) < end_of(left)) {
        if (team->shuffle) yield_at_random(team, number, left);
        uint64_t rest = front ? left + 1 : left - (UINT64_C(1) << ITEM_BITS);
        if (!atomic_compare_exchange_weak_explicit(&share->left, &left, rest, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        // The job cannot end before this item is counted as done, so its fields are stable.
        team->work(team->context, front ? first_of(left) : end_of(rest));
        done++;
        left = atomic_load_explicit(&share->left, memory_order_acquire);
    }
    return done;
}

// Does items of the current job until none is left.
static void run_items(Team *team, unsigned number)
{
    for (unsigned i = 0; i < team->threads; i++) {
        unsigned at = number + i < team->threads ? number + i : number + i - team->threads;
        unsigned done = run_share(team, number, &team->shares[at], i == 0);
        if (done) atomic_fetch_add_explicit(&team->done, done, memory_order_release);
    }
}

// Whether there is no job behind this one.
static bool idle(Team *team, unsigned job)
{
    return atomic_load(&team->job) == job && !atomic_load(&team->stop);
}

static void *member_main(void *argument)
{
    Member *member = argument;
    Team *team = member->team;
    while (!atomic_load(&team->stop)) {
        unsigned job = atomic_load(&team->job), polls = 0;
        run_items(team, member->number);
        while (polls < team->max_polls && idle(team, job)) pause_between_polls(++polls);
        if (polls < team->max_polls) continue;
        // Sleep until woken. The thread counts itself before the last poll; team_run publishes the
        // job before it reads the count.
        pthread_mutex_lock(&team->lock);
        atomic_fetch_add(&team->asleep, 1);
        while (idle(team, job)) pthread_cond_wait(&team->wake, &team->lock);
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
    Share *shares = hd_new_aligned(threads, sizeof *shares, 64);
    Member *members = hd_new(threads, sizeof *members);
    if (!team || !shares || !members) {
        hd_fail_memory(err, "starting host threads");
        free(team);
        free(shares);
        free(members);
        return NULL;
    }
    team->threads = threads;
    team->shuffle = shuffle;
    // If the host has fewer CPUs than threads, a polling thread delays the others.
    team->max_polls = threads <= team_cpus() ? POLLS_AWAKE : POLLS_PER_YIELD;
    team->shares = shares;
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
    free(team->shares);
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
    uint64_t job = atomic_load_explicit(&team->job, memory_order_relaxed) + 1;
    for (unsigned i = 0; i < team->threads; i++) {
        uint64_t first = (uint64_t)items * i / team->threads;
        uint64_t end = (uint64_t)items * (i + 1) / team->threads;
        atomic_store_explicit(&team->shares[i].left,
                              job << 2 * ITEM_BITS | end << ITEM_BITS | first,
                              memory_order_release);
    }
    atomic_store(&team->job, (unsigned)job);
    if (atomic_load(&team->asleep)) wake_all(team);
    run_items(team, 0);
    unsigned polls = 0;
    while (atomic_load_explicit(&team->done, memory_order_acquire) < items)
        pause_between_polls(++polls);
}
