// Parameters of mechanisms in machine files: a section for each, under its name.
#ifndef HEDDLE_MECHANISMS_SETTINGS_H
#define HEDDLE_MECHANISMS_SETTINGS_H

#include "config/config.h"
#include "hooks/plan.h"

// A new configuration with sections for the mechanisms of the plan, those that are known besides,
// and those that Heddle comes with. Both plans (which may be empty) outlive the configuration.
Config *settings_new(const ConfigSchema *schema, const HookPlan *plan, const HookPlan *known,
                     HdError *err);

// The plan's parameters, as declared where neither the configuration nor --mechanism sets them; and
// whether what the configuration sets of the other mechanisms can be.
bool settings_settle(const Config *config, HookPlan *plan, HdError *err);

#endif
