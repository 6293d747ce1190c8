// The mechanisms of a simulation with their parameters, in the order in which they are asked: the
// checked contents of --mechanism.
#ifndef HEDDLE_HOOKS_PLAN_H
#define HEDDLE_HOOKS_PLAN_H

#include "config/config.h"
#include "heddle/mechanism.h"

// Maximum number of parameters of a mechanism; of sideband bits of a request or a reply, for all
// mechanisms together; and of tags that an MSHR entry keeps for one mechanism.
enum { PLAN_PARAMETERS = 32, PLAN_TAG_BITS = 32, PLAN_PENDING_TAGS = 32 };

// The levels of places; the caches come first.
typedef enum HookLevel {
    HOOK_L1,
    HOOK_L2,
    HOOK_GPU,
    HOOK_LEVELS,
    HOOK_CACHES = HOOK_GPU
} HookLevel;
const char *hook_level_name(HookLevel level); // "l1", "l2", "gpu"
static inline unsigned hook_level_flag(HookLevel level)
{
    return 1u << level;
}
// Whether each place of the level has this structure, if the mechanism has hooks there.
static inline bool hook_is_at(const HdStructure *structure, HookLevel level)
{
    return level == HOOK_GPU  ? structure->each == HD_ONE_GPU
           : level == HOOK_L1 ? structure->each == HD_EACH_L1 || structure->each == HD_EACH_CACHE
                              : structure->each == HD_EACH_L2 || structure->each == HD_EACH_CACHE;
}

typedef struct PlannedMechanism {
    const HdMechanism *mechanism;
    unsigned levels; // HD_L1 | HD_L2: where its cache hooks apply
    double parameters[PLAN_PARAMETERS];
    bool after;    // written a>b: it is asked if the mechanism before it passes
    void *library; // its shared object; NULL: built in
    char *given;   // the text of its parameters; NULL: none
    unsigned request_shift, reply_shift; // of its bits in the sideband bits of requests and replies
} PlannedMechanism;

typedef struct HookPlan {
    PlannedMechanism *items;
    size_t count;
    unsigned request_tag_bits, reply_tag_bits; // of all mechanisms together
    unsigned request_field_bits;               // likewise
} HookPlan;

// Finds a mechanism by name (built in) or path (shared object), with a valid declaration
// (declaration.h). NULL and err if there is none. plan_free passes *library to dlclose.
typedef const HdMechanism *MechanismFinder(const char *name, void **library, HdError *err);

// Reads "name:key=value,key=value+name>name" ("none": no mechanism). A text between commas without
// `=` belongs to the value before it. Call plan_free also after a failure.
bool plan_read(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err);
// The same in two steps, between which a configuration with the mechanisms' sections is made and
// filled: plan_open finds the mechanisms; plan_settle takes each parameter from the text, else from
// the configuration (NULL: from the declaration), and checks the whole.
bool plan_open(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err);
bool plan_settle(HookPlan *plan, const Config *config, HdError *err);
void plan_free(HookPlan *plan);

// Whether the mechanism has places at this level: cache hooks, at HOOK_L1 or pipeline hooks, at
// HOOK_GPU those of the GPU.
bool plan_applies(const PlannedMechanism *planned, HookLevel level);
// Whether a mechanism has engines at the slices.
bool plan_has_engine(const HdMechanism *mechanism);
// Whether a structure of this extent is a link between two engines; whether only engines use it.
static inline bool extent_is_link(HdExtent extent)
{
    return extent == HD_FROM_PREVIOUS || extent == HD_FROM_NEXT;
}
static inline bool extent_is_of_engine(HdExtent extent)
{
    return extent == HD_READS || extent_is_link(extent);
}
// Whether it has a queue of prefetches at this level.
bool plan_prefetches(const PlannedMechanism *planned, HookLevel level);
// The flags of a choice of the parameter `levels`: "l1", "l2", "l1,l2"; 0: another text.
#define LEVELS_PARAMETER "levels"
#define PERIOD_PARAMETER "period"
unsigned levels_of_choice(const char *choice);
// Whether a mechanism decides at this level which sectors of a line a miss fetches.
bool plan_is_sectored(const HookPlan *plan, HookLevel level);
// Its cache hooks at this level; none if its parameters choose another level, or at the GPU.
const HdHooks *plan_hooks(const PlannedMechanism *planned, HookLevel level);

// Whether there is a hook that decides: of a cache, of an SM's pipeline.
bool plan_decides(const HdHooks *hooks);
bool plan_core_decides(const HdCoreHooks *hooks);
// Whether there is a hook that reports accesses or lines.
bool plan_sees_lines(const HdHooks *hooks);

// Copy-backs that an SM's queue holds: the maximum over the plan's mechanisms; 0: no copy-backs.
// The plan may be NULL.
unsigned plan_copy_back_queue(const HookPlan *plan);

// Spare registers of a thread that mechanisms use: the maximum over those that inject micro-ops; 0:
// there is none. The plan may be NULL.
unsigned plan_spare_registers(const HookPlan *plan);

#endif
