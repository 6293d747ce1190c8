// Runs a script with mechanisms.
#include "harness/harness_state.h"

#include "base/memory.h"
#include "hooks/gpu_hooks.h"
#include "mechanisms/mechanism_registry.h"

#include <stdlib.h>
#include <string.h>

// Slots of an SM: those of compute capability 2.x.
enum { ORIGIN_TEXT = 1024, ASSIGNMENT_TEXT = 512, SEED = 1, WARPS = 48, BLOCKS = 8,
       SCHEDULERS = 2 };

// ---- the cache ----

static const ConfigSection sections[] = {
    {"cache", cache_parameters, 0, "The cache of a script."}, {0}};
static const ConfigSchema schema = {sections, sizeof(CacheConfig)};

// What differs from the defaults of the table, as on the machines.
static const char *const l2_defaults[] = {"cache.sector=32B", "cache.write=back",
                                          "cache.write_miss=lazy", NULL};

// Reads the command `cache`, if the script begins with it.
static bool read_cache(Harness *h, HdError *err)
{
    const ScriptCommand *command = h->script->count ? &h->script->commands[0] : NULL;
    if (command && command->kind != SCRIPT_CACHE) command = NULL;
    h->config = config_new(&schema, err);
    if (!h->config) return false;
    const ScriptWord *level = command ? &command->operands[0].word : NULL;
    bool l2 = level && strcmp(level->text, "l2") == 0;
    if (level && !l2 && strcmp(level->text, "l1") != 0)
        return hd_fail_at(err, level->file, level->line, level->column,
                          "cache: '%.64s': expected l1 or l2", level->text);
    h->driver.level = l2 ? HOOK_L2 : HOOK_L1;
    for (size_t i = 0; l2 && l2_defaults[i]; i++)
        if (!config_set(h->config, l2_defaults[i], "default", err)) return false;
    for (size_t i = 1; command && i < command->operand_count; i++) {
        const ScriptWord *word = &command->operands[i].word;
        char origin[ORIGIN_TEXT], assignment[ASSIGNMENT_TEXT];
        if (!strchr(word->text, '='))
            return hd_fail_at(err, word->file, word->line, word->column,
                              "cache: '%.64s': expected KEY=VALUE", word->text);
        snprintf(origin, sizeof origin, "%s:%d:%d", word->file, word->line, word->column);
        snprintf(assignment, sizeof assignment, "cache.%.256s", word->text);
        if (!config_set(h->config, assignment, origin, err)) return false;
    }
    h->driver.config = config_target(h->config);
    if (l2 && h->driver.config->bypass_mshr != BYPASS_MSHR_ON)
        return hd_fail_at(err, level->file, level->line, command->word.column,
                          "cache: bypass_mshr = off: expected on; only an l1 can do without");
    if (h->driver.config->sector < SECTOR_BYTES) // a command, because the default is larger
        return hd_fail_at(err, level->file, level->line, command->word.column,
                          "cache: sector = %lluB: expected at least 32B, as in a machine",
                          (unsigned long long)h->driver.config->sector);
    HdError why;
    h->cache = cache_new(h->driver.config, "cache", SEED, &why);
    if (!h->cache)
        return command ? hd_fail_at(err, level->file, level->line, command->word.column, "%s",
                                    why.text)
                       : hd_fail(err, "%s", why.text);
    if (l2) cache_set_last_level(h->cache);
    return true;
}

static bool attach_mechanisms(Harness *h, HdError *err)
{
    HookLevel level = h->driver.level;
    if (!plan_read(&h->plan, h->mechanisms, mechanism_find, err)) return false;
    // The L2 of sectored L1s is sectored too.
    bool any = !h->plan.count ||
               (level == HOOK_L2 && plan_is_sectored(&h->plan, HOOK_L1));
    for (size_t i = 0; i < h->plan.count; i++) any |= plan_applies(&h->plan.items[i], level);
    if (!any)
        return hd_fail(err, "%s: cache %s: no hook of '%.256s' applies there: expected cache %s, "
                            "or another value of the parameter levels",
                       h->script->file, hook_level_name(level), h->mechanisms,
                       hook_level_name(level == HOOK_L1 ? HOOK_L2 : HOOK_L1));
    const SmSlots slots = {WARPS, BLOCKS, SCHEDULERS, 1};
    h->observed = observer_watch(&h->plan, &h->record);
    if (!h->observed) return hd_fail_memory(err, "attaching mechanisms");
    if (!cache_hooks_new(&h->hooks, &h->plan, level, 0, SEED, err) ||
        !cache_attach(h->cache, h->hooks, err) ||
        !cache_hooks_set_slots(h->hooks, slots, err) ||
        !gpu_hooks_new(&h->gpu, &h->plan, 1, 1, SEED, err) ||
        (h->gpu && !cache_hooks_set_slots(h->gpu, slots, err)))
        return false;
    cache_hooks_set_place_count(h->hooks, 1);
    observer_attach(h->hooks);
    h->driver.cache = h->cache;
    h->driver.hooks = h->hooks;
    h->driver.record = &h->record;
    return driver_init(&h->driver, err);
}

