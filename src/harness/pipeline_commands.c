// What the commands of a script about the pipeline of an SM do: its slots, blocks and warps, and
// what mechanisms decide about them.
#include "harness/harness_state.h"

#include "hooks/core_hooks.h"

#include <string.h>

// Of the SM.
static unsigned schedulers_of(const Harness *h) { return h->hooks->items->place.schedulers; }

static bool check_scheduler(const Harness *h, const ScriptWord *word, uint64_t scheduler,
                            HdError *err)
{
    return scheduler < schedulers_of(h) ||
           hd_fail_at(err, word->file, word->line, word->column,
                      "scheduler %llu: expected one of the %u of the SM (slots)",
                      (unsigned long long)scheduler, schedulers_of(h));
}

static bool slots(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t warps, blocks, schedulers;
    if (h->hooks->launch) return command_fail(command, err, "it before all events");
    if (!harness_operand(h, command, 0, HD_MAX_WARPS, &warps, err) ||
        !harness_operand(h, command, 1, HD_MAX_WARPS, &blocks, err) ||
        !command_option(h, command, OPTION_SCHEDULERS, schedulers_of(h), &schedulers, err))
        return false;
    if (!warps || !blocks || !schedulers)
        return command_fail(command, err, "at least one of each");
    if (schedulers > HD_MAX_WARPS)
        return word_fail(command_word(command, OPTION_SCHEDULERS), err, "at most 512 schedulers");
    SmSlots set = {(unsigned)warps, (unsigned)blocks, (unsigned)schedulers, 1};
    return cache_hooks_set_slots(h->hooks, set, err) &&
           (!h->gpu || cache_hooks_set_slots(h->gpu, set, err));
}

static bool block(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t number, slot, warps;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, UINT64_MAX, &number, err) ||
        !command_option(h, command, OPTION_SLOT, 0, &slot, err) ||
        !command_option(h, command, OPTION_WARPS, 1, &warps, err) ||
        !word_check_slot(command_word(command, OPTION_SLOT), slot, h->hooks->slots.blocks, err))
        return false;
    if (core_hooks_want(h->hooks, CORE_BLOCKS))
        core_hooks_on_block(h->hooks, &(HdBlock){.number = number, .cycle = h->driver.cycle,
                                                 .slot = (uint32_t)slot, .warps = (uint32_t)warps},
                            command->kind == SCRIPT_BLOCK_START);
    return true;
}

static bool block_limit(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t fit;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, UINT32_MAX, &fit, err))
        return false;
    HdKernel kernel = harness_kernel(h, h->kernel);
    uint32_t limit = core_hooks_decide_block_limit(h->hooks, &kernel, (uint32_t)fit);
    record_print(&h->record, "block limit: %u", limit);
    return true;
}

// The index of the started warp with this slot, or warp_count.
static unsigned find_warp(const Harness *h, uint64_t slot)
{
    unsigned i = 0;
    while (i < h->warp_count && h->warps[i].slot != slot) i++;
    return i;
}

enum { WARPS_PER_WORK = 32 }; // that a command goes over

static void report_warp(Harness *h, HdWarp warp, bool starts)
{
    warp.cycle = h->driver.cycle;
    if (core_hooks_want(h->hooks, CORE_WARPS)) core_hooks_on_warp(h->hooks, &warp, starts);
}

static bool warp_start(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t slot, age, scheduler, block_slot, index;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, HD_MAX_WARPS - 1, &slot, err) ||
        !command_option(h, command, OPTION_AGE, h->age, &age, err) ||
        !command_option(h, command, OPTION_SCHEDULER, 0, &scheduler, err) ||
        !command_option(h, command, OPTION_BLOCK_SLOT, 0, &block_slot, err) ||
        !command_option(h, command, OPTION_INDEX, 0, &index, err) ||
        !check_scheduler(h, command_word(command, OPTION_SCHEDULER), scheduler, err) ||
        !word_check_slot(&command->operands[0].word, slot, h->hooks->slots.warps, err) ||
        !word_check_slot(command_word(command, OPTION_BLOCK_SLOT), block_slot,
                         h->hooks->slots.blocks, err))
        return false;
    if (find_warp(h, slot) < h->warp_count)
        return word_fail(&command->operands[0].word, err, "a slot without a warp");
    HdWarp warp = {.age = age, .slot = (uint16_t)slot, .scheduler = (uint16_t)scheduler,
                   .block = (uint16_t)block_slot, .index = (uint16_t)index};
    h->driver.work += h->warp_count / WARPS_PER_WORK;
    unsigned at = h->warp_count++;
    for (; at && h->warps[at - 1].age > age; at--) h->warps[at] = h->warps[at - 1];
    h->warps[at] = warp;
    h->waits[slot] = HD_READY;
    h->issued_of[slot] = 0;
    h->has_room[slot] = true;
    if (h->age <= age && age < UINT64_MAX) h->age = age + 1;
    report_warp(h, warp, true);
    return true;
}

