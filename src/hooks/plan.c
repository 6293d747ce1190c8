// Reading what --mechanism says.
#include "hooks/plan.h"

#include "base/memory.h"
#include "config/parameter.h"
#include "hooks/parameter_text.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hook_level_name(HookLevel level)
{
    static const char *const names[HOOK_LEVELS] = {"l1", "l2", "gpu"};
    return names[level];
}

// ---- mechanisms ----

// Reads one mechanism of the text, `word`, which is changed.
static bool read_one(HookPlan *plan, char *word, bool after, MechanismFinder *find, HdError *err)
{
    // A colon in front of the last slash belongs to the path.
    char *slash = strrchr(word, '/'), *colon = strchr(slash ? slash : word, ':');
    if (colon) *colon = 0;
    if (strcmp(word, "none") == 0)
        return hd_fail(err, "--mechanism: expected none alone: it is the machine without "
                            "mechanisms, and has no parameters");
    PlannedMechanism *planned = &plan->items[plan->count];
    *planned = (PlannedMechanism){.after = after};
    planned->mechanism = find(word, &planned->library, err);
    if (!planned->mechanism) return false;
    plan->count++;
    planned->given = colon ? strdup(colon + 1) : NULL;
    return !colon || planned->given || hd_fail_memory(err, "reading --mechanism");
}

unsigned levels_of_choice(const char *choice)
{
    return strcmp(choice, "l1") == 0      ? HD_L1
           : strcmp(choice, "l2") == 0    ? HD_L2
           : strcmp(choice, "l1,l2") == 0 ? HD_L1 | HD_L2
                                          : 0;
}

// Sets the parameters as declared, changed by the configuration, changed by the text; and the
// levels that they give.
static bool settle_one(const HookPlan *plan, PlannedMechanism *planned, const Config *config,
                       HdError *err)
{
    const HdMechanism *mechanism = planned->mechanism;
    size_t count = parameter_count(mechanism->parameters);
    for (size_t i = 0; i < count; i++) planned->parameters[i] = mechanism->parameters[i].value;
    // Of several mechanisms of one name, the first has the section of that name.
    const PlannedMechanism *first = plan->items;
    while (strcmp(first->mechanism->name, mechanism->name) != 0) first++;
    if (config && first->mechanism->parameters == mechanism->parameters)
        memcpy(planned->parameters, config_section_values(config, mechanism->name),
               count * sizeof *planned->parameters);
    if (planned->given &&
        !parameter_text_read(mechanism, planned->given, planned->parameters, NULL, err))
        return false;
    size_t index;
    planned->levels = mechanism->levels ? mechanism->levels : HD_L1 | HD_L2;
    if (!mechanism->levels && parameter_find(mechanism->parameters, LEVELS_PARAMETER, &index)) {
        const char *const *choices = mechanism->parameters[index].choices;
        planned->levels = levels_of_choice(choices[(int)planned->parameters[index]]);
    }
    const char *why = mechanism->check ? mechanism->check(planned->parameters) : NULL;
    return !why || hd_fail(err, "--mechanism %s: %s", mechanism->name, why);
}

static const HdHooks no_hooks;
static const HdCoreHooks no_core_hooks;
static const HdGpuHooks no_gpu_hooks;
static const HdEngineHooks no_engine;

const HdHooks *plan_hooks(const PlannedMechanism *planned, HookLevel level)
{
    const HdMechanism *mechanism = planned->mechanism;
    if (level == HOOK_GPU || !(planned->levels & hook_level_flag(level))) return &no_hooks;
    return level == HOOK_L1 ? &mechanism->l1 : &mechanism->l2;
}

bool plan_has_engine(const HdMechanism *mechanism)
{
    return memcmp(&mechanism->engine, &no_engine, sizeof no_engine) != 0;
}

bool plan_applies(const PlannedMechanism *planned, HookLevel level)
{
    if (level == HOOK_GPU)
        return memcmp(&planned->mechanism->gpu, &no_gpu_hooks, sizeof no_gpu_hooks) != 0;
    const HdCoreHooks *core = level == HOOK_L1 ? &planned->mechanism->core : &no_core_hooks;
    const HdMechanism *mechanism = planned->mechanism;
    if (level == HOOK_L2 && mechanism->prefetch.into_l2) return true;
    if (level == HOOK_L2 && plan_has_engine(mechanism)) return true;
    return memcmp(plan_hooks(planned, level), &no_hooks, sizeof no_hooks) != 0 ||
           memcmp(core, &no_core_hooks, sizeof no_core_hooks) != 0;
}

