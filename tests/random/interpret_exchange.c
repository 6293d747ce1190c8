// The reference for what threads exchange: at barriers, and among the lanes of a warp.
#include "interpret.h"

#include <string.h>

void exchange(Machine *m, Frame *f, const Statement *s)
{
    uint64_t values[MAX_THREADS];
    for (unsigned t = 0; t < m->threads; t++) {
        values[t] = source(f, &s->from[0], T_B32, t);
        if (s->space != GLOBAL_OWN) continue;
        uint64_t word = values[t] + (s->hint ? load(own_row(m, t) + s->mask, T_B32) : 0);
        memcpy(own_row(m, t) + s->mask, &word, 4);
    }
    for (unsigned t = 0; t < m->threads; t++) {
        unsigned other = (t + s->offset) % m->threads;
        uint64_t value = s->space == GLOBAL_OWN ? load(own_row(m, other) + s->mode, T_B32)
                                                : values[other];
        set(f, BANK_32, s->to[0], t, value);
    }
}

// Modes: popc, and, or
void vote_barrier(Machine *m, Frame *f, const Statement *s)
{
    unsigned count = 0;
    for (unsigned t = 0; t < m->threads; t++) count += source(f, &s->from[0], T_PRED, t) != 0;
    for (unsigned t = 0; t < m->threads; t++) {
        if (s->mode == 0) set(f, BANK_32, s->to[0], t, count);
        else set(f, BANK_PRED, s->to[0], t, s->mode == 1 ? count == m->threads : count > 0);
    }
}

// Modes: up, down, bfly, idx. A lane that is not active gives no value: the own one stays.
static void shuffle(Machine *m, Frame *f, const Statement *s, unsigned first, uint32_t members)
{
    uint64_t values[32];
    uint32_t segment = s->mask; // lanes of a segment
    for (unsigned l = 0; l < m->width && first + l < m->threads; l++)
        values[l] = source(f, &s->from[0], T_B32, first + l);
    for (unsigned l = 0; l < 32; l++) {
        if (!(members >> l & 1)) continue;
        int64_t start = l & ~(segment - 1), end = start + segment - 1;
        uint64_t distance = source(f, &s->from[1], T_B32, first + l) & 31;
        int64_t from = s->mode == 0   ? (int64_t)l - (int64_t)distance
                       : s->mode == 1 ? (int64_t)l + (int64_t)distance
                       : s->mode == 2 ? (int64_t)(l ^ distance)
                                      : start + (int64_t)(distance & (segment - 1));
        // Lanes that a narrower warp lacks lie outside of each segment.
        bool within = (s->mode == 0 ? from >= start : from <= end) && from < (int)m->width;
        bool valid = within && members >> from & 1;
        set(f, BANK_32, s->to[0], first + l, values[valid ? from : l]);
        if (s->has_second) set(f, BANK_PRED, s->to[1], first + l, within);
    }
}

static void vote(Frame *f, const Statement *s, unsigned first, uint32_t members)
{
    uint32_t yes = 0;
    for (unsigned l = 0; l < 32; l++)
        if (members >> l & 1 && source(f, &s->from[0], T_PRED, first + l)) yes |= 1u << l;
    const bool results[] = {yes == members, yes != 0, yes == members || !yes};
    for (unsigned l = 0; l < 32; l++) {
        if (!(members >> l & 1)) continue;
        if (s->mode == 3) set(f, BANK_32, s->to[0], first + l, yes);
        else set(f, BANK_PRED, s->to[0], first + l, results[s->mode]);
    }
}

// Modes: any, all
static void match(Frame *f, const Statement *s, unsigned first, uint32_t members)
{
    uint32_t equal[32] = {0};
    bool all = true;
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 32 && members >> l & 1; k++)
            if (members >> k & 1 && source(f, &s->from[0], s->type, first + l) ==
                                        source(f, &s->from[0], s->type, first + k))
                equal[l] |= 1u << k;
    for (unsigned l = 0; l < 32; l++) all &= !(members >> l & 1) || equal[l] == members;
    for (unsigned l = 0; l < 32; l++) {
        if (!(members >> l & 1)) continue;
        set(f, BANK_32, s->to[0], first + l, s->mode ? (all ? members : 0) : equal[l]);
        if (s->has_second) set(f, BANK_PRED, s->to[1], first + l, all);
    }
}

static void reduce(Frame *f, const Statement *s, unsigned first, uint32_t members)
{
    uint64_t result = 0;
    bool any = false;
    for (unsigned l = 0; l < 32; l++) {
        if (!(members >> l & 1)) continue;
        uint64_t value = source(f, &s->from[0], s->type, first + l);
        result = any ? atomic_value((AtomicOperation)s->mode, s->type, low_bits(result, 32), value,
                                    0)
                     : value;
        any = true;
    }
    for (unsigned l = 0; l < 32; l++)
        if (members >> l & 1) set(f, BANK_32, s->to[0], first + l, result);
}

static unsigned lowest(uint32_t members)
{
    unsigned l = 0;
    while (!(members >> l & 1)) l++;
    return l;
}

void across_warps(Machine *m, Frame *f, const Statement *s, Threads active)
{
    for (unsigned first = 0; first < m->threads; first += m->width) {
        uint32_t members = (uint32_t)low_bits((uint64_t)(active >> first), m->width);
        if (!members) continue;
        switch (s->kind) {
        case SHUFFLE: shuffle(m, f, s, first, members); break;
        case VOTE: vote(f, s, first, members); break;
        case MATCH: match(f, s, first, members); break;
        case REDUCE: reduce(f, s, first, members); break;
        default: { // LEADER
            uint64_t value = source(f, &s->from[0], T_B32, first + lowest(members));
            for (unsigned l = 0; l < 32; l++)
                if (members >> l & 1) set(f, BANK_32, s->to[0], first + l, value);
            break;
        }
        }
    }
}
