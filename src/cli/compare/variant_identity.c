// Compares what results say of themselves with the variants that they were kept for.
#include "cli/compare/variant_identity.h"

#include "hooks/parameter_text.h"
#include "mechanisms/mechanism_registry.h"

#include <math.h>
#include <string.h>

// Stands for a shared object.
static const HdMechanism unknown;

static const HdMechanism *find_built_in(const char *name, void **library, HdError *err)
{
    *library = NULL;
    return strchr(name, '/') ? &unknown : mechanism_find(name, library, err);
}

static bool same_value(const HdParameter *parameter, double value, const json_t *there)
{
    json_t *here = parameter_json(parameter, &value);
    bool same = json_is_number(here)
                    ? json_is_number(there) && json_number_value(there) == json_number_value(here)
                    : json_equal(here, there);
    json_decref(here);
    return same;
}

// Whether the object has the parameters that the text gives; others may be of the machine file.
static bool same_parameters(const PlannedMechanism *planned, const json_t *there)
{
    double values[PLAN_PARAMETERS];
    const HdParameter *parameters = planned->mechanism->parameters;
    for (size_t i = 0; i < PLAN_PARAMETERS; i++) values[i] = NAN;
    if (!planned->given) return true;
    if (!parameter_text_read(planned->mechanism, planned->given, values, NULL, NULL)) return false;
    for (size_t i = 0; parameters[i].name; i++)
        if (!isnan(values[i]) &&
            !same_value(&parameters[i], values[i], json_object_get(there, parameters[i].name)))
            return false;
    return true;
}

static bool same_mechanism(const PlannedMechanism *planned, const json_t *there)
{
    const char *name = json_string_value(json_object_get(there, "name"));
    if (planned->after != json_is_true(json_object_get(there, "after"))) return false;
    return planned->mechanism == &unknown ||
           (name && strcmp(name, planned->mechanism->name) == 0 &&
            same_parameters(planned, json_object_get(there, "parameters")));
}

bool variant_result_is_of(const char *text, const json_t *result, const char *place, HdError *err)
{
    HookPlan plan;
    const json_t *list = json_object_get(json_object_get(result, "mechanisms"), "list");
    bool same = plan_open(&plan, text, find_built_in, NULL) &&
                json_array_size(list) == plan.count;
    for (size_t i = 0; same && i < plan.count; i++)
        same = same_mechanism(&plan.items[i], json_array_get(list, i));
    plan_free(&plan);
    return same || hd_fail(err, "%s: is of other mechanisms", place);
}

bool variants_check_inputs(const Variants *variants, HdError *err)
{
    static const char *const inputs[] = {"workload", "implementation", "ptx", "graph", "source",
                                         "workload_parameters", "arguments", "registers", "machine",
                                         "seed", NULL};
    const Variant *first = NULL;
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *variant = &variants->items[i];
        if (!variant_is_done(variant)) continue;
        if (!first) first = variant;
        const json_t *a = json_object_get(first->file, "result"),
                     *b = json_object_get(variant->file, "result");
        for (const char *const *key = inputs; *key; key++)
            if (!json_equal(json_object_get(a, *key), json_object_get(b, *key)))
                return hd_fail(err, "the results of %s and %s in %s have another %s: expected "
                                    "another --store", first->mechanisms,
                               variant->mechanisms, variants->jobs.store, *key);
    }
    return true;
}
