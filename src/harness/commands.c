// What the commands of a script do.
#include "harness/harness_state.h"

#include "base/bits.h"
#include "hooks/core_hooks.h"
#include "hooks/gpu_hooks.h"

#include <stdlib.h>
#include <string.h>

// The largest address: those of guests, and of prefetch queues, have 48 bits.
#define ADDRESS_MAX ((UINT64_C(1) << 48) - 1)
#define CYCLE_MAX ((UINT64_C(1) << 63) - 1)
typedef unsigned long long Wide; // of a number in printf

// ---- values ----

bool word_fail(const ScriptWord *word, HdError *err, const char *expected)
{
    return hd_fail_at(err, word->file, word->line, word->column, "%.64s: expected %s", word->text,
                      expected);
}

bool command_fail(const ScriptCommand *command, HdError *err, const char *expected)
{
    const ScriptWord *word = &command->word;
    return hd_fail_at(err, word->file, word->line, word->column, "%s: expected %s",
                      script_forms[command->kind].name, expected);
}

static bool value_of(const Harness *h, const ScriptValue *from, const char *name, uint64_t max,
                     uint64_t *value, HdError *err)
{
    const ScriptWord *word = &from->word;
    if (!expression_value(&from->number, word, h->variables, value, err)) return false;
    return *value <= max ||
           hd_fail_at(err, word->file, word->line, word->column, "%s = %llu: expected at most %llu",
                      name, (Wide)*value, (Wide)max);
}

bool harness_operand(const Harness *h, const ScriptCommand *command, size_t index, uint64_t max,
                     uint64_t *value, HdError *err)
{
    const ScriptValue *operand = &command->operands[index];
    return value_of(h, operand, script_forms[command->kind].name, max, value, err);
}

bool command_option(const Harness *h, const ScriptCommand *command, ScriptOptionName name,
                    uint64_t otherwise, uint64_t *value, HdError *err)
{
    const ScriptOptionForm *form = &script_options[name];
    *value = otherwise;
    for (size_t i = 0; i < command->option_count; i++) {
        const ScriptOption *given = &command->options[i];
        if (given->name != name) continue;
        if (!form->choices) return value_of(h, &given->value, form->name, form->max, value, err);
        for (*value = 0; strcmp(form->choices[*value], given->value.word.text) != 0;) ++*value;
    }
    return true;
}

const ScriptWord *command_word(const ScriptCommand *command, ScriptOptionName name)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].name == name) return &command->options[i].value.word;
    return &command->word;
}

bool word_check_slot(const ScriptWord *word, uint64_t slot, size_t count, HdError *err)
{
    return slot < count ||
           hd_fail_at(err, word->file, word->line, word->column,
                      "slot %llu: expected one of the %zu of the SM (slots)", (Wide)slot, count);
}

// ---- kernels ----

HdKernel harness_kernel(const Harness *h, const char *name)
{
    return (HdKernel){.name = name, .cycle = h->driver.cycle, .grid = {1, 1, 1},
                      .block = {HD_LANES, 1, 1}};
}

// The work of the SM (slot < 0) or of a warp slot, as mechanisms read it.
static HdWork read_work(const void *harness, int slot)
{
    const Harness *h = harness;
    return (HdWork){.issued = slot < 0 ? h->issued : h->issued_of[slot]};
}

static void begin_kernel(Harness *h, const char *name)
{
    HdKernel kernel = harness_kernel(h, name);
    h->kernel = name;
    h->issued = 0;
    h->hooks->sm.read_work = read_work;
    h->hooks->sm.self = h;
    if (h->gpu) gpu_hooks_on_kernel(h->gpu, &kernel, true);
    cache_hooks_on_kernel(h->hooks, h->driver.cycle, &kernel, true);
}

void harness_end_kernel(Harness *h)
{
    if (!h->kernel) return;
    HdKernel kernel = harness_kernel(h, h->kernel);
    cache_hooks_on_kernel(h->hooks, h->driver.cycle, &kernel, false);
    if (h->gpu) gpu_hooks_on_kernel(h->gpu, &kernel, false);
    h->kernel = NULL;
}