bool plan_prefetches(const PlannedMechanism *planned, HookLevel level)
{
    const HdStructure *s = planned->mechanism->structures;
    for (; s && s->name && plan_applies(planned, level); s++)
        if (s->extent == HD_PREFETCH_QUEUE && hook_is_at(s, level)) return true;
    return false;
}

// The decisions of mechanisms, and their names in messages.
static const struct Question {
    size_t hook; // offset in HdHooks
    const char *what;
} questions[] = {
    {offsetof(HdHooks, decide_insert), "where to insert fills of the %s"},
    {offsetof(HdHooks, decide_victim), "which line of the %s makes room"},
    {offsetof(HdHooks, decide_fetch), "which sectors of a line to fetch into the %s"},
    {offsetof(HdHooks, decide_clean_eviction), "where to send victims of the %s"},
    {offsetof(HdHooks, decide_after_hit), "whether a line stays in the %s after a hit"},
    {offsetof(HdHooks, decide_stall), "what a load does that stalls at the %s"},
}, core_questions[] = { // in HdCoreHooks
    {offsetof(HdCoreHooks, decide_block_limit), "how many blocks an SM holds"},
    {offsetof(HdCoreHooks, decide_issuable), "which warps issue"},
    {offsetof(HdCoreHooks, decide_order), "in which order warps issue"},
    {offsetof(HdCoreHooks, decide_warp), "which warp a scheduler issues"},
    {offsetof(HdCoreHooks, decide_move), "what a load becomes"},
};
// Questions of a hold point, which has one owner.
static const struct Question hold_question =
    {offsetof(HdCoreHooks, decide_queue), "hold accesses in front of the L1D"};

// hooks: HdHooks or HdCoreHooks.
static bool decides(const void *hooks, const struct Question *q)
{
    static const unsigned char none[sizeof(void (*)(void))];
    return memcmp((const char *)hooks + q->hook, none, sizeof none) != 0;
}

static bool decides_any(const void *hooks, const struct Question *all, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) any = any || decides(hooks, &all[i]);
    return any;
}

bool plan_decides(const HdHooks *hooks)
{
    return decides_any(hooks, questions, sizeof questions / sizeof *questions);
}

bool plan_core_decides(const HdCoreHooks *hooks)
{
    return decides(hooks, &hold_question) ||
           decides_any(hooks, core_questions, sizeof core_questions / sizeof *core_questions);
}

// Two mechanisms with the same decision at the same level must be ordered: with `>` from the first
// to the second, and between all mechanisms in between.
static bool check_question(const HookPlan *plan, HookLevel level, const struct Question *q,
                           bool core, HdError *err)
{
    const HdMechanism *decider = NULL;
    bool ordered = false; // from the decider to the current mechanism
    for (size_t i = 0; i < plan->count; i++) {
        const PlannedMechanism *p = &plan->items[i];
        const void *hooks = core ? (const void *)&p->mechanism->core : plan_hooks(p, level);
        ordered = ordered && p->after;
        if (!decides(hooks, q)) continue;
        if (decider && !ordered) {
            const char *a = decider->name, *b = p->mechanism->name;
            char what[128];
            snprintf(what, sizeof what, q->what, hook_level_name(level));
            return hd_fail(err, "--mechanism: %s and %s both decide %s; write '%s>%s', in quotes, "
                                "to ask the second if the first passes", a, b, what, a, b);
        }
        decider = p->mechanism;
        ordered = true;
    }
    return true;
}

bool plan_sees_lines(const HdHooks *hooks)
{
    return hooks->on_access || hooks->on_fill || hooks->on_insert || hooks->on_replace ||
           hooks->on_evict;
}

static bool check_hold(const HookPlan *plan, HdError *err)
{
    const HdMechanism *owner = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        const HdMechanism *m = plan->items[i].mechanism;
        if (!decides(&m->core, &hold_question)) continue;
        if (owner)
            return hd_fail(err, "--mechanism: %s and %s both %s: expected one of them",
                           owner->name, m->name, hold_question.what);
        owner = m;
    }
    return true;
}

