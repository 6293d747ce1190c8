// The structures of the built-in mechanisms as a table.
#include "study/study_structures.h"

#include "hooks/cache_hooks.h"
#include "mechanisms/mechanism_registry.h"

static const char table[] = "structures";

static Cell text_cell(const char *text)
{
    return text ? (Cell){.kind = CELL_TEXT, .text = text} : (Cell){.kind = CELL_NULL};
}

// The entries with the default parameters; NULL: it has one for each of something.
static Cell entries_of(const HdMechanism *m, const HdStructure *s)
{
    double values[PLAN_PARAMETERS] = {0};
    for (unsigned i = 0; m->parameters && m->parameters[i].name; i++)
        values[i] = m->parameters[i].value;
    int64_t entries = s->entries;
    switch (s->extent) {
    case HD_FIXED: break;
    case HD_BY_PARAMETER:
    case HD_PREFETCH_QUEUE:
    case HD_READS:
    case HD_FROM_PREVIOUS:
    case HD_FROM_NEXT: entries = (int64_t)values[s->entries]; break;
    case HD_TO_GPU:
    case HD_FROM_GPU:
        if (entries) break; // else computed
        __attribute__((fallthrough));
    case HD_COMPUTED:
    case HD_HELD:
    case HD_HOLD_QUEUES: {
        HdPlace place = {.parameters = values, .level = s->each == HD_ONE_GPU ? HD_GPU : HD_L1,
                         .warp_slots = 48, .block_slots = 8, .schedulers = 2, .sms = 15};
        entries = m->count_entries(&place, (unsigned)(s - m->structures));
        break;
    }
    default: return (Cell){.kind = CELL_NULL};
    }
    return (Cell){.kind = CELL_INTEGER, .integer = entries};
}

static bool insert(Store *tables, const HdMechanism *m, const HdStructure *s, HdError *err)
{
    static const char *const places[] = {[HD_EACH_L1] = "L1", [HD_EACH_L2] = "L2",
                                         [HD_EACH_CACHE] = "both", [HD_ONE_GPU] = "GPU"};
    const char *per = s->extent == HD_PER_LINE        ? "line"
                      : s->extent == HD_PER_SET       ? "set"
                      : s->extent == HD_PER_WARP      ? "warp"
                      : s->extent == HD_PER_BLOCK     ? "block"
                      : s->extent == HD_PER_SCHEDULER ? "scheduler"
                      : s->extent == HD_PER_KEY       ? "key"
                                                      : NULL;
    const Cell cells[] = {text_cell(m->name), text_cell(s->name), text_cell(places[s->each]),
                          text_cell(per), entries_of(m, s),
                          {.kind = CELL_INTEGER, .integer = s->bits}};
    return tables_insert(tables, table, cells, sizeof cells / sizeof *cells, err);
}

bool study_structures_make(Store *tables, HdError *err)
{
    static const char *const columns[] = {"mechanism", "name", "place", "per", "entries", "bits"};
    bool ok = tables_begin(tables, err) &&
              tables_create(tables, table, columns, sizeof columns / sizeof *columns, err);
    for (const HdMechanism *const *m = mechanisms; ok && *m; m++)
        for (const HdStructure *s = (*m)->structures; ok && s && s->name; s++)
            ok = insert(tables, *m, s, err);
    return tables_end(tables, ok ? err : NULL) && ok;
}