static bool start(Harness *h, HdError *err)
{
    if (!read_cache(h, err) || !attach_mechanisms(h, err)) return false;
    h->variables = hd_new(h->script->variables, sizeof *h->variables);
    h->passes = hd_new(h->script->count, sizeof *h->passes);
    if (!h->variables || !h->passes) return hd_fail_memory(err, "running a script");
    h->variables[SCRIPT_LINE_VARIABLE] = h->driver.config->line;
    for (size_t i = 0; i < h->script->count; i++)
        h->kernels |= h->script->commands[i].kind == SCRIPT_KERNEL_BEGIN;
    return true;
}

static void stop(Harness *h)
{
    driver_free(&h->driver);
    if (h->cache) cache_free(h->cache);
    cache_hooks_free(h->hooks);
    cache_hooks_free(h->gpu);
    plan_free(&h->plan);
    free(h->observed);
    config_free(h->config);
    record_free(&h->record);
    free(h->variables);
    free(h->passes);
}

// ---- the run ----

// Starts or ends a pass of a repeat: *next is the index of the next command.
static bool repeat(Harness *h, size_t index, size_t *next, HdError *err)
{
    const ScriptCommand *command = &h->script->commands[index];
    if (command->kind == SCRIPT_END) {
        const ScriptCommand *begin = &h->script->commands[command->partner];
        if (!--h->passes[command->partner]) return true;
        if (begin->variable != SCRIPT_NO_VARIABLE) h->variables[begin->variable]++;
        *next = command->partner + 1;
        return true;
    }
    if (!harness_operand(h, command, 0, UINT64_MAX, &h->passes[index], err)) return false;
    if (command->variable != SCRIPT_NO_VARIABLE) h->variables[command->variable] = 0;
    if (!h->passes[index]) *next = command->partner + 1;
    return true;
}

static HarnessResult fail_work(const Harness *h, const ScriptWord *word, HdError *err)
{
    hd_fail_at(err, word->file, word->line, word->column,
               "the script has done the work of %llu commands: expected fewer repeats and shorter "
               "waits",
               (unsigned long long)h->driver.work_limit);
    return HARNESS_FAILED;
}

enum { WORK_OF_COUNTER = 16 }; // which is searched by its name

static HarnessResult execute(Harness *h, HdError *err)
{
    const Script *script = h->script;
    Driver *driver = &h->driver;
    for (size_t i = 0, next; i < script->count; i = next) {
        const ScriptCommand *command = &script->commands[i];
        const ScriptWord *word = &command->word;
        bool expects = command->kind >= SCRIPT_EXPECT;
        next = i + 1;
        driver->work += command->kind == SCRIPT_EXPECT_COUNTER ? WORK_OF_COUNTER : 1;
        if (driver_overworked(driver)) return fail_work(h, word, err);
        if (command->kind == SCRIPT_REPEAT || command->kind == SCRIPT_END) {
            if (!repeat(h, i, &next, err)) return HARNESS_FAILED;
            continue;
        }
        if (expects) {
            HarnessResult result = harness_expect(h, command, err);
            if (result != HARNESS_MET) return result;
            continue;
        }
        record_clear(&h->record);
        h->last_line = word->line;
        record_command(&h->record, word->line, word->text);
        if (!harness_command(h, command, err)) return HARNESS_FAILED;
        if (driver_overworked(driver)) return fail_work(h, word, err);
        if (h->hooks->reconsider.warps) record_print(&h->record, "hd_reconsider");
        h->hooks->reconsider.warps = h->hooks->reconsider.order =
            h->hooks->reconsider.blocks = false;
        if (h->hooks->wrong.what != WRONG_NONE) {
            hd_fail_at(err, word->file, word->line, word->column, "mechanism %s: %s",
                       h->hooks->wrong.author, wrong_answer_text(h->hooks->wrong.what));
            return HARNESS_FAILED;
        }
        if (h->record.failed || !cache_hooks_complete(h->hooks)) {
            hd_fail_memory(err, "running a script");
            return HARNESS_FAILED;
        }
    }
    return HARNESS_MET;
}

HarnessResult harness_run(const Script *script, const HarnessOptions *options, HdError *err)
{
    Harness *h = hd_new(1, sizeof *h);
    if (!h) {
        hd_fail_memory(err, "running a script");
        return HARNESS_FAILED;
    }
    h->script = script;
    h->mechanisms = options->mechanisms;
    h->driver.work_limit = options->commands ? options->commands : HARNESS_COMMANDS;
    h->record.out = options->out;
    HarnessResult result = start(h, err) ? execute(h, err) : HARNESS_FAILED;
    if (result == HARNESS_MET) {
        record_clear(&h->record);
        harness_end_kernel(h);
        harness_print_summary(h);
    }
    stop(h);
    free(h);
    return result;
}
