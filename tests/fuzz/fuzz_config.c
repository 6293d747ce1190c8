// Fuzz targets of settings: `machine`, a machine file; `set`, lines of --set; `mechanism`, a list
// of mechanisms; `settings`, a heddle.yaml.
#include "fuzz.h"

#include "device/simulation_settings.h"
#include "gpu/machine.h"
#include "hooks/plan_ranges.h"
#include "mechanisms/mechanism_registry.h"
#include "mechanisms/settings.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 16 };

// A configuration with the default values. Making one takes longer than all else here, so that one
// is used again, with its machine reset, for some inputs.
static Config *fresh_config(void)
{
    enum { INPUTS = 256 };
    static Config *config;
    static Machine defaults;
    static unsigned inputs;
    HdError err = {0};
    HookPlan none = {0};
    if (inputs++ % INPUTS == 0) {
        config_free(config);
        config = settings_new(&machine_schema, &none, &err);
        fuzz_check(config != NULL, err.text);
        defaults = *(const Machine *)config_target(config);
    }
    *(Machine *)config_target(config) = defaults;
    return config;
}

// Checks the machine as a run does.
static void check_machine(Config *config)
{
    char notes[1024];
    HdError err = {0};
    HookPlan plan = {0};
    const char *const *warnings;
    bool ok = machine_check(config_target(config), notes, sizeof notes, &err) &&
              settings_settle(config, &plan, &err);
    fuzz_check(ok != err.set, "a machine, or a message");
    config_warnings(config, &warnings);
}

static void read_machine(const uint8_t *bytes, size_t size)
{
    static const char *const nowhere[] = {NULL};
    HdError err = {0};
    Config *config = fresh_config();
    // A name in this folder: beside a path in /proc/self/fd, `base: ./0` is standard input.
    fuzz_name("machine.yaml", bytes, size);
    bool ok = config_load(config, "machine.yaml", nowhere, &err);
    fuzz_check(ok != err.set, "a configuration, or a message");
    if (ok) check_machine(config);
}

static void read_set(char *text)
{
    HdError err = {0};
    Config *config = fresh_config();
    bool ok = true;
    for (int lines = 0; ok && text && lines < MAX_LINES; lines++)
        ok = config_set(config, strsep(&text, "\n"), "--set", &err);
    fuzz_check(ok != err.set, "a configuration, or a message");
    if (ok) check_machine(config);
}

// Loads no shared object.
static const HdMechanism *find_built_in(const char *name, void **library, HdError *err)
{
    if (!strchr(name, '/')) return mechanism_find(name, library, err);
    hd_fail(err, "no shared objects here");
    return NULL;
}

static void read_mechanisms(const char *text)
{
    HdError err = {0};
    HookPlan plan;
    bool ok = plan_read(&plan, text, find_built_in, &err);
    fuzz_check(ok != err.set, "a plan, or a message");
    plan_free(&plan);
    err = (HdError){0};
    PlanRanges ranges;
    ok = plan_ranges_read(&ranges, text, find_built_in, &err);
    fuzz_check(ok != err.set, "ranges, or a message");
    for (size_t i = 0; ok && i < ranges.texts; i++) free(plan_ranges_text(&ranges, i));
}

static void read_settings(const uint8_t *bytes, size_t size)
{
    HdError err = {0};
    Settings settings = {0};
    fuzz_name("heddle.yaml", bytes, size);
    bool ok = settings_read_file(&settings, &err);
    fuzz_check(ok != err.set, "settings, or a message");
    settings_free(&settings);
}

// Compressed inputs have targets of their own; here they would take most of the time.
static bool is_compressed(const uint8_t *bytes, size_t size)
{
    static const uint8_t gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    return (size >= sizeof gzip && memcmp(bytes, gzip, sizeof gzip) == 0) ||
           (size >= sizeof zstd && memcmp(bytes, zstd, sizeof zstd) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (is_compressed(bytes, size)) return -1; // not for the corpus
    char *text = fuzz_text(bytes, size);
    if (strcmp(fuzz_target, "machine") == 0) read_machine(bytes, size);
    if (strcmp(fuzz_target, "set") == 0) read_set(text);
    if (strcmp(fuzz_target, "mechanism") == 0) read_mechanisms(text);
    if (strcmp(fuzz_target, "settings") == 0) read_settings(bytes, size);
    free(text);
    return 0;
}
