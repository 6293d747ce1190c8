// The table of waves.
#include "core/issue/waves.h"

#include "core/issue/scheduler.h"

#include <string.h>

// ---- life ----

bool waves_init(Waves *waves, const SmConfig *config, HdTables *tables)
{
    const CoreConfig *core = config->core;
    if (config->scalar->mode != SCALAR_WAVES) return true;
    waves->count = config->scalar->entries;
    waves->lanes = core_group_lanes(core);
    waves->members = config->scalar->members;
    waves->match_all = config->scalar->match == MATCH_ALL;
    waves->capacity = core->threads / core->width;
    waves->items = hd_tables_new(tables, waves->count, sizeof *waves->items);
    waves->open = hd_tables_new(tables, waves->count, sizeof *waves->open);
    waves->free = hd_tables_new(tables, waves->count, sizeof *waves->free);
    waves->waiting = hd_tables_new(tables, waves->capacity, sizeof *waves->waiting);
    waves->issued = hd_tables_new(tables, waves->capacity, sizeof *waves->issued);
    waves->joined = hd_tables_new(tables, waves->capacity, sizeof *waves->joined);
    waves->go_on = config->scalar->go_on;
    return waves->items && waves->open && waves->free && waves->waiting && waves->issued &&
           waves->joined;
}

void waves_begin(Waves *waves, const SmContext *context)
{
    for (unsigned i = 0; i < waves->count; i++) {
        waves->items[i].state = WAVE_FREE;
        waves->free[i] = (uint16_t)(waves->count - 1 - i);
    }
    waves->left = waves->count;
    waves->opened = waves->first = waves->waiters = waves->issued_count = 0;
    waves->joined_count = waves->ahead = 0;
    waves->full_since = context->now;
}

// ---- forming ----

static void join(Waves *waves, Wave *wave, Warp *w)
{
    unsigned place = waves->members == MEMBERS_ANY ? wave->count : w->group.wave_lane;
    wave->warp[place] = w;
    wave->places |= (LaneMask)1 << place;
    wave->count++;
    w->group.wave = (uint16_t)(wave - waves->items + 1);
    if (!waves->go_on || w->group.listed) return;
    w->group.listed = true;
    waves->joined[waves->joined_count++] = w;
}

// Whether the wave is of the warp's instruction, and of warps with which it can be in a wave.
static bool matches(const Waves *waves, const Wave *wave, const Warp *w)
{
    if (wave->pc != warp_pc(w)) return false;
    return waves->members == MEMBERS_ANY ? wave->scheduler == w->issue.scheduler
                                         : wave->swid == w->banks.scalar_entry;
}

// Whether the warp can join the open wave.
static bool accepts(const Waves *waves, const Wave *wave, const Warp *w)
{
    return matches(waves, wave, w) && wave->count < waves->lanes;
}

// The open wave that the warp joins; NULL: none.
static Wave *find_open(const Waves *waves, const Warp *w)
{
    for (unsigned i = 0; i < waves->opened; i++) {
        Wave *wave = &waves->items[waves->open[i]];
        if (accepts(waves, wave, w)) return wave;
    }
    return NULL;
}

// 1 + index of the wave that keeps the warp from an entry of its own (scalar.match); 0: none.
static uint16_t find_match(const Waves *waves, const Warp *w)
{
    for (unsigned i = 0; waves->match_all && i < waves->count; i++) {
        const Wave *wave = &waves->items[i];
        if (wave->state != WAVE_FREE && matches(waves, wave, w)) return (uint16_t)(i + 1);
    }
    return 0;
}

// Opens a wave in a free entry, of which there is one.
static Wave *open(Waves *waves, const SmContext *context, Warp *w, unsigned port)
{
    uint16_t index = waves->free[--waves->left];
    Wave *wave = &waves->items[index];
    *wave = (Wave){.state = WAVE_OPEN, .port = (uint8_t)port, .scheduler = w->issue.scheduler,
                   .swid = w->banks.scalar_entry, .pc = warp_pc(w), .since = context->now};
    waves->open[waves->opened++] = index;
    join(waves, wave, w);
    return wave;
}

void waves_count_waiting(Waves *waves, SmContext *context, uint64_t until)
{
    context->count.groups.wave_table_full += waves->waiters * (until - waves->full_since);
    waves->full_since = until;
}

bool waves_left(const Waves *waves) { return waves->waiters || waves->left < waves->count; }

