// Rounds of functional launches: what an SM does to global memory from a round's start to its end.
//
// In a round SMs run alone, and global memory is read-only, as in the SM phase of a quantum. Stores
// and atomics go to the SM's log in program order; its loads read through the log. At the end of
// the round round_commit applies the logs of all SMs, in the order (SM, sequence), and writes the
// results of atomics into registers. Operations at different addresses do not affect each other,
// so that the addresses are divided into shares, which may be applied in parallel.
#ifndef HEDDLE_EXEC_ROUND_LOG_H
#define HEDDLE_EXEC_ROUND_LOG_H

#include "exec/exec.h"
#include "exec/store_log.h"

enum { ROUND_SHARES = 16 };

// Prepares a log for rounds. false: out of memory.
bool round_log_prepare(StoreLog *log);

// Tables for the indexes of logs. A log's index (store_log.h) is used only while its SM runs. So
// the SMs that run take turns with a table for each host thread, which stays in the host's caches.
typedef struct RoundTables RoundTables;
// For SMs of which at most `most` run at the same time. NULL: out of memory.
RoundTables *round_tables_new(unsigned most);
void round_tables_free(RoundTables *tables); // NULL is allowed; all tables have come back
// Lends a table to the log of an SM that runs now. Its own index is empty. Any thread may call.
void round_log_lend(StoreLog *log, RoundTables *tables);
// The SM has run: empties the index and takes the table back. The log still waits for round_commit,
// but loads do not see it any more.
void round_log_return(StoreLog *log, RoundTables *tables);

// Appends the stores or the atomics of a warp instruction. The caller has checked the bounds.
// `allocation`: the one that holds all addresses, or GUEST_NO_ALLOCATION. The registers of an
// ATOM's result stay where they are until round_commit. false: out of memory.
bool round_log_store(StoreLog *log, const UOp *op, const ExecWarp *w, LaneMask mask,
                     const uint64_t *addresses, unsigned allocation);
bool round_log_atomic(StoreLog *log, const UOp *op, const ExecWarp *w, LaneMask mask,
                      const uint64_t *addresses, unsigned allocation);

static inline uint64_t round_log_bits(unsigned allocation)
{
    return allocation == GUEST_NO_ALLOCATION ? ~(uint64_t)0 : UINT64_C(1) << allocation % 64;
}
bool round_log_reduces_sector(const StoreLog *log, LaneMask mask, const uint64_t *addresses);
// Whether a load from these addresses may see a reduction of this round, and so has to wait for the
// round's end.
static inline bool round_log_reduces(const StoreLog *log, LaneMask mask, const uint64_t *addresses,
                                     unsigned allocation)
{
    return log->round_reduced & round_log_bits(allocation) &&
           round_log_reduces_sector(log, mask, addresses);
}
// Whether nothing was stored to the allocation in this round: loads then read memory directly.
static inline bool round_log_unwritten(const StoreLog *log, unsigned allocation)
{
    return !(log->round_stored & round_log_bits(allocation));
}

// Applies `count` logs (log i belongs to SM i): one share of them, or all. Different shares may be
// applied at the same time. Then empty each log.
void round_commit_share(GuestMemory *memory, StoreLog *const *logs, unsigned count, unsigned share);
void round_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count);
// Empties a log. Returns the lanes of its atomics that have changed memory.
uint64_t round_log_clear(StoreLog *log);
// Lanes of stores and atomics in the log.
size_t round_log_lanes(const StoreLog *log);

#endif
