// Rounds of functional launches: stores and atomics between a round's start and its end.
#include "exec/round_log.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A register slot holds integers or floats, and may be read as any type.
typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

enum {
    SHARE_LOG2 = 10, // bytes that follow each other in a share
    KIND_SHIFT = 56  // above a guest address: RoundKind
};
#define ADDRESS_MASK ((UINT64_C(1) << KIND_SHIFT) - 1)

typedef enum RoundKind { STORE_1, STORE_2, STORE_4, STORE_8, STORE_RUN, ATOMIC } RoundKind;

// One lane of a store or of an atomic; or STORE_RUN: the elements of neighbouring lanes.
typedef struct RoundEntry {
    uint64_t address; // and its RoundKind
    uint64_t value;   // STORE_RUN: bytes, and above RUN_SHIFT the place in RoundShare.runs
                      // ATOMIC: index into RoundShare.atomics
} RoundEntry;
enum { RUN_SHIFT = 16 };

typedef struct RoundAtomic {
    uint64_t b, c;   // operands, raw bits
    void *result;    // the lane's element of the destination register; NULL: none
    uint8_t operation, type;
} RoundAtomic;

// Of the log, the addresses of one share.
typedef struct RoundShare {
    RoundEntry *entries;
    RoundAtomic *atomics;
    uint8_t *runs; // the bytes of STORE_RUN
    size_t count, capacity, atomic_count, atomic_capacity, run_bytes, run_capacity;
    uint64_t changes; // lanes of atomics that have changed memory
} RoundShare;

typedef struct RoundLog {
    RoundShare shares[ROUND_SHARES];
    uint32_t used; // a bit for each share that has had entries in this round
    uint64_t reductions[FILTER_WORDS]; // a filter of sectors, as StoreLog.filter
    size_t lanes;
    SectorTable own; // the log's, while it has one that is lent
} RoundLog;

struct RoundTables {
    pthread_mutex_t lock;
    unsigned free;        // the first ones
    SectorTable tables[];
};

void round_log_free(RoundLog *round)
{
    if (!round) return;
    for (unsigned i = 0; i < ROUND_SHARES; i++) {
        free(round->shares[i].entries);
        free(round->shares[i].atomics);
        free(round->shares[i].runs);
    }
    free(round);
}

bool round_log_prepare(StoreLog *log)
{
    if (!log->round) log->round = hd_new(1, sizeof *log->round);
    return log->round != NULL;
}

RoundTables *round_tables_new(unsigned most)
{
    RoundTables *tables = hd_new(1, sizeof *tables + most * sizeof *tables->tables);
    if (!tables) return NULL;
    pthread_mutex_init(&tables->lock, NULL);
    for (; tables->free < most; tables->free++) tables->tables[tables->free].epoch = 1;
    return tables;
}

void round_tables_free(RoundTables *tables)
{
    if (!tables) return;
    for (unsigned i = 0; i < tables->free; i++) free(tables->tables[i].sectors);
    pthread_mutex_destroy(&tables->lock);
    free(tables);
}

void round_log_lend(StoreLog *log, RoundTables *tables)
{
    log->round->own = log->table;
    pthread_mutex_lock(&tables->lock);
    log->table = tables->tables[--tables->free];
    pthread_mutex_unlock(&tables->lock);
}

void round_log_return(StoreLog *log, RoundTables *tables)
{
    if (log->table.count) store_log_forget(log);
    pthread_mutex_lock(&tables->lock);
    tables->tables[tables->free++] = log->table;
    pthread_mutex_unlock(&tables->lock);
    log->table = log->round->own;
}

static unsigned share_of(uint64_t address)
{
    _Static_assert(ROUND_SHARES == 16, "expected four bits of a hash");
    return (unsigned)(store_log_hash(address >> SHARE_LOG2) >> 60);
}

