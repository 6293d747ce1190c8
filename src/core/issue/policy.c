// The table of scheduler policies.
#include "core/issue/policy.h"

#define POLICY_ROW(constant, name, text, ...) [SCHEDULE_##constant] = {__VA_ARGS__},
const Policy scheduler_policies[SCHEDULER_POLICY_COUNT] = {SCHEDULER_POLICIES(POLICY_ROW)};
