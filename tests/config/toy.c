// The toy machine: parameter tables, and loading from scratch files.
#include "toy.h"

#include <stdio.h>

static const char *const policies[] = {"lrr", "gto", "two-level", NULL};

static const Knob core_knobs[] = {
    {.key = "frequency", .type = KNOB_FREQUENCY, .offset = offsetof(ToyCore, frequency),
     .value = "700MHz", .min = 1000, .max = 10000000, .doc = "Core clock."},
    {.key = "width", .type = KNOB_COUNT, .offset = offsetof(ToyCore, width), .value = "32",
     .min = 4, .max = 32, .unit = "lanes", .doc = "Lanes of a warp."},
    {.key = "policy", .type = KNOB_CHOICE, .offset = offsetof(ToyCore, policy), .value = "gto",
     .choices = policies, .doc = "Which warp issues."},
    {.key = "inner", .type = KNOB_COUNT, .offset = offsetof(ToyCore, inner), .value = "8",
     .min = 1, .max = 64, .when = "policy=two-level", .doc = "Inner set."},
    {.key = "perfect", .type = KNOB_SWITCH, .offset = offsetof(ToyCore, perfect),
     .value = "false", .when = "policy=gto or two-level", .doc = "No misses."},
    {0},
};

static const Knob l1d_knobs[] = {
    {.key = "size", .type = KNOB_BYTES, .offset = offsetof(ToyCache, size), .value = "16KiB",
     .min = 0, .max = 1 << 20, .doc = "Data."},
    {.key = "line", .type = KNOB_BYTES, .offset = offsetof(ToyCache, line), .value = "128B",
     .min = 32, .max = 256, .doc = "Line."},
    {.key = "ways", .type = KNOB_COUNT, .offset = offsetof(ToyCache, ways), .value = "4",
     .min = 1, .max = 64, .doc = "Ways."},
    {.key = "note", .type = KNOB_TEXT, .offset = offsetof(ToyCache, note), .value = "",
     .doc = "Free text."},
    {0},
};

static const ConfigSection sections[] = {
    {"core", core_knobs, offsetof(Toy, core), "One core."},
    {"l1d", l1d_knobs, offsetof(Toy, l1d), "Its data cache."},
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