// A script that begins no kernel has one, from its first event on.
bool command_needs_kernel(Harness *h, const ScriptCommand *command, HdError *err)
{
    if (h->kernel) return true;
    if (h->kernels) return command_fail(command, err, "a kernel begin before it");
    begin_kernel(h, "kernel");
    return true;
}

static bool kernel_begin(Harness *h, const ScriptCommand *command, HdError *err)
{
    if (h->kernel) return command_fail(command, err, "a kernel end before it");
    begin_kernel(h, command->operand_count ? command->operands[0].word.text : "kernel");
    return true;
}

// ---- instructions ----

static bool read_instruction(const Harness *h, const ScriptCommand *command,
                             DriverInstruction *instruction, HdError *err)
{
    uint64_t v[SCRIPT_OPTIONS] = {0};
    static const struct { ScriptOptionName name; uint64_t otherwise; } order[] = {
        {OPTION_PC, 0}, {OPTION_WARP, 0}, {OPTION_BLOCK, 0}, {OPTION_BLOCK_SLOT, 0},
        {OPTION_SM, 0}, {OPTION_LANES, UINT32_MAX}, {OPTION_BYTES, 4}, {OPTION_BYPASSES_L1, 0},
        {OPTION_CACHE, HD_L1D}, {OPTION_REQUEST_TAG, 0}, {OPTION_INSERTED_IN_L1, 1},
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (!command_option(h, command, order[i].name, order[i].otherwise, &v[order[i].name], err))
            return false;
    uint64_t warp_slot = v[OPTION_WARP] % h->hooks->slots.warps;
    if (!command_option(h, command, OPTION_WARP_SLOT, warp_slot, &v[OPTION_WARP_SLOT], err) ||
        !command_option(h, command, OPTION_STRIDE, v[OPTION_BYTES], &v[OPTION_STRIDE], err) ||
        !word_check_slot(command_word(command, OPTION_WARP_SLOT), v[OPTION_WARP_SLOT],
                         h->hooks->slots.warps, err) ||
        !word_check_slot(command_word(command, OPTION_BLOCK_SLOT), v[OPTION_BLOCK_SLOT],
                         h->hooks->slots.blocks, err))
        return false;
    if (!v[OPTION_LANES])
        return word_fail(command_word(command, OPTION_LANES), err, "at least one lane");
    if (!is_power_of_two(v[OPTION_BYTES]))
        return word_fail(command_word(command, OPTION_BYTES), err, "1, 2, 4, 8 or 16 bytes");
    if (v[OPTION_STRIDE] % v[OPTION_BYTES])
        return word_fail(command_word(command, OPTION_STRIDE), err, "a multiple of bytes");
    *instruction = (DriverInstruction){
        .cache = (HdCacheKind)v[OPTION_CACHE], .pc = (uint32_t)v[OPTION_PC],
        .lanes = (uint32_t)v[OPTION_LANES], .block = (uint32_t)v[OPTION_BLOCK],
        .stride = (uint32_t)v[OPTION_STRIDE], .bytes = (uint32_t)v[OPTION_BYTES],
        .warp = (uint16_t)v[OPTION_WARP], .warp_slot = (uint16_t)v[OPTION_WARP_SLOT],
        .block_slot = (uint16_t)v[OPTION_BLOCK_SLOT], .sm = (uint16_t)v[OPTION_SM],
        .bypasses_l1 = v[OPTION_BYPASSES_L1], .inserted_in_l1 = v[OPTION_INSERTED_IN_L1],
        .request_tag = (uint32_t)v[OPTION_REQUEST_TAG]};
    return true;
}

static bool instruction(Harness *h, const ScriptCommand *command, HdKind kind, HdError *err)
{
    DriverInstruction i;
    bool issue_only = command->kind == SCRIPT_ISSUE;
    if (!command_needs_kernel(h, command, err) || !read_instruction(h, command, &i, err))
        return false;
    i.kind = kind;
    if (kind == HD_PREFETCH) i.pc = HD_NO_PC;
    for (size_t n = issue_only; n < command->operand_count; n++) {
        uint64_t address;
        if (!harness_operand(h, command, n, ADDRESS_MAX, &address, err)) return false;
        if (address % i.bytes)
            return word_fail(&command->operands[n].word, err, "a multiple of bytes");
        if (address + (HD_LANES - 1) * (uint64_t)i.stride > ADDRESS_MAX)
            return word_fail(&command->operands[n].word, err, "all lanes below 2^48");
        driver_instruction(&h->driver, &i, address, issue_only);
    }
    return true;
}

static bool issue(Harness *h, const ScriptCommand *command, HdError *err)
{
    static const char *const kinds[] = {"load", "store", "atomic"}; // HdKind
    const ScriptWord *word = &command->operands[0].word;
    for (unsigned kind = 0; kind < 3; kind++)
        if (strcmp(word->text, kinds[kind]) == 0)
            return instruction(h, command, (HdKind)kind, err);
    return word_fail(word, err, "load, store or atomic");
}

static bool copy_back(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t address, sectors, sm;
    if (!h->hooks->copy_backs.queue)
        return command_fail(command, err, "a mechanism that copies lines back");
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, ADDRESS_MAX, &address, err) ||
        !command_option(h, command, OPTION_SECTORS, script_options[OPTION_SECTORS].max, &sectors,
                        err) ||
        !command_option(h, command, OPTION_SM, 0, &sm, err))
        return false;
    driver_copy_back(&h->driver, address, (uint8_t)sectors, (uint16_t)sm);
    return true;
}