static bool warp_end(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t slot;
    if (!harness_operand(h, command, 0, HD_MAX_WARPS - 1, &slot, err)) return false;
    unsigned at = find_warp(h, slot);
    if (at == h->warp_count)
        return word_fail(&command->operands[0].word, err, "the slot of a warp that has started");
    HdWarp warp = h->warps[at];
    h->warp_count--;
    h->waits[slot] = HD_NO_WARP;
    memmove(&h->warps[at], &h->warps[at + 1], (h->warp_count - at) * sizeof *h->warps);
    report_warp(h, warp, false);
    return true;
}

static bool issued(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t count, slot;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, UINT32_MAX, &count, err) ||
        !command_option(h, command, OPTION_WARP_SLOT, HD_MAX_WARPS, &slot, err))
        return false;
    if (slot == HD_MAX_WARPS) {
        h->issued = count;
        return true;
    }
    if (!word_check_slot(command_word(command, OPTION_WARP_SLOT), slot, h->hooks->slots.warps, err))
        return false;
    h->issued_of[slot] = count;
    return true;
}

// All started warps, as a question is about them.
static HdWarps asked_warps(Harness *h, uint64_t schedulers, uint64_t committed)
{
    h->driver.work += h->warp_count / WARPS_PER_WORK;
    return (HdWarps){.warps = h->warps, .count = h->warp_count,
                     .schedulers = (unsigned)schedulers, .cycle = h->driver.cycle,
                     .committed = committed};
}

static bool issuable(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t schedulers, committed;
    if (!command_needs_kernel(h, command, err) ||
        !command_option(h, command, OPTION_SCHEDULERS, 1, &schedulers, err) ||
        !command_option(h, command, OPTION_COMMITTED, 0, &committed, err))
        return false;
    HdIssuable allowed;
    HdWarps warps = asked_warps(h, schedulers, committed);
    core_hooks_decide_issuable(h->hooks, &warps, &allowed);
    for (unsigned i = 0; i < h->warp_count; i++) {
        uint16_t slot = h->warps[i].slot;
        bool any = hd_warps_have(&allowed.anything, slot);
        bool loads = any && hd_warps_have(&allowed.loads, slot);
        record_print(&h->record, "warp %u: %s", slot,
                     loads ? "may issue"
                     : any ? "may issue, but no loads"
                           : "throttled");
        if (any) record_number(&h->record, RECORDED_ISSUABLE, slot);
        if (loads) record_number(&h->record, RECORDED_LOADS, slot);
    }
    return true;
}

// Prints the started warps in the order that a mechanism gives them.
static bool order(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t committed;
    if (!command_needs_kernel(h, command, err) ||
        !command_option(h, command, OPTION_COMMITTED, 0, &committed, err))
        return false;
    HdOrder answer;
    HdWarps warps = asked_warps(h, schedulers_of(h), committed);
    if (!core_hooks_decide_order(h->hooks, &warps, &answer)) {
        record_print(&h->record, "order: by core.policy");
        return true;
    }
    bool listed[HD_MAX_WARPS] = {false};
    h->driver.work += (uint64_t)h->warp_count * h->warp_count / WARPS_PER_WORK;
    for (unsigned n = 0; n < h->warp_count; n++) {
        const HdWarp *first = NULL; // of the warps that are left; of equal ranks the oldest
        for (const HdWarp *w = h->warps; w < h->warps + h->warp_count; w++)
            if (!listed[w->slot] && (!first || answer.rank[w->slot] < answer.rank[first->slot]))
                first = w;
        listed[first->slot] = true;
        record_print(&h->record, "warp %u: rank %u", first->slot, answer.rank[first->slot]);
        record_number(&h->record, RECORDED_ORDER, first->slot);
    }
    return true;
}

