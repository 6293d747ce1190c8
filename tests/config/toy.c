// The toy machine: parameter tables, and loading from scratch files.
#include "toy.h"

#include "config/rows.h"

#include <stdio.h>

static const char *const policies[] = {"lrr", "gto", "two-level", NULL};

static const HdParameter core_parameters[] = {
    FREQUENCY(ToyCore, frequency, "700MHz", 1000, 10000000, "Core clock."),
    WHOLE(ToyCore, width, 32, 4, 32, "lanes", "Lanes of a warp."),
    CHOICE(ToyCore, policy, "gto", policies, "Which warp issues."),
    WHOLE(ToyCore, inner, 8, 1, 64, NULL, "Inner set.", .when = "policy=two-level"),
    SWITCH(ToyCore, perfect, false, "No misses.", .when = "policy=gto or two-level"),
    {0},
};

static const HdParameter l1d_parameters[] = {
    BYTES(ToyCache, size, "16KiB", 0, 1 << 20, "Data."),
    BYTES(ToyCache, line, "128B", 32, 256, "Line."),
    WHOLE(ToyCache, ways, 4, 1, 64, NULL, "Ways."),
    ROW(ToyCache, note, "note", HD_TEXT, "Free text.", .text = ""),
    {0},
};

static const ConfigSection sections[] = {
    {"core", core_parameters, offsetof(Toy, core), "One core."},
    {"l1d", l1d_parameters, offsetof(Toy, l1d), "Its data cache."},
    {0},
};

const ConfigSchema toy_schema = {sections, sizeof(Toy)};

Config *toy_new(void)
{
    HdError err = {0};
    Config *config = config_new(&toy_schema, &err);
    if (!config) fail_msg("%s", err.text);
    return config;
}

const Toy *toy_of(const Config *config) { return config_target(config); }

Config *toy_load(const char *name, const char *text)
{
    HdError err = {0};
    Config *config = toy_new();
    if (!config_load(config, scratch_text(name, text), NULL, &err)) fail_msg("%s", err.text);
    return config;
}

void toy_refuses(const char *text, const char *message)
{
    HdError err = {0};
    char expected[HD_ERROR_TEXT];
    Config *config = toy_new();
    const char *path = scratch_text("bad.yaml", text);
    snprintf(expected, sizeof expected, "%s%s", path, message);
    assert_false(config_load(config, path, NULL, &err));
    assert_true(err.set);
    assert_string_equal(err.text, expected);
    config_free(config);
}
