// A fake libcupti.so. Its unit has two instances: in each kernel the first counts 100 of each
// event, the second 1. FAKE_UNITS=3 reports one more unit than can be observed.
#include "fake.h"

#include <stdbool.h>
#include <stdint.h>

static const char *const events[] = {
    "inst_executed",         "thread_inst_executed",   "fb_subp0_read_sectors",
    "fb_subp1_read_sectors", "fb_subp0_write_sectors", "fb_subp1_write_sectors",
};

typedef struct Group {
    uint32_t event;
    bool all, enabled;
} Group;

EXPORT int cuptiGetResultString(int code, const char **text)
{
    *text = code == 35 ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR_OTHER";
    return 0;
}

EXPORT int cuptiSetEventCollectionMode(void *context, int mode)
{
    CALL("cuptiSetEventCollectionMode", " %d", mode);
    return context == NULL;
}

EXPORT int cuptiEventGetIdFromName(int device, const char *name, uint32_t *event)
{
    CALL("cuptiEventGetIdFromName", " %d %s", device, name);
    for (uint32_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (strcmp(name, events[i]) != 0) continue;
        *event = i + 50;
        return 0;
    }
    return 6;
}

EXPORT int cuptiDeviceGetEventDomainAttribute(int device, uint32_t domain, int attribute,
                                              size_t *bytes, void *value)
{
    CALL("cuptiDeviceGetEventDomainAttribute", " %d %u %d", device, domain, attribute);
    const char *text = getenv("FAKE_UNITS");
    if (*bytes != sizeof(uint32_t)) return 10;
    *(uint32_t *)value = text ? (uint32_t)atoi(text) : 2;
    return 0;
}

EXPORT int cuptiEventGroupCreate(void *context, Group **group, uint32_t flags)
{
    CALL("cuptiEventGroupCreate", " %u", flags);
    *group = calloc(1, sizeof **group);
    return context == NULL || !*group;
}

EXPORT int cuptiEventGroupDestroy(Group *group)
{
    CALL("cuptiEventGroupDestroy", "");
    free(group);
    return 0;
}

EXPORT int cuptiEventGroupAddEvent(Group *group, uint32_t event)
{
    CALL("cuptiEventGroupAddEvent", " %u", event);
    group->event = event;
    return 0;
}

EXPORT int cuptiEventGroupSetAttribute(Group *group, int attribute, size_t bytes, void *value)
{
    CALL("cuptiEventGroupSetAttribute", " %d", attribute);
    group->all = attribute == 1 && bytes == sizeof(uint32_t) && *(uint32_t *)value;
    return 0;
}

EXPORT int cuptiEventGroupGetAttribute(Group *group, int attribute, size_t *bytes, void *value)
{
    CALL("cuptiEventGroupGetAttribute", " %d", attribute);
    if (*bytes != sizeof(uint32_t)) return 10;
    *(uint32_t *)value = attribute == 0 ? 9 : group->all ? 2 : 1;
    return 0;
}

EXPORT int cuptiEventGroupEnable(Group *group)
{
    CALL("cuptiEventGroupEnable", "");
    group->enabled = true;
    return 0;
}

EXPORT int cuptiEventGroupDisable(Group *group)
{
    CALL("cuptiEventGroupDisable", "");
    group->enabled = false;
    return 0;
}

EXPORT int cuptiEventGroupReadEvent(Group *group, int flags, uint32_t event, size_t *bytes,
                                    uint64_t *values)
{
    CALL("cuptiEventGroupReadEvent", " %d %u", flags, event);
    if (!group->enabled || event != group->event || *bytes != 2 * sizeof *values) return 1;
    values[0] = 100;
    values[1] = getenv("FAKE_LOST") ? UINT64_MAX : 1;
    return 0;
}
