// The table of waves.
#include "core/issue/waves.h"

#include "core/issue/scheduler.h"

// ---- life ----

bool waves_init(Waves *waves, const SmConfig *config, HdTables *tables)
{
    const CoreConfig *core = config->core;
    if (config->scalar->mode != SCALAR_WAVES) return true;
    waves->count = config->scalar->entries;
    waves->lanes = core_group_lanes(core);
    waves->any = config->scalar->members == MEMBERS_ANY;
    waves->capacity = core->threads / core->width;
    waves->items = hd_tables_new(tables, waves->count, sizeof *waves->items);
    waves->waiting = hd_tables_new(tables, waves->capacity, sizeof *waves->waiting);
    return waves->items && waves->waiting;
}

void waves_begin(Waves *waves, const SmContext *context)
{
    for (unsigned i = 0; i < waves->count; i++) waves->items[i].state = WAVE_FREE;
    waves->first = waves->waiters = 0;
    waves->full_since = context->now;
}

// ---- forming ----

static void join(Waves *waves, Wave *wave, Warp *w)
{
    unsigned place = waves->any ? wave->count : w->group.wave_lane;
    wave->warp[place] = w;
    wave->places |= (LaneMask)1 << place;
    wave->count++;
    w->group.wave = (uint16_t)(wave - waves->items + 1);
}

static bool accepts(const Waves *waves, const Wave *wave, const Warp *w)
{
    if (wave->state != WAVE_OPEN || wave->pc != warp_pc(w)) return false;
    if (!waves->any) return wave->swid == w->banks.scalar_entry;
    return wave->scheduler == w->issue.scheduler && wave->count < waves->lanes;
}

static void open(Waves *waves, const SmContext *context, Wave *wave, Warp *w, unsigned port)
{
    *wave = (Wave){.state = WAVE_OPEN, .port = (uint8_t)port, .scheduler = w->issue.scheduler,
                   .swid = w->banks.scalar_entry, .pc = warp_pc(w), .order = ++waves->opened,
                   .since = context->now};
    join(waves, wave, w);
}

void waves_count_waiting(Waves *waves, SmContext *context, uint64_t until)
{
    context->count.groups.wave_table_full += waves->waiters * (until - waves->full_since);
    waves->full_since = until;
}

bool waves_left(const Waves *waves)
{
    bool left = waves->waiters;
    for (unsigned i = 0; i < waves->count; i++) left |= waves->items[i].state != WAVE_FREE;
    return left;
}

bool waves_join(Waves *waves, SmContext *context, Warp *w, unsigned port)
{
    Wave *free = NULL;
    for (unsigned i = 0; i < waves->count; i++) {
        Wave *wave = &waves->items[i];
        if (accepts(waves, wave, w)) {
            join(waves, wave, w);
            return true;
        }
        if (!free && wave->state == WAVE_FREE) free = wave;
    }
    if (free) {
        open(waves, context, free, w, port);
        return true;
    }
    waves_count_waiting(waves, context, context->now);
    waves->waiting[(waves->first + waves->waiters++) % waves->capacity] = w;
    return false;
}

// ---- issue ----

Wave *waves_oldest(const Waves *waves, const SmContext *context, unsigned scheduler,
                   const Operands *operands, bool late)
{
    Wave *oldest = NULL;
    for (unsigned i = 0; i < waves->count; i++) {
        Wave *wave = &waves->items[i];
        if (wave->state != WAVE_OPEN || wave->scheduler != scheduler) continue;
        if (late && context->now - wave->since < context->config.scalar->patience) continue;
        if (oldest && oldest->order < wave->order) continue;
        if (port_has_room(operands, wave->port, context->now)) oldest = wave;
    }
    return oldest;
}

void waves_group(const Waves *waves, const Wave *wave, IssueGroup *group)
{
    group->kind = GROUP_WAVE;
    group->scalar = true;
    group->wave = (uint16_t)(wave - waves->items + 1);
    group->count = 0;
    for (LaneMask m = wave->places; m; m &= m - 1) {
        unsigned place = lanes_first(m);
        group->member[group->count++] =
            (GroupMember){.warp = wave->warp[place], .place = (uint8_t)place};
    }
}

uint64_t waves_next(const Waves *waves, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < waves->count; i++) {
        const Wave *wave = &waves->items[i];
        if (wave->state != WAVE_OPEN) continue;
        if (port_has_room(operands, wave->port, now)) return now + 1;
        uint64_t free = operands->port[wave->port].latch_free;
        if (free > now && free < next) next = free;
    }
    return next;
}

// ---- end ----

// The first warp that waits opens a wave in the entry. Others that wait can join that one alone:
// they have been refused by the rest of the table.
void waves_end(Issue *issue, SmContext *context, uint16_t number)
{
    Waves *waves = &issue->waves;
    Wave *freed = &waves->items[number - 1];
    freed->state = WAVE_FREE;
    if (!waves->waiters) return;
    waves_count_waiting(waves, context, context->now);
    for (unsigned left = waves->waiters; left; left--) {
        Warp *w = waves->waiting[waves->first];
        waves->first = (waves->first + 1) % waves->capacity;
        if (freed->state == WAVE_FREE) {
            open(waves, context, freed, w, issue_port(issue, &w->ops[w->pc]));
        } else if (accepts(waves, freed, w)) {
            join(waves, freed, w);
        } else {
            waves->waiting[(waves->first + waves->waiters - 1) % waves->capacity] = w;
            continue;
        }
        waves->waiters--;
        warp_in_wave(issue, context, w);
    }
}
