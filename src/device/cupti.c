// Counts CUPTI's events: see cupti.h.
#include "device/cupti.h"

#include "base/memory.h"
#include "device/cuda_internal.h"

#include <stdlib.h>
#include <string.h>

STAT_TABLE(execution_table, ExecutionCounters, EXECUTION_COUNTERS);

typedef struct CuptiGroup CuptiGroup;

enum { CUPTI_MODE_KERNEL = 1 }; // counts while kernels run, from 0 for each kernel
enum { CUPTI_GROUP_DOMAIN = 0, CUPTI_GROUP_ALL_INSTANCES = 1, CUPTI_GROUP_INSTANCES = 5 };
enum { CUPTI_DOMAIN_INSTANCES = 3 };
#define CUPTI_NO_VALUE (UINT64_MAX - 1) // this and above: no value, or an overflow

// The functions of CUPTI in use; all return 0 or an error code.
#define CUPTI_FUNCTIONS(F)                                                                         \
    F(cuptiGetResultString, (int code, const char **text))                                         \
    F(cuptiSetEventCollectionMode, (CudaContextHandle context, int mode))                          \
    F(cuptiEventGetIdFromName, (int device, const char *name, uint32_t *event))                    \
    F(cuptiDeviceGetEventDomainAttribute,                                                          \
      (int device, uint32_t domain, int attribute, size_t *bytes, void *value))                    \
    F(cuptiEventGroupCreate, (CudaContextHandle context, CuptiGroup **group, uint32_t flags))      \
    F(cuptiEventGroupDestroy, (CuptiGroup *group))                                                 \
    F(cuptiEventGroupAddEvent, (CuptiGroup *group, uint32_t event))                                \
    F(cuptiEventGroupSetAttribute,                                                                 \
      (CuptiGroup *group, int attribute, size_t bytes, void *value))                               \
    F(cuptiEventGroupGetAttribute,                                                                 \
      (CuptiGroup *group, int attribute, size_t *bytes, void *value))                              \
    F(cuptiEventGroupEnable, (CuptiGroup *group))                                                  \
    F(cuptiEventGroupDisable, (CuptiGroup *group))                                                 \
    F(cuptiEventGroupReadEvent,                                                                    \
      (CuptiGroup *group, int flags, uint32_t event, size_t *bytes, uint64_t *values))

typedef struct CuptiApi {
    CUPTI_FUNCTIONS(LIBRARY_POINTER)
} CuptiApi;

// Its names in the toolkits that have events for such chips.
static const char *const files[] = {
    "libcupti.so",      "libcupti.so.12",   "libcupti.so.11.8", "libcupti.so.11.7",
    "libcupti.so.11.6", "libcupti.so.11.5", "libcupti.so.11.4", "libcupti.so.11.3",
    "libcupti.so.11.2", "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so.10.2", NULL};
static const char *const names[] = {CUPTI_FUNCTIONS(LIBRARY_NAME)};

// The value of a counter, by its index, is the sum of its events.
static const struct {
    const char *name;
    size_t counter;
} events[] = {
    {"inst_executed", 0},         {"thread_inst_executed", 1},   {"fb_subp0_read_sectors", 2},
    {"fb_subp1_read_sectors", 2}, {"fb_subp0_write_sectors", 3}, {"fb_subp1_write_sectors", 3},
};

// One event being counted.
typedef struct EventCount {
    CudaReplayHook hook; // the first field: on_launch_end gets its address
    const CuptiApi *api;
    const char *name;
    CuptiGroup *group;
    uint32_t event, instances; // instances: of the event's hardware unit
    uint64_t *values;          // by instance
    uint64_t sum;
} EventCount;

static bool fail_cupti(const EventCount *count, int code, HdError *err)
{
    const char *text = NULL;
    if (count->api->cuptiGetResultString(code, &text) || !text) text = "an unknown error";
    return hd_fail(err, "CUPTI's event %s: error %d, %s", count->name, code, text);
}