// A new entry of a share; NULL: out of memory.
static inline RoundEntry *push(RoundLog *round, unsigned number)
{
    RoundShare *share = &round->shares[number];
    round->used |= 1u << number;
    if (share->count == share->capacity &&
        !hd_reserve(&share->entries, share->count, &share->capacity, sizeof *share->entries))
        return NULL;
    return &share->entries[share->count++];
}

// The bytes that all lanes store, at neighbouring addresses from `address` on.
static bool store_run(StoreLog *log, uint64_t address, const uint8_t *bytes, unsigned count)
{
    while (count) {
        unsigned part = (1u << SHARE_LOG2) - (unsigned)(address & ((1u << SHARE_LOG2) - 1));
        if (part > count) part = count;
        unsigned number = share_of(address);
        RoundShare *share = &log->round->shares[number];
        size_t end = share->run_bytes + part;
        if (end > share->run_capacity &&
            !hd_reserve(&share->runs, end - 1, &share->run_capacity, 1))
            return false;
        RoundEntry *entry = push(log->round, number);
        if (!entry) return false;
        *entry = (RoundEntry){address | (uint64_t)STORE_RUN << KIND_SHIFT,
                              share->run_bytes << RUN_SHIFT | part};
        memcpy(share->runs + share->run_bytes, bytes, part);
        share->run_bytes = end;
        store_log_put_run(log, address, bytes, part);
        address += part;
        bytes += part;
        count -= part;
    }
    return true;
}

bool round_log_store(StoreLog *log, const UOp *op, const ExecWarp *w, LaneMask mask,
                     const uint64_t *addresses, unsigned allocation)
{
    RoundLog *round = log->round;
    unsigned bytes = ptx_type_bytes(op->type), width = bytes == 8 || op->flags & UF_WIDE_SRC;
    uint64_t kind = (uint64_t)log2_floor(bytes) << KIND_SHIFT;
    uint64_t bits = bytes == 8 ? ~(uint64_t)0 : (UINT64_C(1) << bytes * 8) - 1;
    unsigned lanes = lanes_count(mask);
    if (!store_log_reserve(log, lanes)) return false;
    log->round_stored |= round_log_bits(allocation);
    round->lanes += (size_t)lanes * op->vec;
    log->instruction_count++;
    if (op->vec == 1 && bytes == (width ? 8 : 4) && mask == lanes_all(HD_MAX_LANES) &&
        exec_strided(addresses, bytes))
        return store_run(log, addresses[0], exec_operand(w, op->src[1]), bytes * lanes);
    for (unsigned e = 0; e < op->vec; e++) {
        const void *data = exec_operand(w, op->src[1 + e]);
        StoredSector *at = NULL; // of the previous lane; the next lane mostly uses the same
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            uint64_t value = (width ? ((const LongWord *)data)[l] : ((const Word *)data)[l]) & bits;
            uint64_t address = addresses[l] + e * bytes, sector = address / LOG_SECTOR_BYTES;
            RoundEntry *entry = push(round, share_of(address));
            if (!entry) return false;
            *entry = (RoundEntry){address | kind, value};
            if (!at || at->sector != sector) at = store_log_sector(log, sector);
            store_log_put(at, address, value, bytes);
        }
    }
    return true;
}

