// `heddle machine`: lists machines, shows their parameters and storage, checks their files.
#include "base/text.h"
#include "cli/common/data_directories.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "config/parameter.h"
#include "device/sim.h"
#include "device/simulation_settings.h"
#include "gpu/front_end_storage.h"
#include "mechanisms/settings.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_TEXT = 4096 };

// ---- list ----

static int is_machine_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static int machine_list(void)
{
    Directories directories;
    machine_directories(&directories);
    for (const char *const *directory = directories.paths; *directory; directory++) {
        struct dirent **entries;
        int count = scandir(*directory, &entries, is_machine_file, alphasort);
        if (count < 0) continue;
        char shown[4 * DIRECTORY_TEXT];
        printf("%s:\n", text_escape(shown, sizeof shown, *directory, ""));
        for (int i = 0; i < count; i++) {
            const char *file = entries[i]->d_name;
            char path[DIRECTORY_TEXT + 300];
            HdError err = {0};
            snprintf(path, sizeof path, "%s/%s", *directory, file);
            Config *config = settings_new(&machine_schema, NULL, &err);
            bool ok = config && config_load(config, path, directories.paths, &err);
            text_escape(shown, sizeof shown, file, "");
            printf("%-26.*s %s\n", (int)strlen(shown) - 5, shown,
                   ok ? config_description(config) : "cannot be read; see heddle machine check");
            config_free(config);
            free(entries[i]);
        }
        free(entries);
    }
    if (directories.paths[0]) return cli_flush();
    return cli_fail_with("no folder of machine files was found: expected HEDDLE_MACHINES to name "
                         "one");
}

// ---- show ----

static void show_parameter(const Config *config, const ConfigSection *section,
                           const HdParameter *p)
{
    char value[PARAMETER_TEXT_SIZE + 8], key[96];
    const char *origin = config_origin(config, section->name, p->name);
    const char *slash = strrchr(origin, '/'); // shown without folders
    config_value_text(config, section, p, value, sizeof value);
    snprintf(key, sizeof key, "%s.%s", section->name, p->name);
    printf("%-26s %-12s %-14s %-32s %s\n", key, value, p->unit ? p->unit : "",
           slash ? slash + 1 : origin, p->description);
}

static void machine_show(const Config *config)
{
    printf("%s: %s\n", config_name(config), config_description(config));
    printf("%-26s %-12s %-14s %-32s %s\n", "parameter", "value", "unit", "comes from", "meaning");
    const ConfigSection *section = config_sections(config);
    for (size_t i = 0; machine_schema.sections[i].name; i++, section++) {
        printf("\n# %s\n", section->description);
        for (const HdParameter *p = section->parameters; p->name; p++)
            show_parameter(config, section, p);
    }
    // Of a mechanism, the parameters that are set: `heddle mechanism describe` shows the defaults
    // of the others.
    for (; section->name; section++) {
        bool shown = false;
        for (const HdParameter *p = section->parameters; p->name; p++) {
            if (strcmp(config_origin(config, section->name, p->name), "default") == 0) continue;
            if (!shown) printf("\n# %s, if it is on: %s\n", section->name, section->description);
            shown = true;
            show_parameter(config, section, p);
        }
    }
}

// ---- storage ----

static void machine_storage(const Config *config)
{
    FrontEndStructure all[FRONT_END_STRUCTURES];
    uint64_t sum = 0;
    front_end_storage(config_target(config), all);
    printf("%-24s %8s %6s %10s  %s\n", "structure of an SM", "entries", "bits", "in all", "fields");
    for (const FrontEndStructure *s = all; s->name; s++) {
        sum += s->entries * s->bits;
        printf("%-24s %8" PRIu64 " %6u %10" PRIu64 "  %s\n", s->name, s->entries, s->bits,
               s->entries * s->bits, s->fields);
    }
    printf("%-24s %8s %6s %10" PRIu64 "  %.2f KB\n", "all", "", "", sum, (double)sum / 8 / 1024);
}

// ---- one machine ----

typedef enum Action { LIST, SHOW, CHECK, STORAGE, ACTIONS } Action;

static void machine_check_notes(Config *config, const char *notes)
{
    const char *const *warnings;
    int count = config_warnings(config, &warnings);
    printf("%s: can be built\n", config_name(config));
    for (int i = 0; i < count; i++) printf("warning: %s\n", warnings[i]);
    fputs(notes, stdout);
}

static int act_on_machine(Action action, const char *name, const Settings *settings)
{
    HdError err = {0};
    char notes[NOTES_TEXT];
    Directories directories;
    machine_directories(&directories);
    HdSimulation simulation = {
        .machine = name,
        .directories = directories.paths,
        .set = settings->simulation.set,
    };
    Config *config = sim_machine(&simulation, notes, sizeof notes, &err);
    if (!config) return cli_fail(&err);
    switch (action) {
    case SHOW: machine_show(config); break;
    case STORAGE: machine_storage(config); break;
    default: machine_check_notes(config, notes);
    }
    config_free(config);
    return cli_flush();
}

static int dispatch(const CommandLine *line, void *options)
{
    static const char *const actions[ACTIONS] = {"list", "show", "check", "storage"};
    const Settings *settings = options;
    int count = line->argument_count;
    const char *name = count ? line->arguments[0] : "list";
    Action action = LIST;
    while (action < ACTIONS && strcmp(name, actions[action]) != 0) action++;
    if (action == ACTIONS) {
        const char *near = hd_nearest(name, actions, ACTIONS);
        return cli_fail_with("machine '%s': expected list, show, check or storage%s%s%s (see "
                             "heddle machine --help)", name, HD_DID_YOU_MEAN(near));
    }
    bool list = action == LIST;
    if ((list ? count > 1 : count != 2) || (list && settings->simulation.set))
        return cli_fail_with("machine %s: expected %s (see heddle machine --help)", name,
                             list ? "nothing else" : "one machine, by name or path");
    return list ? machine_list() : act_on_machine(action, line->arguments[1], settings);
}

static int cmd_machine(int argc, char **argv)
{
    Settings settings = {0};
    return command_line_run(&command_machine, dispatch, &settings, (void *[]){&settings}, argc,
                            argv);
}

const Command command_machine = {
    .name = "machine",
    .summary = "list, show and check machine files",
    .synopsis = "machine [list]\n"
                "machine show NAME|PATH [--set KEY=VALUE]...\n"
                "machine check NAME|PATH [--set KEY=VALUE]...\n"
                "machine storage NAME|PATH [--set KEY=VALUE]...",
    .description =
        "  list     the machine files that names are looked up in\n"
        "  show     every parameter: its value, where the value comes from, and what it means;\n"
        "           of mechanisms, the parameters that are set\n"
        "  check    whether the machine can be built, its quantum (the round trip from an SM to\n"
        "           the L2, for which SMs run on their own), and values that may be unintended\n"
        "  storage  the bits of an SM's front end beside decoded instructions and registers:\n"
        "           tags, masks and states of buffers, waves and warps\n"
        "\n"
        "Machines are looked up in $HEDDLE_MACHINES, next to the program, and in the source tree.",
    .tables = {simulation_options},
    .bit = OF_MACHINE,
    .run = cmd_machine,
};