static bool add_values(const CudaReplayHook *hook, HdError *err)
{
    EventCount *count = (EventCount *)hook;
    size_t bytes = count->instances * sizeof *count->values;
    int code = count->api->cuptiEventGroupReadEvent(count->group, 0, count->event, &bytes,
                                                    count->values);
    if (code) return fail_cupti(count, code, err);
    for (uint32_t i = 0; i < count->instances; i++) {
        if (count->values[i] >= CUPTI_NO_VALUE)
            return hd_fail(err, "CUPTI's event %s: a unit of the GPU gave no value", count->name);
        count->sum += count->values[i];
    }
    return true;
}

// Counts on every instance of the unit; a count of some of them would be an estimate.
static bool enable(const CudaDevice *cuda, EventCount *count, HdError *err)
{
    const CuptiApi *api = count->api;
    uint32_t domain = 0, all = 1, there = 0;
    size_t bytes = sizeof domain;
    int code = api->cuptiEventGroupAddEvent(count->group, count->event);
    if (!code)
        code = api->cuptiEventGroupSetAttribute(count->group, CUPTI_GROUP_ALL_INSTANCES, sizeof all,
                                                &all);
    if (!code)
        code = api->cuptiEventGroupGetAttribute(count->group, CUPTI_GROUP_DOMAIN, &bytes, &domain);
    if (!code) {
        bytes = sizeof there;
        code = api->cuptiDeviceGetEventDomainAttribute(cuda->device, domain, CUPTI_DOMAIN_INSTANCES,
                                                       &bytes, &there);
    }
    if (!code) code = api->cuptiEventGroupEnable(count->group);
    if (!code) {
        bytes = sizeof count->instances;
        code = api->cuptiEventGroupGetAttribute(count->group, CUPTI_GROUP_INSTANCES, &bytes,
                                                &count->instances);
    }
    if (code) return fail_cupti(count, code, err);
    if (count->instances < there)
        return hd_fail(err, "CUPTI's event %s: only %u of the GPU's %u units can be counted",
                       count->name, count->instances, there);
    count->values = hd_new(count->instances, sizeof *count->values);
    return count->values || hd_fail_memory(err, "counting");
}

static bool count_event(CudaDevice *cuda, EventCount *count, HdError *err)
{
    const CuptiApi *api = count->api;
    int code = api->cuptiEventGetIdFromName(cuda->device, count->name, &count->event);
    if (!code) code = api->cuptiEventGroupCreate(cuda->context, &count->group, 0);
    if (code) return fail_cupti(count, code, err);
    bool ok = enable(cuda, count, err);
    if (ok) {
        ok = cuda_replay(cuda, &count->hook, err);
        code = api->cuptiEventGroupDisable(count->group);
        if (ok && code) ok = fail_cupti(count, code, err);
    }
    api->cuptiEventGroupDestroy(count->group);
    free(count->values);
    return ok;
}

bool device_cuda_count(HdDevice *device, ExecutionCounters *counters, HdError *err)
{
    CudaDevice *cuda = device_state(device);
    CuptiApi api;
    HdError why = {0};
    *counters = (ExecutionCounters){0};
    if (cuda->info.major * 10 + cuda->info.minor > 72)
        return hd_fail(err, "CUPTI has events up to compute capability 7.2; this GPU has %d.%d",
                       cuda->info.major, cuda->info.minor);
    void *library = library_open(files, names, sizeof names / sizeof *names, &api, &why);
    if (!library) return hd_fail(err, "no CUPTI: %s (it comes with the CUDA toolkit)", why.text);
    EventCount mode = {.api = &api, .name = "(any)"};
    int code = api.cuptiSetEventCollectionMode(cuda->context, CUPTI_MODE_KERNEL);
    bool ok = !code || fail_cupti(&mode, code, err);
    for (size_t i = 0; ok && i < sizeof events / sizeof *events; i++) {
        EventCount count = {.hook.on_launch_end = add_values, .api = &api, .name = events[i].name};
        ok = count_event(cuda, &count, err);
        if (ok) ((uint64_t *)counters)[events[i].counter] += count.sum;
    }
    library_close(library);
    return ok;
}
