// The settings: their values, and those of the environment.
#include "device/launch_range.h"
#include "device/settings_internal.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SETTING(key, VARIABLE, kind, field)                                                        \
    {key, "HEDDLE_" VARIABLE, kind, offsetof(Settings, field)}
const Setting settings_known[] = {
    SETTING("machine", "MACHINE", SETTING_TEXT, machine),
    SETTING("mechanism", "MECHANISM", SETTING_TEXT, mechanisms),
    SETTING("set", "SET", SETTING_SET, set),
    SETTING("out", "OUT", SETTING_TEXT, out),
    SETTING("report", "REPORT", SETTING_TEXT, report),
    SETTING("seed", "SEED", SETTING_NUMBER, seed),
    SETTING("threads", "THREADS", SETTING_NUMBER, threads),
    SETTING("max_cycles", "MAX_CYCLES", SETTING_NUMBER, max_cycles),
    SETTING("functional", "FUNCTIONAL", SETTING_SWITCH, functional),
    SETTING("skip_kernels", "SKIP_KERNELS", SETTING_NUMBER, skip_kernels),
    SETTING("detail_kernels", "DETAIL_KERNELS", SETTING_DETAIL, detail),
    SETTING("strict", "STRICT", SETTING_SWITCH, strict),
    {NULL, NULL, SETTING_TEXT, 0},
};

// ---- values ----

static bool read_number(const char *text, uint64_t *value, HdError *why)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return (*text >= '0' && *text <= '9' && !*end && !errno) ||
           hd_fail(why, "'%s' is not a whole number", text);
}

static bool read_switch(const char *text, bool *value, HdError *why)
{
    static const char *const words[][2] = {{"0", "1"}, {"no", "yes"}, {"off", "on"},
                                           {"false", "true"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (unsigned on = 0; on < 2; on++) {
            if (strcmp(text, words[i][on])) continue;
            *value = on;
            return true;
        }
    return hd_fail(why, "'%s' is neither 1 nor 0 (nor yes or no, on or off, true or false)", text);
}

bool setting_assign(Settings *settings, const Setting *setting, const char *text, HdError *why)
{
    void *field = (char *)settings + setting->offset;
    if (setting->kind == SETTING_NUMBER) return read_number(text, field, why);
    if (setting->kind == SETTING_DETAIL)
        return launch_range_parse(text, &settings->detail.first, &settings->detail.last, why);
    if (setting->kind == SETTING_SWITCH) return read_switch(text, field, why);
    const char *copy = hd_arena_text(&settings->texts, text, strlen(text));
    if (!copy) return hd_fail_memory(why, "reading the settings");
    *(const char **)field = copy;
    return true;
}

bool settings_add(Settings *settings, const char *assignment, size_t length, HdError *err)
{
    const char *copy = hd_arena_text(&settings->texts, assignment, length);
    if (copy && HD_PUSH(settings->set, settings->set_count, settings->set_capacity, copy) &&
        hd_reserve(&settings->set, settings->set_count, &settings->set_capacity,
                   sizeof *settings->set)) {
        settings->set[settings->set_count] = NULL;
        return true;
    }
    return hd_fail_memory(err, "reading the settings");
}

// ---- the environment ----

static bool read_list(Settings *settings, const char *text, HdError *err)
{
    for (;;) {
        size_t length = strcspn(text, ";");
        if (length && !settings_add(settings, text, length, err)) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

static bool is_given(const char *variable)
{
    const char *text = getenv(variable);
    return text && *text;
}

static bool read_environment(Settings *settings, HdError *err)
{
    if (is_given("HEDDLE_SKIP_KERNELS") || is_given("HEDDLE_DETAIL_KERNELS")) {
        settings->skip_kernels = 0; // one takes the place of the other, too
        settings->detail.first = settings->detail.last = 0;
    }
    for (const Setting *s = settings_known; s->key; s++) {
        if (!is_given(s->variable)) continue;
        const char *text = getenv(s->variable);
        HdError why = {0};
        bool ok = s->kind == SETTING_SET ? read_list(settings, text, &why)
                                         : setting_assign(settings, s, text, &why);
        if (!ok) return hd_fail(err, "%s: %.1024s", s->variable, why.text);
    }
    return true;
}

// Which launches are simulated in time is said once.
static bool check_launches(const Settings *s, const char *where, HdError *err)
{
    if (s->skip_kernels && s->detail.first)
        return hd_fail(err, "%s: skip_kernels and detail_kernels both say which launches are "
                            "simulated in time; give one", where);
    if (s->functional && (s->skip_kernels || s->detail.first))
        return hd_fail(err, "%s: functional computes without time; skip_kernels and "
                            "detail_kernels have no effect on it", where);
    return true;
}

bool settings_read(Settings *settings, HdError *err)
{
    *settings = (Settings){.machine = SETTINGS_MACHINE};
    return settings_read_file(settings, err) && check_launches(settings, "heddle.yaml", err) &&
           read_environment(settings, err) && check_launches(settings, "HEDDLE_...", err);
}

void settings_free(Settings *settings)
{
    free(settings->set);
    hd_arena_free(&settings->texts);
    *settings = (Settings){0};
}
