// The settings, from the environment.
#include "cudart/settings.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const char *variable, const char *otherwise)
{
    const char *text = getenv(variable);
    return text && *text ? text : otherwise;
}

static bool number_of(const char *variable, uint64_t *value, HdError *err)
{
    const char *text = text_of(variable, NULL);
    if (!text) return true;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno) return true;
    return hd_fail(err, "%s: '%s' is not a number", variable, text);
}

static bool switch_of(const char *variable, bool *value, HdError *err)
{
    const char *text = text_of(variable, "0");
    *value = !strcmp(text, "1");
    if (*value || !strcmp(text, "0")) return true;
    return hd_fail(err, "%s: '%s' is not 0 or 1", variable, text);
}

// "a=1;b=2" becomes a list.
static bool read_set(Settings *settings, HdError *err)
{
    const char *text = text_of("HEDDLE_SET", NULL);
    if (!text) return true;
    settings->set_text = strdup(text);
    settings->set = hd_new(strlen(text) + 2, sizeof *settings->set);
    if (!settings->set_text || !settings->set) return hd_fail_memory(err, "reading HEDDLE_SET");
    size_t count = 0;
    char *rest = settings->set_text, *part;
    while ((part = strsep(&rest, ";")))
        if (*part) settings->set[count++] = part;
    return true;
}

bool settings_read(Settings *settings, HdError *err)
{
    *settings = (Settings){.machine = text_of("HEDDLE_MACHINE", "volta-v100"),
                           .mechanisms = text_of("HEDDLE_MECHANISM", NULL)};
    return number_of("HEDDLE_SEED", &settings->seed, err) &&
           number_of("HEDDLE_THREADS", &settings->threads, err) &&
           number_of("HEDDLE_MAX_CYCLES", &settings->max_cycles, err) &&
           switch_of("HEDDLE_FUNCTIONAL", &settings->functional, err) && read_set(settings, err);
}

void settings_free(Settings *settings)
{
    free(settings->set_text);
    free(settings->set);
    *settings = (Settings){0};
}