// Sets what the next instruction of a warp waits for.
static bool warp_waits(Harness *h, const ScriptCommand *command, HdError *err)
{
    static const struct { const char *word; HdWarpWait wait; bool has_room; } waits[] = {
        {"nothing", HD_READY, true}, {"port", HD_READY, false}, {"wave", HD_WAITS_WAVE, false},
        {"fetch", HD_WAITS_FETCH, false}, {"entry", HD_WAITS_ENTRY, false},
        {"result", HD_WAITS_RESULT, false}, {"memory", HD_WAITS_MEMORY, false},
        {"barrier", HD_WAITS_BARRIER, false}, {"throttled", HD_THROTTLED, false}};
    enum { WAITS = sizeof waits / sizeof *waits };
    uint64_t slot;
    if (!harness_operand(h, command, 0, HD_MAX_WARPS - 1, &slot, err)) return false;
    if (find_warp(h, slot) == h->warp_count)
        return word_fail(&command->operands[0].word, err, "the slot of a warp that has started");
    const ScriptWord *word = &command->operands[1].word;
    size_t i = 0;
    while (i < WAITS && strcmp(waits[i].word, word->text) != 0) i++;
    if (i == WAITS)
        return word_fail(word, err, "nothing, port, wave, fetch, entry, result, memory, barrier or "
                                    "throttled");
    h->waits[slot] = (uint8_t)waits[i].wait;
    h->has_room[slot] = waits[i].has_room;
    return true;
}

static bool turn(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t scheduler, last;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, UINT16_MAX, &scheduler, err))
        return false;
    if (!check_scheduler(h, &command->operands[0].word, scheduler, err)) return false;
    HdWarp warps[HD_MAX_WARPS];
    HdWarpSet candidates = {{0}};
    unsigned count = 0;
    bool any = false; // candidates
    for (unsigned i = 0; i < h->warp_count; i++) {
        const HdWarp *w = &h->warps[i];
        if (w->scheduler != scheduler) continue;
        warps[count++] = *w;
        if (h->waits[w->slot] != HD_READY || !h->has_room[w->slot]) continue;
        hd_warps_add(&candidates, w->slot);
        any = true;
    }
    if (!count) return word_fail(&command->operands[0].word, err, "a scheduler with warps");
    h->driver.work += h->warp_count / WARPS_PER_WORK;
    if (!command_option(h, command, OPTION_LAST, h->last[scheduler], &last, err) ||
        !word_check_slot(command_word(command, OPTION_LAST), last, h->hooks->slots.warps, err))
        return false;
    HdTurn asked = {.cycle = h->driver.cycle, .warps = warps, .count = count,
                    .scheduler = (unsigned)scheduler, .last = (uint16_t)last,
                    .candidates = &candidates, .waits = h->waits};
    const HookedMechanism *author;
    HdChoice choice = core_hooks_decide_warp(h->hooks, &asked, &author);
    if (!any) choice = HD_ISSUE_NONE; // whatever it answers
    if (choice == HD_PASS) record_print(&h->record, "issues: by the order");
    else if (choice == HD_ISSUE_NONE) record_print(&h->record, "issues nothing");
    else record_print(&h->record, "issues warp %u", choice - 1);
    if (choice != HD_PASS && choice != HD_ISSUE_NONE) h->last[scheduler] = (uint16_t)(choice - 1);
    return true;
}

bool harness_pipeline_command(Harness *h, const ScriptCommand *command, HdError *err)
{
    switch (command->kind) {
    case SCRIPT_SLOTS: return slots(h, command, err);
    case SCRIPT_BLOCK_START:
    case SCRIPT_BLOCK_END: return block(h, command, err);
    case SCRIPT_BLOCK_LIMIT: return block_limit(h, command, err);
    case SCRIPT_WARP_START: return warp_start(h, command, err);
    case SCRIPT_WARP_END: return warp_end(h, command, err);
    case SCRIPT_ISSUED: return issued(h, command, err);
    case SCRIPT_WARP_WAITS: return warp_waits(h, command, err);
    case SCRIPT_ISSUABLE: return issuable(h, command, err);
    case SCRIPT_ORDER: return order(h, command, err);
    case SCRIPT_TURN: return turn(h, command, err);
    default: return true;
    }
}