bool waves_join(Waves *waves, SmContext *context, Warp *w, unsigned port)
{
    Wave *wave = find_open(waves, w);
    if (wave) {
        join(waves, wave, w);
        return true;
    }
    w->group.waits_for = find_match(waves, w);
    if (!w->group.waits_for && waves->left) {
        open(waves, context, w, port);
        return true;
    }
    waves_count_waiting(waves, context, context->now);
    waves->waiting[(waves->first + waves->waiters++) % waves->capacity] = w;
    return false;
}

// ---- issue ----

uint32_t waves_turns(const Waves *waves, unsigned schedulers)
{
    uint32_t turns = 0;
    if (waves_are_shared(waves)) return waves->opened ? (UINT32_C(1) << schedulers) - 1 : 0;
    for (unsigned i = 0; waves->ahead && i < waves->opened; i++)
        turns |= UINT32_C(1) << waves->items[waves->open[i]].scheduler;
    return turns;
}

Wave *waves_oldest(const Waves *waves, const SmContext *context, unsigned scheduler,
                   const Operands *operands, WavesWanted which)
{
    bool all = waves_are_shared(waves);
    for (unsigned i = 0; i < waves->opened; i++) {
        Wave *wave = &waves->items[waves->open[i]];
        if (!all && wave->scheduler != scheduler) continue;
        if (which == WAVES_LATE && context->now - wave->since < context->config.scalar->patience)
            continue;
        if (which == WAVES_AHEAD && !wave->ahead) continue;
        if (port_has_room(operands, wave->port, context->now)) return wave;
    }
    return NULL;
}

void waves_issue(Waves *waves, Wave *wave, IssueGroup *group)
{
    uint16_t index = (uint16_t)(wave - waves->items);
    unsigned at = 0;
    while (waves->open[at] != index) at++;
    memmove(&waves->open[at], &waves->open[at + 1], (--waves->opened - at) * sizeof *waves->open);
    wave->state = WAVE_ISSUED;
    *group = (IssueGroup){.kind = GROUP_WAVE, .scalar = true, .wave = (uint16_t)(index + 1)};
    for (LaneMask m = wave->places; m; m &= m - 1) {
        unsigned place = lanes_first(m);
        bool ahead = wave->ahead >> place & 1;
        group->member[group->count++] = (GroupMember){.warp = wave->warp[place],
                                                      .place = (uint8_t)place, .ahead = ahead};
        group->ahead |= ahead;
        if (!ahead) wave->warp[place]->group.wave = 0;
    }
}

uint64_t waves_next(const Waves *waves, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < waves->opened; i++) {
        const Wave *wave = &waves->items[waves->open[i]];
        if (port_has_room(operands, wave->port, now)) return now + 1;
        uint64_t free = operands->port[wave->port].latch_free;
        if (free > now && free < next) next = free;
    }
    return next;
}

// ---- end ----

// A warp that waits, and may not be in the wave that has just been opened. The entry that it may
// have waited for has been given to others.
static void keep_waiting(Waves *waves, const Wave *opened, uint16_t freed, Warp *w)
{
    waves->waiting[(waves->first + waves->waiters - 1) % waves->capacity] = w;
    if (w->group.waits_for != freed || !opened) return;
    w->group.waits_for = 0;
    if (matches(waves, opened, w)) w->group.waits_for = freed;
}

// The first warp that waits for any entry, or for this one, opens a wave in it. Others that wait
// can join that one alone: they have been refused by the rest of the table.
void waves_end(Issue *issue, SmContext *context, uint16_t number)
{
    Waves *waves = &issue->waves;
    waves->items[number - 1].state = WAVE_FREE;
    waves->free[waves->left++] = (uint16_t)(number - 1);
    if (!waves->waiters) return;
    waves_count_waiting(waves, context, context->now);
    Wave *opened = NULL;
    for (unsigned left = waves->waiters; left; left--) {
        Warp *w = waves->waiting[waves->first];
        waves->first = (waves->first + 1) % waves->capacity;
        bool may_open = !w->group.waits_for || w->group.waits_for == number;
        if (!opened && may_open) {
            opened = open(waves, context, w, issue_port(issue, &w->ops[w->pc]));
        } else if (opened && accepts(waves, opened, w)) {
            join(waves, opened, w);
        } else {
            keep_waiting(waves, opened, number, w);
            continue;
        }
        waves->waiters--;
        warp_in_wave(issue, context, w);
    }
}
