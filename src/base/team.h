// Host threads that work on one job together.
//
// A job is a number of items; each is done once, as a rule by the same thread in each job of as
// many items. The result of an item must not depend on the thread or on the order, so that the
// number of threads changes only the time.
#ifndef HEDDLE_BASE_TEAM_H
#define HEDDLE_BASE_TEAM_H

#include "base/fail.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Team Team;

// The name of each thread that Heddle starts in a process, for debuggers, and to tell it from the
// program's. At most 15 characters.
#define TEAM_THREAD_NAME "heddle:thread"

// Host CPUs available to this process; at least 1.
unsigned team_cpus(void);

// A team of `threads` (1 to TEAM_MAX_THREADS), the calling thread included. Idle threads poll for a
// while, then sleep. If `shuffle` is not 0, threads yield at random, so that every run hands out
// the items in another order (for tests). NULL and err if the host cannot start the threads.
enum { TEAM_MAX_THREADS = 256 };
Team *team_new(unsigned threads, uint64_t shuffle, HdError *err);
void team_free(Team *team);

// Calls work(context, i) for each i < items (at most 2^20 - 1) and returns when all are done. The
// caller works too; one caller at a time may use a team. A NULL team is the caller alone.
void team_run(Team *team, unsigned items, void (*work)(void *context, unsigned item),
              void *context);

#endif