static bool receive_prefetch(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t address, tag, slot;
    if (!command_needs_kernel(h, command, err) ||
        !harness_operand(h, command, 0, ADDRESS_MAX, &address, err) ||
        !command_option(h, command, OPTION_TAG, 0, &tag, err) ||
        !command_option(h, command, OPTION_WARP_SLOT, 0, &slot, err) ||
        !word_check_slot(command_word(command, OPTION_WARP_SLOT), slot, h->hooks->slots.warps, err))
        return false;
    return driver_receive_prefetch(&h->driver, address,
                                   (PrefetchTag){(uint32_t)tag, (uint16_t)slot}) ||
           command_fail(command, err, "a mechanism at both levels that prefetches into the L2");
}

// ---- fills and prefetches ----

static bool wait(Harness *h, const ScriptCommand *command, HdError *err)
{
    Driver *driver = &h->driver;
    uint64_t cycles;
    if (!harness_operand(h, command, 0, ADDRESS_MAX, &cycles, err)) return false;
    if (driver->cycle > CYCLE_MAX - cycles)
        return command_fail(command, err, "a cycle below 2^63 after it");
    if (h->kernel || driver->level != HOOK_L1) driver_wait(driver, cycles);
    else driver->cycle += cycles; // an SM ends periods at the next kernel's beginning
    return true;
}

static bool fills(Harness *h, const ScriptCommand *command, HdError *err)
{
    const ScriptWord *word = &command->operands[0].word;
    bool at_once = strcmp(word->text, "at-once") == 0;
    if (!at_once && strcmp(word->text, "on-command") != 0)
        return word_fail(word, err, "at-once or on-command");
    if (at_once && h->driver.fetch_count)
        return command_fail(command, err, "a fill all before it, because data are pending");
    h->driver.fills_at_once = at_once;
    return true;
}

static bool fill(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t tag, address;
    int64_t index = h->driver.fetch_count ? 0 : -1;
    if (!command_option(h, command, OPTION_REPLY_TAG, 0, &tag, err)) return false;
    if (command->operand_count) {
        if (!harness_operand(h, command, 0, ADDRESS_MAX, &address, err)) return false;
        index = driver_find_fetch(&h->driver, address);
    }
    if (index < 0)
        return command_fail(command, err, h->driver.fills_at_once
                                              ? "fills on-command before the access"
                                              : "an access whose data are pending");
    do driver_fill(&h->driver, (size_t)index, (uint32_t)tag);
    while (command->kind == SCRIPT_FILL_ALL && h->driver.fetch_count);
    return true;
}