static void note_reduction(RoundLog *round, uint64_t address)
{
    uint64_t bit = store_log_hash(address >> SECTOR_LOG2) >> (64 - FILTER_LOG2);
    round->reductions[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

bool round_log_atomic(StoreLog *log, const UOp *op, const ExecWarp *w, LaneMask mask,
                      const uint64_t *addresses, unsigned allocation)
{
    RoundLog *round = log->round;
    bool returns = op->code == UOP_ATOM, wide = ptx_type_bytes(op->type) == 8;
    uint8_t *results = returns && op->dst[0] != OPERAND_NONE ? exec_operand(w, op->dst[0]) : NULL;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        unsigned number = share_of(addresses[l]);
        RoundShare *share = &round->shares[number];
        RoundAtomic atomic = {.operation = op->modifier, .type = op->type,
                              .result = results ? results + l * (wide ? 8 : 4) : NULL};
        exec_atomic_operands(op, w, l, &atomic.b, &atomic.c);
        RoundEntry *entry = push(round, number);
        if (!entry || !HD_PUSH(share->atomics, share->atomic_count, share->atomic_capacity, atomic))
            return false;
        *entry = (RoundEntry){addresses[l] | (uint64_t)ATOMIC << KIND_SHIFT,
                              share->atomic_count - 1};
        if (!returns) note_reduction(round, addresses[l]);
    }
    if (!returns) log->round_reduced |= round_log_bits(allocation);
    round->lanes += lanes_count(mask);
    log->instruction_count++;
    return true;
}

bool round_log_reduces_sector(const StoreLog *log, LaneMask mask, const uint64_t *addresses)
{
    const RoundLog *round = log->round;
    for (LaneMask left = mask; left; left &= left - 1) {
        uint64_t bit = store_log_hash(addresses[lanes_first(left)] >> SECTOR_LOG2) >>
                       (64 - FILTER_LOG2);
        if (round->reductions[bit >> 6] >> (bit & 63) & 1) return true;
    }
    return false;
}

size_t round_log_lanes(const StoreLog *log) { return log->round->lanes; }

static void apply_atomic(GuestMemory *memory, RoundShare *share, uint64_t address, uint64_t index)
{
    const RoundAtomic *a = &share->atomics[index];
    uint64_t old = exec_atomic((AtomOp)a->operation, (PtxType)a->type, guest_host(memory, address),
                               a->b, a->c, &share->changes);
    if (!a->result) return;
    if (ptx_type_bytes((PtxType)a->type) == 8) *(LongWord *)a->result = old;
    else *(Word *)a->result = (uint32_t)old;
}

static void apply_share(GuestMemory *memory, RoundShare *share)
{
    for (size_t e = 0; e < share->count; e++) {
        uint64_t address = share->entries[e].address & ADDRESS_MASK;
        uint64_t value = share->entries[e].value;
        uint8_t *to = guest_host(memory, address);
        switch ((RoundKind)(share->entries[e].address >> KIND_SHIFT)) {
        case STORE_1: memcpy(to, &value, 1); break;
        case STORE_2: memcpy(to, &value, 2); break;
        case STORE_4: memcpy(to, &value, 4); break;
        case STORE_8: memcpy(to, &value, 8); break;
        case STORE_RUN:
            memcpy(to, share->runs + (value >> RUN_SHIFT), value & lanes_all(RUN_SHIFT));
            break;
        case ATOMIC: apply_atomic(memory, share, address, value); break;
        }
    }
    share->count = share->atomic_count = share->run_bytes = 0;
}

void round_commit_share(GuestMemory *memory, StoreLog *const *logs, unsigned count, unsigned number)
{
    for (unsigned i = 0; i < count; i++)
        if (logs[i]->round->used >> number & 1)
            apply_share(memory, &logs[i]->round->shares[number]);
}

void round_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (uint32_t left = logs[i]->round->used; left; left &= left - 1)
            apply_share(memory, &logs[i]->round->shares[lanes_first(left)]);
}

uint64_t round_log_clear(StoreLog *log)
{
    RoundLog *round = log->round;
    uint64_t changes = 0;
    for (uint32_t left = round->used; left; left &= left - 1) {
        RoundShare *share = &round->shares[lanes_first(left)];
        changes += share->changes;
        share->changes = 0;
    }
    round->used = 0;
    if (log->round_reduced) memset(round->reductions, 0, sizeof round->reductions);
    log->round_stored = log->round_reduced = 0;
    round->lanes = 0;
    log->instruction_count = 0;
    if (log->table.count) store_log_forget(log);
    return changes;
}
