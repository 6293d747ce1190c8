// Mechanisms' sections of machine files: made from what they declare, and read by the plan.
#include "mechanisms/settings.h"

#include "base/memory.h"
#include "hooks/parameter.h"
#include "mechanisms/registry.h"

#include <stdlib.h>
#include <string.h>

// ---- sections ----

typedef struct Sections {
    ParameterSection *items;
    size_t count;
} Sections;

// Of several of the same name, the first has the section.
static void add(Sections *sections, const HdMechanism *mechanism)
{
    for (size_t i = 0; i < sections->count; i++)
        if (strcmp(sections->items[i].name, mechanism->name) == 0) return;
    sections->items[sections->count++] =
        (ParameterSection){mechanism->name, mechanism->does, mechanism->parameters};
}

Config *settings_new(const ConfigSchema *schema, const HookPlan *plan, HdError *err)
{
    size_t most = plan->count;
    for (size_t i = 0; mechanisms[i]; i++) most++;
    Sections sections = {.items = hd_new(most, sizeof *sections.items)};
    if (!sections.items) {
        hd_fail_memory(err, "making a configuration");
        return NULL;
    }
    for (size_t i = 0; i < plan->count; i++) add(&sections, plan->items[i].mechanism);
    for (size_t i = 0; mechanisms[i]; i++) add(&sections, mechanisms[i]);
    Config *config = config_new_with(schema, sections.items, sections.count, err);
    free(sections.items);
    return config;
}

// ---- values ----

// A ParameterSource; `context` is the Config.
static void take_set(const void *context, const HdMechanism *mechanism, double *parameters)
{
    const Config *config = context;
    size_t count;
    const ParameterSection *sections = config_mechanisms(config, &count);
    for (size_t s = 0; s < count; s++) {
        if (strcmp(sections[s].name, mechanism->name) != 0 ||
            sections[s].parameters != mechanism->parameters)
            continue;
        for (size_t k = 0; k < parameter_count(mechanism->parameters); k++)
            if (config_parameter_set(config, s, k)) parameters[k] = config_parameter(config, s, k);
    }
}

static bool in_plan(const HookPlan *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->items[i].mechanism->name, name) == 0) return true;
    return false;
}

// What a mechanism that is not on says of its values.
static bool check_values(const Config *config, const HdMechanism *mechanism, HdError *err)
{
    double values[PLAN_PARAMETERS];
    for (size_t k = 0; k < parameter_count(mechanism->parameters); k++)
        values[k] = mechanism->parameters[k].standard;
    take_set(config, mechanism, values);
    const char *why = mechanism->check ? mechanism->check(values) : NULL;
    return !why || hd_fail(err, "%s: %s", mechanism->name, why);
}

bool settings_settle(const Config *config, HookPlan *plan, HdError *err)
{
    for (size_t i = 0; mechanisms[i]; i++)
        if (!in_plan(plan, mechanisms[i]->name) && !check_values(config, mechanisms[i], err))
            return false;
    return plan_settle(plan, take_set, config, err);
}
