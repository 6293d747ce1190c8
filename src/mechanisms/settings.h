// Parameters of mechanisms in a configuration: a section for each mechanism, under its name.
#ifndef HEDDLE_MECHANISMS_SETTINGS_H
#define HEDDLE_MECHANISMS_SETTINGS_H

#include "config/config.h"
#include "hooks/plan.h"

// A new configuration with sections for the mechanisms of the plan (which outlives it, NULL: none)
// and for those that Heddle comes with. NULL and err on failure.
Config *settings_new(const ConfigSchema *schema, const HookPlan *plan, HdError *err);

// Settles the plan's parameters by the configuration (plan_settle), and checks the values that it
// sets for the other mechanisms.
bool settings_settle(const Config *config, HookPlan *plan, HdError *err);

#endif
