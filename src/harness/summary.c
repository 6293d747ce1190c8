// The counters of a run, and what its mechanisms cost.
#include "harness/harness_state.h"

enum { GROUP_TEXT = 256, NAME_TEXT = 512 };
typedef unsigned long long Wide; // of a number in printf

// Visits a table's counters, as GROUP.NAME.
static bool each_row(const StatTable *table, const void *counters, const char *group,
                     VisitCounter *visit, void *context)
{
    const uint64_t *values = counters;
    for (size_t i = 0; i < table->count; i++) {
        char name[NAME_TEXT];
        snprintf(name, sizeof name, "%s.%s", group, table->rows[i].name);
        if (!visit(context, name, values[i])) return false;
    }
    return true;
}

// The counters of one mechanism, at the cache and the GPU, and of its prefetches.
static bool each_of_mechanism(const Harness *h, const PlannedMechanism *planned,
                              VisitCounter *visit, void *context)
{
    char name[NAME_TEXT], group[GROUP_TEXT];
    const HdCounter *counters = planned->mechanism->counters;
    for (size_t i = 0; counters && counters[i].name; i++) {
        snprintf(name, sizeof name, "%s.%s", planned->mechanism->name, counters[i].name);
        uint64_t value = cache_hooks_counter(h->hooks, planned, i);
        if (h->gpu) value += cache_hooks_counter(h->gpu, planned, i);
        if (!visit(context, name, value)) return false;
    }
    PrefetchCounters prefetches;
    snprintf(group, sizeof group, "%s.prefetches", planned->mechanism->name);
    return !cache_hooks_prefetch_counters(h->hooks, planned, &prefetches) ||
           each_row(&prefetch_table, &prefetches, group, visit, context);
}

void harness_each_counter(const Harness *h, VisitCounter *visit, void *context)
{
    bool more = each_row(&cache_table, &h->driver.counted, "cache", visit, context) &&
                each_row(&hook_table, &h->hooks->counted, "mechanisms", visit, context);
    if (more && h->hooks->copy_backs.queue)
        more = each_row(&copy_back_table, &h->hooks->copy_backs.counted, "copy_backs", visit,
                        context);
    for (size_t i = 0; more && i < h->plan.count; i++)
        if (plan_applies(&h->plan.items[i], h->driver.level))
            more = each_of_mechanism(h, &h->plan.items[i], visit, context);
}

static bool print_counter(void *out, const char *name, uint64_t value)
{
    if (value) fprintf(out, "  %s %llu\n", name, (Wide)value);
    return true;
}

static uint64_t print_structure(const Harness *h, const CacheHooks *place,
                                const PlannedMechanism *planned, const HdStructure *s)
{
    uint64_t entries = cache_hooks_entries(place, planned, s);
    fprintf(h->record.out, "  %s %s: %llu x %u bits\n", planned->mechanism->name, s->name,
            (Wide)entries, s->bits);
    return entries * s->bits;
}

// Prints the structures at a place, and returns their bits.
static uint64_t print_structures(const Harness *h, const CacheHooks *place,
                                 const PlannedMechanism *planned)
{
    const HdMechanism *m = planned->mechanism;
    uint64_t bits = 0;
    HdStructure tags;
    for (const HdStructure *s = m->structures; place && s && s->name; s++)
        if (hook_is_at(s, place->level)) bits += print_structure(h, place, planned, s);
    if (place && place->level != HOOK_GPU &&
        prefetch_tag_structure(planned, place->level, h->driver.config->mshr_entries, &tags))
        bits += print_structure(h, place, planned, &tags);
    return bits;
}

// The storage of one mechanism, at the cache and at the GPU.
static void print_storage(const Harness *h, const PlannedMechanism *planned)
{
    const HdMechanism *m = planned->mechanism;
    FILE *out = h->record.out;
    if (!plan_applies(planned, h->driver.level)) return;
    uint64_t bits = print_structures(h, h->hooks, planned);
    if (plan_applies(planned, HOOK_GPU)) bits += print_structures(h, h->gpu, planned);
    fprintf(out, "  %s: %llu bits%s\n", m->name, (Wide)bits,
            m->instrument ? " (for measurement, not in hardware)" : "");
}

void harness_print_summary(const Harness *h)
{
    if (!h->record.out) return;
    fprintf(h->record.out, "counters (that are not 0)\n");
    harness_each_counter(h, print_counter, h->record.out);
    if (h->plan.count > 1) fprintf(h->record.out, "storage\n");
    for (size_t i = 0; i + 1 < h->plan.count; i++) // the last one is the observer's
        print_storage(h, &h->plan.items[i]);
}
