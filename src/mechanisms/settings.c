// Sections of mechanisms in a configuration: made from their declarations, and read by the plan.
#include "mechanisms/settings.h"

#include "base/memory.h"
#include "mechanisms/mechanism_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_plan(const HookPlan *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->items[i].mechanism->name, name) == 0) return true;
    return false;
}

typedef struct Sections {
    ConfigSection *items;
    size_t count;
} Sections;

// Of several mechanisms of one name, the first has the section.
static void add(Sections *sections, const HdMechanism *mechanism)
{
    for (size_t i = 0; i < sections->count; i++)
        if (strcmp(sections->items[i].name, mechanism->name) == 0) return;
    sections->items[sections->count++] =
        (ConfigSection){.name = mechanism->name, .parameters = mechanism->parameters,
                        .description = mechanism->description};
}

Config *settings_new(const ConfigSchema *schema, const HookPlan *plan, HdError *err)
{
    size_t planned = plan ? plan->count : 0, max = planned;
    for (size_t i = 0; mechanisms[i]; i++) max++;
    Sections sections = {.items = hd_new(max, sizeof *sections.items)};
    if (!sections.items) {
        hd_fail_memory(err, "making a configuration");
        return NULL;
    }
    for (size_t i = 0; i < planned; i++) add(&sections, plan->items[i].mechanism);
    for (size_t i = 0; mechanisms[i]; i++) add(&sections, mechanisms[i]);
    Config *config = config_new_with(schema, sections.items, sections.count, err);
    free(sections.items);
    return config;
}

bool settings_settle(const Config *config, HookPlan *plan, HdError *err)
{
    for (size_t i = 0; mechanisms[i]; i++) {
        const HdMechanism *m = mechanisms[i];
        if (in_plan(plan, m->name) || !m->check) continue;
        const char *why = m->check(config_section_values(config, m->name));
        if (!why) continue;
        hd_fail(err, "%s: %s", m->name, why);
        config_append_origins(config, err);
        return false;
    }
    if (plan_settle(plan, config, err)) return true;
    char about[128];
    for (size_t i = 0; err && i < plan->count; i++) {
        const char *name = plan->items[i].mechanism->name;
        snprintf(about, sizeof about, "--mechanism %s: ", name);
        if (strncmp(err->text, about, strlen(about)) != 0) continue;
        config_append_section_origins(config, name, err);
        break;
    }
    return false;
}