// A mechanism may be given once for each level, with different parameters.
static bool check_twice(const HookPlan *plan, HdError *err)
{
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = i + 1; k < plan->count; k++) {
            const PlannedMechanism *a = &plan->items[i], *b = &plan->items[k];
            if (strcmp(a->mechanism->name, b->mechanism->name) != 0) continue;
            for (HookLevel level = 0; level < HOOK_CACHES; level++)
                if (plan_applies(a, level) && plan_applies(b, level))
                    return hd_fail(err, "--mechanism: %s is given twice for the %s",
                                   a->mechanism->name, hook_level_name(level));
        }
    return true;
}

unsigned plan_copy_back_queue(const HookPlan *plan)
{
    unsigned max = 0;
    for (size_t i = 0; plan && i < plan->count; i++) {
        const PlannedMechanism *p = &plan->items[i];
        if (!p->mechanism->l1.decide_clean_eviction || !plan_applies(p, HOOK_L1)) continue;
        unsigned lines = (unsigned)p->parameters[p->mechanism->copy_back_queue];
        if (lines > max) max = lines;
    }
    return max;
}

unsigned plan_spare_registers(const HookPlan *plan)
{
    unsigned max = 0;
    for (size_t i = 0; plan && i < plan->count; i++) {
        const PlannedMechanism *p = &plan->items[i];
        if (!p->mechanism->injects) continue;
        unsigned registers = (unsigned)p->parameters[p->mechanism->spare_registers];
        if (registers > max) max = registers;
    }
    return max;
}

// Assigns each mechanism its sideband bits of requests and replies.
static bool place_tag_bits(HookPlan *plan, HdError *err)
{
    for (size_t i = 0; i < plan->count; i++) {
        PlannedMechanism *p = &plan->items[i];
        p->request_shift = plan->request_tag_bits;
        p->reply_shift = plan->reply_tag_bits;
        if (plan_applies(p, HOOK_L1)) plan->request_tag_bits += p->mechanism->request_tag_bits;
        if (!plan_applies(p, HOOK_L2)) continue;
        plan->reply_tag_bits += p->mechanism->reply_tag_bits;
        plan->request_field_bits += p->mechanism->request_field_bits;
    }
    if (plan->request_tag_bits <= PLAN_TAG_BITS && plan->reply_tag_bits <= PLAN_TAG_BITS)
        return true;
    bool requests = plan->request_tag_bits > PLAN_TAG_BITS;
    return hd_fail(err, "--mechanism: these add %u bits to each %s: expected at most %d",
                   requests ? plan->request_tag_bits : plan->reply_tag_bits,
                   requests ? "request" : "reply", PLAN_TAG_BITS);
}

bool plan_is_sectored(const HookPlan *plan, HookLevel level)
{
    for (size_t i = 0; plan && i < plan->count; i++)
        if (plan_applies(&plan->items[i], level) &&
            plan_hooks(&plan->items[i], level)->decide_fetch)
            return true;
    return false;
}

bool plan_open(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err)
{
    *plan = (HookPlan){0};
    if (strcmp(text, "none") == 0) return true;
    size_t max = 1;
    for (const char *at = text; *at; at++) max += *at == '+' || *at == '>';
    char *copy = strdup(text);
    plan->items = hd_new(max, sizeof *plan->items);
    bool ok = copy && plan->items;
    if (!ok) hd_fail_memory(err, "reading --mechanism");
    bool after = false;
    for (char *word = copy; ok && word;) {
        char *end = word + strcspn(word, "+>"), separator = *end;
        *end = 0;
        ok = *word ? read_one(plan, word, after, find, err)
                   : hd_fail(err, "--mechanism %s: a name is missing", text);
        after = separator == '>';
        word = separator ? end + 1 : NULL;
    }
    free(copy);
    return ok;
}

bool plan_settle(HookPlan *plan, const Config *config, HdError *err)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!settle_one(plan, &plan->items[i], config, err)) return false;
    if (!check_twice(plan, err)) return false;
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
        for (HookLevel level = 0; level < HOOK_CACHES; level++)
            if (!check_question(plan, level, &questions[q], false, err)) return false;
    for (size_t q = 0; q < sizeof core_questions / sizeof *core_questions; q++)
        if (!check_question(plan, HOOK_L1, &core_questions[q], true, err)) return false;
    if (!check_hold(plan, err)) return false;
    return place_tag_bits(plan, err);
}

bool plan_read(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err)
{
    return plan_open(plan, text, find, err) && plan_settle(plan, NULL, err);
}

void plan_free(HookPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->items[i].given);
        if (plan->items[i].library) dlclose(plan->items[i].library);
    }
    free(plan->items);
    *plan = (HookPlan){0};
}