static bool prefetches(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t most = UINT64_MAX;
    if (command->operand_count && !harness_operand(h, command, 0, UINT64_MAX, &most, err))
        return false;
    if (!h->hooks->prefetches)
        return command_fail(command, err, "a mechanism with a prefetch queue");
    for (uint64_t i = 0; i < most && driver_prefetch(&h->driver);) i++;
    return true;
}

static bool invalidate(Harness *h, const ScriptCommand *command, HdError *err)
{
    if (h->driver.fetch_count)
        return command_fail(command, err, "a fill all before it, because data are pending");
    cache_invalidate(h->cache);
    return true;
}

static bool allocation(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t address, bytes;
    if (!harness_operand(h, command, 0, ADDRESS_MAX, &address, err) ||
        !harness_operand(h, command, 1, ADDRESS_MAX + 1 - address, &bytes, err))
        return false;
    switch (script_memory_allocate(&h->driver.memory, address, bytes)) {
    case SCRIPT_MEMORY_FULL: return command_fail(command, err, "at most 65535 of them");
    case SCRIPT_MEMORY_OVERLAP:
        return word_fail(&command->operands[0].word, err, "an allocation that overlaps no other");
    case SCRIPT_MEMORY_HOST: return hd_fail_memory(err, "running a script");
    default: return true;
    }
}

static bool memory(Harness *h, const ScriptCommand *command, HdError *err)
{
    Driver *driver = &h->driver;
    uint64_t address, value;
    size_t words = command->operand_count - 1;
    if (!harness_operand(h, command, 0, ADDRESS_MAX + 1 - words * sizeof(uint32_t), &address, err))
        return false;
    if (address % sizeof(uint32_t))
        return word_fail(&command->operands[0].word, err, "a multiple of 4");
    driver->work += words;
    for (size_t i = 0; i < words; i++) {
        if (!harness_operand(h, command, 1 + i, UINT32_MAX, &value, err)) return false;
        ScriptMemoryOutcome outcome = script_memory_write(
            &driver->memory, address + i * sizeof(uint32_t), (uint32_t)value);
        if (outcome == SCRIPT_MEMORY_FULL)
            return word_fail(&command->operands[0].word, err, "words in at most 1048576 lines");
        if (outcome != SCRIPT_MEMORY_DONE) return hd_fail_memory(err, "running a script");
    }
    return true;
}

// ---- the host ----

static bool need_host(const Harness *h, const ScriptCommand *command, HdError *err)
{
    return !h->kernel ||
           command_fail(command, err, "it before the first event, or behind a kernel end");
}

// A released allocation keeps its number, without bytes.
static bool release(Harness *h, const ScriptCommand *command, HdError *err)
{
    uint64_t address;
    if (!need_host(h, command, err) || !harness_operand(h, command, 0, ADDRESS_MAX, &address, err))
        return false;
    uint64_t bytes = script_memory_release(&h->driver.memory, address);
    if (!bytes) return word_fail(&command->operands[0].word, err, "the start of an allocation");
    cache_hooks_on_release(h->hooks, address, bytes);
    if (h->gpu) cache_hooks_on_release(h->gpu, address, bytes);
    return true;
}

static uint64_t allocated(const HdCall *call, uint64_t address)
{
    return driver_allocated(call->memory, address);
}

static bool call(Harness *h, const ScriptCommand *command, HdError *err)
{
    const ScriptWord *mechanism = &command->operands[0].word, *verb = &command->operands[1].word;
    uint64_t values[HD_CALL_VALUES];
    HdCall made = {.verb = verb->text, .values = values, .count = command->operand_count - 2,
                   .allocated = allocated, .memory = &h->driver};
    bool takes = false;
    if (!need_host(h, command, err)) return false;
    if (made.count > HD_CALL_VALUES)
        return word_fail(verb, err, "at most 8 values (HD_CALL_VALUES)");
    for (size_t i = 0; i < made.count; i++)
        if (!harness_operand(h, command, i + 2, UINT64_MAX, &values[i], err)) return false;
    if (!cache_hooks_on_call(h->hooks, mechanism->text, &made, &takes) && h->gpu)
        cache_hooks_on_call(h->gpu, mechanism->text, &made, &takes);
    return takes || word_fail(mechanism, err, "the name of a mechanism with a hook on_call");
}

