// Which mechanisms a simulation has, with their parameters, in the order in which they are asked:
// what --mechanism says, checked.
#ifndef HEDDLE_HOOKS_PLAN_H
#define HEDDLE_HOOKS_PLAN_H

#include "config/config.h"
#include "heddle/mechanism.h"

// At most: parameters of one mechanism; bits of a request or a reply, of all mechanisms together.
enum { PLAN_PARAMETERS = 32, PLAN_NOTE_BITS = 32 };

typedef enum HookLevel { HOOK_L1, HOOK_L2, HOOK_LEVELS } HookLevel;
const char *hook_level_name(HookLevel level); // "l1", "l2"
static inline unsigned hook_level_flag(HookLevel level) { return level == HOOK_L1 ? HD_L1 : HD_L2; }
// Is there one of this structure at each place of the level, if the mechanism has hooks there?
static inline bool hook_is_at(const HdStructure *structure, HookLevel level)
{
    return structure->each == HD_EACH_CACHE ||
           structure->each == (level == HOOK_L1 ? HD_EACH_L1 : HD_EACH_L2);
}

typedef struct PlannedMechanism {
    const HdMechanism *mechanism;
    unsigned levels; // HD_L1 | HD_L2: where its cache hooks apply
    double parameters[PLAN_PARAMETERS];
    bool after; // written a>b: it is asked what the one before it passes on
    void *library; // that holds it; NULL: built in
    char *given;   // its parameters as they were written; NULL: none
    unsigned request_shift, reply_shift; // where its bits lie in the notes of requests and replies
} PlannedMechanism;

typedef struct HookPlan {
    PlannedMechanism *items;
    size_t count;
    unsigned request_tag_bits, reply_tag_bits; // of all mechanisms together
} HookPlan;

// Finds a mechanism by name or path: built-in ones, shared objects. NULL and err where it is not.
// What it declares can be (declaration.h). *library is what plan_free hands to dlclose.
typedef const HdMechanism *MechanismFinder(const char *name, void **library, HdError *err);

// Reads "name:key=value,key=value+name>name" ("none": no mechanism). A piece between commas without
// `=` belongs to the value before it. plan_free after failure too.
bool plan_read(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err);
// The same in two steps, between which a configuration with the mechanisms' sections is made and
// filled: plan_open finds the mechanisms; plan_settle takes each parameter from the text, else from
// the configuration (NULL: from the declaration), and checks the whole.
bool plan_open(HookPlan *plan, const char *text, MechanismFinder *find, HdError *err);
bool plan_settle(HookPlan *plan, const Config *config, HdError *err);
void plan_free(HookPlan *plan);

// Has the mechanism sites at this level: hooks of the caches there, or of the pipeline at HOOK_L1?
bool plan_applies(const PlannedMechanism *planned, HookLevel level);
// The flags of a choice of the parameter `levels`: "l1", "l2", "l1,l2"; 0: it is none of these.
#define LEVELS_PARAMETER "levels"
unsigned levels_of_choice(const char *choice);
// Does one of them decide at this level which parts of a line a miss fetches?
bool plan_fetches(const HookPlan *plan, HookLevel level);
// Its hooks of the caches there; none where its parameters say another level.
const HdHooks *plan_hooks(const PlannedMechanism *planned, HookLevel level);

// Is there a hook that decides: of a cache, of an SM's pipeline?
bool plan_decides(const HdHooks *hooks);
bool plan_core_decides(const HdCoreHooks *hooks);

// Copy-backs that an SM's queue holds: the most that a mechanism of the plan says; 0: none copies
// back. NULL: no plan.
unsigned plan_queue(const HookPlan *plan);

#endif
