// Mechanisms' sections of machine files: made from what they declare, and read by the plan.
#include "mechanisms/settings.h"

#include "base/memory.h"
#include "hooks/parameter.h"
#include "mechanisms/registry.h"

#include <stdio.h>
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
        (ParameterSection){mechanism->name, mechanism->description, mechanism->parameters};
}

Config *settings_new(const ConfigSchema *schema, const HookPlan *plan, const HookPlan *known,
                     HdError *err)
{
    size_t most = plan->count + known->count;
    for (size_t i = 0; mechanisms[i]; i++) most++;
    Sections sections = {.items = hd_new(most, sizeof *sections.items)};
    if (!sections.items) {
        hd_fail_memory(err, "making a configuration");
        return NULL;
    }
    for (size_t i = 0; i < plan->count; i++) add(&sections, plan->items[i].mechanism);
    for (size_t i = 0; i < known->count; i++) add(&sections, known->items[i].mechanism);
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
        values[k] = mechanism->parameters[k].value;
    take_set(config, mechanism, values);
    const char *why = mechanism->check ? mechanism->check(values) : NULL;
    return !why || hd_fail(err, "%s: %s", mechanism->name, why);
}

// Appends to a message about a mechanism of the plan where the values that it names were set.
static void say_origins(const Config *config, const PlannedMechanism *planned, HdError *err)
{
    const HdMechanism *mechanism = planned->mechanism;
    const HdParameter *p = mechanism->parameters;
    HdError message = *err;
    for (size_t k = 0; k < parameter_count(p); k++) {
        const char *origin = config_origin(config, mechanism->name, p[k].name);
        char value[64];
        if (!strstr(message.text, p[k].name) || strcmp(origin, "default") == 0) continue;
        parameter_text(&p[k], planned->parameters[k], value, sizeof value);
        size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, "\n  %s: %s.%s: %s", origin,
                 mechanism->name, p[k].name, value);
    }
}

bool settings_settle(const Config *config, HookPlan *plan, HdError *err)
{
    for (size_t i = 0; mechanisms[i]; i++) {
        if (in_plan(plan, mechanisms[i]->name)) continue;
        if (check_values(config, mechanisms[i], err)) continue;
        config_append_origins(config, err);
        return false;
    }
    if (plan_settle(plan, take_set, config, err)) return true;
    char about[128];
    for (size_t i = 0; err && i < plan->count; i++) {
        snprintf(about, sizeof about, "--mechanism %s: ", plan->items[i].mechanism->name);
        if (strncmp(err->text, about, strlen(about)) != 0) continue;
        say_origins(config, &plan->items[i], err);
        break;
    }
    return false;
}
