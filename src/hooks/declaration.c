// Checks a mechanism's declaration.
#include "hooks/declaration.h"

#include "base/number.h"
#include "base/text.h"
#include "config/parameter.h"
#include "hooks/counter_ratio.h"
#include "hooks/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MESSAGE = 512, STRUCTURE_ENTRIES = 1 << 24, MAX_FIELD_BITS = 128,
       MAX_INSTRUCTIONS = 32, MAX_INSTRUCTION_BITS = 8 * 128 };

static bool fail(const HdMechanism *m, HdError *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(const HdMechanism *m, HdError *err, const char *format, ...)
{
    char text[MOST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    number_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return hd_fail(err, "mechanism %s: %s", m->name, text);
}

// Whether --mechanism, --set and machine files accept it as a name.
static bool is_name(const char *text)
{
    const char *at = text;
    while (text_is_alphanumeric(*at) || *at == '-' || *at == '_') at++;
    return at > text && !*at;
}

static bool is_whole(double value) { return floor(value) == value; }

static bool check_names(const HdMechanism *m, HdError *err)
{
    if (!m->name || !*m->name)
        return hd_fail(err, "a mechanism has no name: --mechanism needs .name");
    if (!is_name(m->name))
        return hd_fail(err, "mechanism '%s': expected a name of letters, digits, - and _", m->name);
    if (strcmp(m->name, "none") == 0)
        return fail(m, err, "this name stands for no mechanism: expected another one");
    if (!m->description || !*m->description)
        return fail(m, err, ".description is missing: expected a sentence");
    if (!m->paper || !*m->paper)
        return fail(m, err, ".paper is missing: expected a paper and its section, or \"none\"");
    return true;
}

// ---- parameters ----

static bool check_choices(const HdMechanism *m, const HdParameter *p, HdError *err)
{
    size_t count = 0;
    for (; p->choices[count]; count++) {
        const char *choice = p->choices[count];
        // A comma separates parameters if `key=` follows (plan.c); else it is part of the value.
        if (!*choice || choice[strcspn(choice, "+>=/ \t\n")])
            return fail(m, err, "parameter %s: choice '%s': expected a text without blanks, +, "
                                ">, = and /, for --mechanism", p->name, choice);
        for (size_t i = 0; i < count; i++)
            if (strcmp(p->choices[i], choice) == 0)
                return fail(m, err, "parameter %s: the choice %s is given twice",
                            p->name, choice);
    }
    if (p->value >= 0 && p->value < (double)count && is_whole(p->value)) return true;
    return fail(m, err, "parameter %s: .value = %.10g: expected the index of one of %zu choices",
                p->name, p->value, count);
}

static bool check_parameter(const HdMechanism *m, const HdParameter *p, HdError *err)
{
    size_t first;
    if (!is_name(p->name))
        return fail(m, err, "parameter '%s': expected a name of letters, digits, - and _", p->name);
    if (parameter_find(m->parameters, p->name, &first) && &m->parameters[first] != p)
        return fail(m, err, "parameter %s is given twice", p->name);
    if (!p->description || !*p->description)
        return fail(m, err, "parameter %s: .description is missing: expected a description",
                    p->name);
    if (p->kind > HD_CHOICE)
        return fail(m, err, "parameter %s: .kind = %u: expected HD_NUMBER to HD_CHOICE", p->name,
                    p->kind);
    if (p->offset || p->size || p->text || p->when || p->absent)
        return fail(m, err, "parameter %s: .offset, .size, .text, .when and .absent are for "
                            "machines: expected 0", p->name);
    if (p->choices && p->kind != HD_CHOICE)
        return fail(m, err, "parameter %s: .choices: expected .kind = HD_CHOICE", p->name);
    if (p->kind == HD_CHOICE && !p->choices)
        return fail(m, err, "parameter %s: .kind = HD_CHOICE: expected .choices", p->name);
    if (p->choices) return check_choices(m, p, err);
    if (p->kind == HD_SWITCH)
        return p->value == 0 || p->value == 1 ||
               fail(m, err, "parameter %s: .value = %.10g: expected 0 or 1, as for HD_SWITCH",
                    p->name, p->value);
    if (!(p->min <= p->max) || isinf(p->min) || isinf(p->max))
        return fail(m, err, "parameter %s: .min = %.10g, .max = %.10g: expected a finite, "
                            "non-empty range", p->name, p->min, p->max);
    if (!(p->value >= p->min && p->value <= p->max))
        return fail(m, err, "parameter %s: .value = %.10g: expected %.10g to %.10g", p->name,
                    p->value, p->min, p->max);
    if (p->kind == HD_NUMBER) return true;
    double least = p->kind == HD_WHOLE ? -0x1p53 : 0; // of HD_BYTES, HD_FREQUENCY and HD_TIME
    if (!is_whole(p->min) || !is_whole(p->max) || p->min < least || p->max > 0x1p53)
        return fail(m, err, "parameter %s: .min = %.10g, .max = %.10g: expected whole numbers from "
                            "%s to 2^53, as for its .kind", p->name, p->min, p->max,
                    least < 0 ? "-2^53" : "0");
    return is_whole(p->value) ||
           fail(m, err, "parameter %s: .value = %.10g: expected a whole number, as for its .kind",
                p->name, p->value);
}

static bool check_levels(const HdMechanism *m, HdError *err)
{
    size_t index;
    if (m->levels & ~(unsigned)(HD_L1 | HD_L2))
        return fail(m, err, ".levels = %u: expected 0, HD_L1, HD_L2 or HD_L1 | HD_L2", m->levels);
    if (m->levels || !parameter_find(m->parameters, LEVELS_PARAMETER, &index)) return true;
    const HdParameter *p = &m->parameters[index];
    if (p->kind != HD_CHOICE)
        return fail(m, err,
                    "parameter levels is a number: expected choices among l1, l2 and l1,l2");
    for (size_t i = 0; p->choices[i]; i++)
        if (!levels_of_choice(p->choices[i]))
            return fail(m, err, "parameter levels has the choice '%s': expected l1, l2 or l1,l2",
                        p->choices[i]);
    return true;
}

static bool check_parameters(const HdMechanism *m, HdError *err)
{
    size_t count = parameter_count(m->parameters);
    if (count > PLAN_PARAMETERS)
        return fail(m, err, "it has %zu parameters: expected at most %d", count, PLAN_PARAMETERS);
    double standards[PLAN_PARAMETERS];
    for (size_t i = 0; i < count; i++) {
        if (!check_parameter(m, &m->parameters[i], err)) return false;
        standards[i] = m->parameters[i].value;
    }
    if (!check_levels(m, err)) return false;
    const char *why = m->check ? m->check(standards) : NULL;
    return !why || fail(m, err, "its check refuses the default values: %s", why);
}

// ---- counters ----

// what: "counter", or what else the list has.
static bool check_counters(const HdMechanism *m, const HdCounter *list, const char *what,
                           HdError *err)
{
    for (const HdCounter *c = list; c && c->name; c++) {
        if (!*c->name || !c->unit || !c->description)
            return fail(m, err, "%s '%s': expected a name, a unit and a sentence", what, c->name);
        for (const HdCounter *other = list; other < c; other++)
            if (strcmp(other->name, c->name) == 0)
                return fail(m, err, "%s %s is given twice", what, c->name);
    }
    return true;
}

// The rows of a table come from the GPU.
static bool check_columns(const HdMechanism *m, HdError *err)
{
    static const HdGpuHooks none;
    if (m->columns && memcmp(&m->gpu, &none, sizeof none) == 0)
        return fail(m, err, ".columns of a table: no hook fills it: expected hooks in .gpu");
    return check_counters(m, m->columns, "column", err);
}

static bool check_ratios(const HdMechanism *m, HdError *err)
{
    for (const HdRatio *r = m->ratios; r && r->name; r++) {
        if (!*r->name || !r->part || !r->whole || !r->description)
            return fail(m, err, "ratio '%s': expected a name, a part, a whole and a sentence",
                        r->name);
        int length;
        const char *wrong = counter_ratio_check(m, r, &length);
        if (wrong)
            return fail(m, err, "ratio %s: '%.*s': expected the name of a counter", r->name,
                        length, wrong);
        for (const HdRatio *other = m->ratios; other < r; other++)
            if (strcmp(other->name, r->name) == 0)
                return fail(m, err, "ratio %s is given twice", r->name);
    }
    return true;
}

// ---- structures ----

// Whether the parameter of this index can give the number of entries of `what`. otherwise: ends the
// message, if the number can also be given otherwise.
static bool check_entries_of(const HdMechanism *m, const char *what, uint32_t index,
                             const char *otherwise, HdError *err)
{
    if (index >= parameter_count(m->parameters))
        return fail(m, err, "%s: its entries are given by parameter number %u: expected the index "
                            "of a parameter%s", what, index, otherwise);
    const HdParameter *p = &m->parameters[index];
    if (p->kind == HD_WHOLE && p->min >= 1 && p->max <= STRUCTURE_ENTRIES) return true;
    return fail(m, err, "%s: its entries are given by parameter %s: expected a whole number "
                        "from at least 1 to at most %d", what, p->name, STRUCTURE_ENTRIES);
}

static bool check_entries(const HdMechanism *m, const HdStructure *s, const char *what,
                          HdError *err)
{
    switch (s->extent) {
    case HD_TO_GPU:
    case HD_FROM_GPU:
        if (!s->entries && m->count_entries) return true;
        return (s->entries && s->entries <= STRUCTURE_ENTRIES) ||
               fail(m, err, "%s: entries = %u: expected 1 to %d, or 0 and .count_entries", what,
                    s->entries, STRUCTURE_ENTRIES);
    case HD_FIXED:
        return (s->entries && s->entries <= STRUCTURE_ENTRIES) ||
               fail(m, err, "%s: entries = %u: expected 1 to %d", what, s->entries,
                    STRUCTURE_ENTRIES);
    case HD_BY_PARAMETER:
        return check_entries_of(m, what, s->entries, ", or a number with HD_FIXED", err);
    case HD_READS:
    case HD_FROM_PREVIOUS:
    case HD_FROM_NEXT:
    case HD_PREFETCH_QUEUE: return check_entries_of(m, what, s->entries, "", err);
    case HD_PER_KEY:
        return m->instrument || fail(m, err, "%s: only instruments store without a limit", what);
    case HD_COMPUTED:
    case HD_HELD:
    case HD_HOLD_QUEUES:
        return m->count_entries ||
               fail(m, err, "%s: expected .count_entries, which gives its entries", what);
    case HD_PER_LINE:
    case HD_PER_SET:
    case HD_PER_WARP:
    case HD_PER_BLOCK:
    case HD_PER_SCHEDULER: return true;
    }
    return fail(m, err, "%s: extent: expected one of HdExtent (HD_FIXED, ...)", what);
}

// Bit fields of at most 32 bits, packed in order into words of 32, use more than half of all words
// but one. A larger type would hold state that the number of bits does not declare.
static bool check_bits(const HdMechanism *m, const HdStructure *s, const char *what, HdError *err)
{
    if (s->extent == HD_READS) return true; // check_reads
    size_t held = 8 * s->bytes;
    if (s->bits && s->bits <= held && held <= 2 * (size_t)s->bits + 32) return true;
    if (s->bits > held)
        return fail(m, err, "%s: an entry of %u bits does not fit its C type of %zu bits", what,
                    s->bits, held);
    return fail(m, err, "%s: an entry has %u bits, its C type %zu: HD_BIT_FIELDS makes a type and "
                        "its number of bits", what, s->bits,
                held);
}

// queues: the number of prefetch queues so far, by level.
static bool check_queue(const HdMechanism *m, const HdStructure *s, const char *what,
                        unsigned queues[HOOK_CACHES], HdError *err)
{
    if (m->instrument) return fail(m, err, "it is an instrument, which must not prefetch");
    bool one = true;
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        if (hook_is_at(s, level)) one = queues[level]++ == 0 && one;
    unsigned tag = m->prefetch.tag_bits;
    size_t bytes = tag ? sizeof(HdTaggedPrefetch) : sizeof(HdPrefetch);
    unsigned bits = tag ? HD_TAGGED_PREFETCH_BITS(tag) : HdPrefetch_bits;
    return (one && s->bytes == bytes && s->bits == bits) ||
           fail(m, err, "%s: expected one prefetch queue per level, of entries of type %s", what,
                tag ? "HdTaggedPrefetch and HD_TAGGED_PREFETCH_BITS(tag_bits) bits" : "HdPrefetch");
}

// Whether the places of the structure have what it has an entry for.
static bool check_place(const HdMechanism *m, const HdStructure *s, const char *what, HdError *err)
{
    static const HdGpuHooks none;
    bool gpu = s->each == HD_ONE_GPU, l1 = s->each == HD_EACH_L1;
    bool of_sm = s->extent == HD_PER_WARP || s->extent == HD_PER_BLOCK ||
                 s->extent == HD_PER_SCHEDULER || s->extent == HD_HELD ||
                 s->extent == HD_HOLD_QUEUES;
    if (of_sm && !l1)
        return fail(m, err, "%s: it has entries by slots of an SM: expected HD_EACH_L1", what);
    if (s->extent == HD_COMPUTED && s->each == HD_EACH_CACHE)
        return fail(m, err, "%s: its entries are computed: expected HD_EACH_L1, HD_EACH_L2 or "
                            "HD_ONE_GPU", what);
    if (gpu && s->extent != HD_FIXED && s->extent != HD_BY_PARAMETER && s->extent != HD_PER_KEY &&
        s->extent != HD_COMPUTED)
        return fail(m, err, "%s: the GPU has no lines, sets, slots and prefetches: expected "
                            "HD_FIXED, HD_BY_PARAMETER or HD_COMPUTED", what);
    if (extent_is_of_engine(s->extent) && (s->each != HD_EACH_L2 || !m->engine.on_cycle))
        return fail(m, err, "%s: an engine at a slice uses it: expected HD_EACH_L2, and "
                            ".engine.on_cycle", what);
    bool words = s->extent == HD_TO_GPU || s->extent == HD_FROM_GPU;
    if ((gpu || words) && memcmp(&m->gpu, &none, sizeof none) == 0)
        return fail(m, err, "%s: no hook uses it at the GPU: expected hooks in .gpu", what);
    return true;
}

// queues: the number of prefetch queues, by level.
static bool check_prefetching(const HdMechanism *m, const unsigned queues[HOOK_CACHES],
                              HdError *err)
{
    const HdPrefetching *p = &m->prefetch;
    bool any = queues[HOOK_L1] || queues[HOOK_L2], sends = m->l1.on_prefetch || m->l2.on_prefetch;
    if ((p->when_full || p->no_room || p->tag_bits || p->tags || p->into_l2) && !any)
        return fail(m, err, ".prefetch says how it prefetches: expected a structure of extent "
                            "HD_PREFETCH_QUEUE");
    if (p->into_l2 && !(queues[HOOK_L1] && queues[HOOK_L2]))
        return fail(m, err, ".prefetch.into_l2: expected a prefetch queue of each L1 and of each "
                            "slice (HD_EACH_CACHE)");
    if (p->tag_bits > PLAN_TAG_BITS)
        return fail(m, err, ".prefetch.tag_bits = %u: expected at most %d", p->tag_bits,
                    PLAN_TAG_BITS);
    if (p->tags > PLAN_PENDING_TAGS || (p->tags && !p->tag_bits))
        return fail(m, err, ".prefetch.tags = %u: expected at most %d, with .prefetch.tag_bits",
                    p->tags, PLAN_PENDING_TAGS);
    return !sends || p->tag_bits ||
           fail(m, err, ".prefetch.tag_bits = 0: expected the number of bits of the tags that "
                        "on_prefetch gets");
}

// The owner of a hold point has both hooks, a structure of what it holds, and one of its queues.
static bool check_hold(const HdMechanism *m, HdError *err)
{
    unsigned held = 0, queues = 0;
    bool typed = true;
    for (const HdStructure *s = m->structures; s && s->name; s++) {
        held += s->extent == HD_HELD;
        queues += s->extent == HD_HOLD_QUEUES;
        if (s->extent == HD_HELD)
            typed = typed && s->bytes == sizeof(HdHeld) && s->bits == HdHeld_bits;
        if (s->extent == HD_HOLD_QUEUES)
            typed = typed && s->bytes == sizeof(HdHoldQueue) && s->bits == HdHoldQueue_bits;
    }
    bool owns = m->core.decide_queue || m->core.decide_next;
    if (!owns && !held && !queues) return true;
    if (!m->core.decide_queue || !m->core.decide_next)
        return fail(m, err, "a hold point needs both .core.decide_queue and .core.decide_next");
    return (held == 1 && queues == 1 && typed) ||
           fail(m, err, "it owns a hold point: expected one structure of extent HD_HELD, of type "
                        "HdHeld, and one of extent HD_HOLD_QUEUES, of type HdHoldQueue");
}

// An engine that reads has a structure of its reads.
static bool check_reads(const HdMechanism *m, HdError *err)
{
    unsigned count = 0;
    bool typed = true;
    for (const HdStructure *s = m->structures; s && s->name; s++) {
        if (s->extent != HD_READS) continue;
        count++;
        typed = s->bytes == sizeof(HdReadEntry) && s->bits >= HD_READ_BITS(0) &&
                s->bits <= HD_READ_BITS(32);
    }
    if (count > 1 || !typed)
        return fail(m, err, "expected one structure of extent HD_READS, of type HdReadEntry and "
                            "HD_READ_BITS(bits of a tag) bits");
    return !count == !m->engine.on_data ||
           fail(m, err,
                ".engine.on_data gets what hd_read_line reads: expected both the hook and a "
                "structure of extent HD_READS");
}

static bool check_structures(const HdMechanism *m, HdError *err)
{
    unsigned queues[HOOK_CACHES] = {0};
    for (const HdStructure *s = m->structures; s && s->name; s++) {
        char what[128];
        snprintf(what, sizeof what, "structure %s", s->name);
        if (!*s->name)
            return fail(m, err, "structure number %td has no name (a list ends with {0})",
                        s - m->structures);
        if (s->each > HD_ONE_GPU)
            return fail(m, err, "%s: each: expected HD_EACH_L1, HD_EACH_L2, HD_EACH_CACHE or "
                                "HD_ONE_GPU", what);
        if (!check_place(m, s, what, err)) return false;
        if (!check_entries(m, s, what, err) || !check_bits(m, s, what, err) ||
            (s->extent == HD_PREFETCH_QUEUE && !check_queue(m, s, what, queues, err)))
            return false;
    }
    return check_hold(m, err) && check_reads(m, err) && check_prefetching(m, queues, err);
}

// ---- engines ----

// Whether PTX can have it as an opcode with modifiers: words between dots.
static bool is_opcode(const char *text)
{
    bool word = false;
    for (const char *at = text; *at; at++) {
        bool dot = *at == '.';
        if (!dot && !text_is_alphanumeric(*at) && *at != '_') return false;
        if (dot && !word) return false;
        word = !dot;
    }
    return word && !(*text >= '0' && *text <= '9');
}

static bool are_registers(const char *text)
{
    if (*text == 'p') text++;
    size_t registers = strspn(text, "r");
    return registers <= HD_ENGINE_REGISTERS && !text[registers];
}

static bool check_instruction(const HdMechanism *m, const HdEngineInstruction *i, HdError *err)
{
    if (!is_opcode(i->name))
        return fail(m, err, "instruction '%s': expected words of letters, digits and _, with a "
                            "dot between two", i->name);
    for (const HdEngineInstruction *other = m->instructions; other < i; other++)
        if (strcmp(other->name, i->name) == 0)
            return fail(m, err, "instruction %s is given twice", i->name);
    if (!i->registers || !*i->registers || !are_registers(i->registers))
        return fail(m, err, "instruction %s: .registers: expected a 'p' or none, and up to %d 'r'",
                    i->name, HD_ENGINE_REGISTERS);
    if (i->request_bits > MAX_INSTRUCTION_BITS)
        return fail(m, err, "instruction %s: .request_bits = %u: expected at most %d", i->name,
                    i->request_bits, MAX_INSTRUCTION_BITS);
    return (i->description && *i->description) ||
           fail(m, err, "instruction %s: .description is missing: expected a sentence", i->name);
}

static bool check_engine(const HdMechanism *m, HdError *err)
{
    const HdEngineHooks *engine = &m->engine;
    size_t count = 0;
    for (; m->instructions && m->instructions[count].name; count++)
        if (!check_instruction(m, &m->instructions[count], err)) return false;
    if (count > MAX_INSTRUCTIONS)
        return fail(m, err, "it has %zu instructions: expected at most %d", count,
                    MAX_INSTRUCTIONS);
    if (m->instrument && plan_has_engine(m))
        return fail(m, err, "it is an instrument, which must not have an engine");
    if ((count || plan_has_engine(m)) && !engine->on_cycle)
        return fail(m, err, "it has an engine: expected .engine.on_cycle");
    if ((count || engine->take_request || engine->execute) &&
        (!count || !engine->take_request || !engine->execute))
        return fail(m, err, "instructions ask an engine: expected .instructions, "
                            ".engine.take_request and .engine.execute");
    return true;
}

// ---- hooks ----

// Checks that a hook which sets sideband bits comes with their number.
static bool check_tag(const HdMechanism *m, bool has, const char *hook, unsigned bits,
                       const char *field, HdError *err)
{
    if (has && !bits)
        return fail(m, err, "%s = 0: expected the number of bits of %s", field, hook);
    if (bits && !has)
        return fail(m, err, "%s = %u, but there is no hook %s", field, bits, hook);
    return bits <= PLAN_TAG_BITS ||
           fail(m, err, "%s = %u: expected at most %d", field, bits, PLAN_TAG_BITS);
}

static bool check_hooks(const HdMechanism *m, HdError *err)
{
    if (m->instrument && (m->request_tag_bits || m->reply_tag_bits || m->request_field_bits))
        return fail(m, err, "it is an instrument, which must not add bits to packets");
    if (m->instrument &&
        (plan_decides(&m->l1) || plan_decides(&m->l2) || plan_core_decides(&m->core)))
        return fail(m, err, "it is an instrument, which must not have a hook that decides");
    const struct {
        bool wrong;
        const char *name, *right;
    } never[] = {
        {m->l2.request_tag, ".l2.request_tag", ".l1.request_tag"},
        {m->l1.reply_tag, ".l1.reply_tag", ".l2.reply_tag"},
        {m->l2.decide_clean_eviction, ".l2.decide_clean_eviction", ".l1.decide_clean_eviction"},
        {m->l1.decide_after_hit, ".l1.decide_after_hit", ".l2.decide_after_hit"},
        {m->l2.decide_stall, ".l2.decide_stall", ".l1.decide_stall"},
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (never[i].wrong)
            return fail(m, err, "%s is never called: expected %s", never[i].name, never[i].right);
    if (m->core.on_quantum && !m->gpu.on_quantum)
        return fail(m, err, ".core.on_quantum is never called: expected .gpu.on_quantum too");
    size_t period;
    if (m->l1.on_period || m->l2.on_period) {
        if (!parameter_find(m->parameters, PERIOD_PARAMETER, &period))
            return fail(m, err, "it has a hook on_period: expected a parameter period, in cycles");
        const HdParameter *p = &m->parameters[period];
        if (p->kind != HD_WHOLE || p->min < 1)
            return fail(m, err, "parameter period: expected a whole number from at least 1, the "
                                "cycles from one on_period to the next");
    }
    if (m->request_field_bits > MAX_FIELD_BITS)
        return fail(m, err, ".request_field_bits = %u: expected at most %d", m->request_field_bits,
                    MAX_FIELD_BITS);
    return check_tag(m, m->l1.request_tag, ".l1.request_tag", m->request_tag_bits,
                     ".request_tag_bits", err) &&
           check_tag(m, m->l2.reply_tag, ".l2.reply_tag", m->reply_tag_bits, ".reply_tag_bits",
                     err) &&
           (!m->l1.decide_clean_eviction ||
            check_entries_of(m, ".copy_back_queue of .l1.decide_clean_eviction", m->copy_back_queue,
                             "", err)) &&
           (!m->injects ||
            check_entries_of(m, ".spare_registers of .injects", m->spare_registers, "", err));
}

bool declaration_check(const HdMechanism *m, HdError *err)
{
    return check_names(m, err) && check_parameters(m, err) &&
           check_counters(m, m->counters, "counter", err) && check_columns(m, err) &&
           check_ratios(m, err) && check_structures(m, err) && check_engine(m, err) &&
           check_hooks(m, err);
}