// ---- the GPU ----

static bool quantum(Harness *h, const ScriptCommand *command, HdError *err)
{
    if (!h->gpu) return command_fail(command, err, "a mechanism with hooks at the GPU");
    if (!command_needs_kernel(h, command, err)) return false;
    bool again = h->gpu->reconsider.warps; // since the quantum before
    h->gpu->reconsider.warps = false;
    CacheHooks *const *places[HOOK_CACHES] = {NULL};
    places[h->driver.level] = &h->hooks;
    gpu_hooks_on_quantum(h->gpu, places[HOOK_L1], places[HOOK_L2],
                         &(HdQuantum){h->driver.cycle, 1, 1});
    h->hooks->reconsider.warps |= again;
    return true;
}

// ---- commands ----

static bool is_of_level(const Harness *h, const ScriptCommand *command, HdError *err)
{
    ScriptKind kind = command->kind;
    bool l1 = kind == SCRIPT_ISSUE || kind == SCRIPT_SLOTS ||
              (kind >= SCRIPT_BLOCK_START && kind <= SCRIPT_TURN);
    if (l1 && h->driver.level != HOOK_L1) return command_fail(command, err, "cache l1");
    bool l2 = kind == SCRIPT_PREFETCH || kind == SCRIPT_RECEIVE_PREFETCH ||
              kind == SCRIPT_COPY_BACK;
    if (l2 && h->driver.level != HOOK_L2)
        return command_fail(command, err, "cache l2");
    return true;
}

bool harness_command(Harness *h, const ScriptCommand *command, HdError *err)
{
    if (!is_of_level(h, command, err)) return false;
    switch (command->kind) {
    case SCRIPT_FILLS: return fills(h, command, err);
    case SCRIPT_ALLOCATION: return allocation(h, command, err);
    case SCRIPT_RELEASE: return release(h, command, err);
    case SCRIPT_CALL: return call(h, command, err);
    case SCRIPT_MEMORY: return memory(h, command, err);
    case SCRIPT_LET:
        return harness_operand(h, command, 1, UINT64_MAX, &h->variables[command->variable], err);
    case SCRIPT_LOAD: return instruction(h, command, HD_LOAD, err);
    case SCRIPT_STORE: return instruction(h, command, HD_STORE, err);
    case SCRIPT_ATOMIC: return instruction(h, command, HD_ATOMIC, err);
    case SCRIPT_PREFETCH: return instruction(h, command, HD_PREFETCH, err);
    case SCRIPT_ISSUE: return issue(h, command, err);
    case SCRIPT_RETRY:
        return driver_retry(&h->driver) ||
               command_fail(command, err, "an access before it that has stalled");
    case SCRIPT_RECEIVE_PREFETCH: return receive_prefetch(h, command, err);
    case SCRIPT_COPY_BACK: return copy_back(h, command, err);
    case SCRIPT_FILL:
    case SCRIPT_FILL_ALL: return fill(h, command, err);
    case SCRIPT_PREFETCHES: return prefetches(h, command, err);
    case SCRIPT_WAIT: return wait(h, command, err);
    case SCRIPT_QUANTUM: return quantum(h, command, err);
    case SCRIPT_INVALIDATE: return invalidate(h, command, err);
    case SCRIPT_KERNEL_BEGIN: return kernel_begin(h, command, err);
    case SCRIPT_KERNEL_END:
        if (!h->kernel) return command_fail(command, err, "a kernel that runs");
        harness_end_kernel(h);
        return true;
    default: return harness_pipeline_command(h, command, err);
    }
}
