// The options of a simulation, and their values from the environment.
#include "device/simulation_settings.h"

#include "base/team.h"

#include <stdlib.h>
#include <string.h>

// --skip-kernels K: the launches from K + 1 on are timed.
static bool parse_skip(const Option *option, void *values, const OptionInput *input)
{
    Settings *settings = values;
    uint64_t count;
    (void)option;
    if (!option_read_number(input, 0, INT64_MAX, &count)) return false;
    settings->simulation.detail_first = count + 1;
    settings->simulation.detail_last = 0;
    return true;
}

static bool parse_detail(const Option *option, void *values, const OptionInput *input)
{
    HdSimulation *s = &((Settings *)values)->simulation;
    (void)option;
    return option_read_range(input, 1, true, &s->detail_first, &s->detail_last);
}

// KERNEL=N,KERNEL=N
static bool parse_registers(const Option *option, void *values, const OptionInput *input)
{
    Settings *settings = values;
    (void)option;
    for (const char *rest = input->text; *rest;) {
        size_t length = strcspn(rest, ","), name = strcspn(rest, "=,");
        const char *number = rest + name + 1; // if there is a =
        unsigned long count = name < length ? strtoul(number, NULL, 10) : 0;
        bool digits = name < length && number + strspn(number, "0123456789") == rest + length;
        if (!name || !digits || count < 1 || count > 255)
            return option_expected(input, "KERNEL=N,KERNEL=N, each N from 1 to 255");
        if (!option_list_add(&settings->simulation.registers, rest, length, input->arena,
                             input->err))
            return false;
        rest += length + (rest[length] != 0);
    }
    return true;
}

#define SETTING(field) .target = offsetof(Settings, field)
#define SIMULATION(field) .target = offsetof(Settings, simulation.field)

static const char machine_group[] = "machine";
static const char run_group[] = "run";
static const char timed_launches[] = "which launches are timed";
static const char *const no_report[] = {"none", NULL};

const Option simulation_options[] = {
    {.name = "machine", .type = OPTION_TEXT, SIMULATION(machine), .value = "NAME|PATH",
     .group = machine_group, .commands = OF_RUNS | OF_DEMO | OF_ADVISE | OF_CUDA,
     .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "a machine, by its name or by the path of its file (default fermi-gtx480; for CUDA "
             "programs " SETTINGS_MACHINE "); `heddle machine list` shows the names"},
    {.name = "set", .type = OPTION_LIST, SIMULATION(set), .value = "KEY=VALUE", .separator = ';',
     .group = machine_group, .commands = OF_RUNS | OF_MACHINE | OF_CUDA,
     .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "change a parameter of the machine or of a mechanism, such as l1d.size=48KiB; "
             "optional=NAME,NAME: sections that may be missing; may be repeated"},
    {.name = "registers", .type = OPTION_PARSED, .parse = parse_registers,
     .value = "KERNEL=N,...", .separator = ',', .group = machine_group,
     .commands = OF_RUNS | OF_CUDA,
     .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "registers per thread of kernels, instead of the compiler's count"},
    {.name = "mechanism", .type = OPTION_TEXT, SIMULATION(mechanisms), .value = "LIST",
     .separator = '+', .group = machine_group, .commands = OF_RUN | OF_TRACE | OF_CUDA,
     .when = WHEN_SIMULATED, // for --functional see device_sim_check_functional
     .help = "mechanisms, each NAME[:KEY=VALUE,...], joined by + (`heddle mechanism` lists them); "
             "in 'a>b', b decides where a passes (quote the > for the shell); a NAME with a slash "
             "is the path of a shared object"},
    {.name = "seed", .type = OPTION_U64, SIMULATION(seed), .value = "N", .max = INT64_MAX,
     .group = machine_group, .commands = OF_RUNS | OF_CUDA, .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "seed of all random choices of the machine (default 0)"},
    {.name = "out", .type = OPTION_OUTPUT, SETTING(out), .value = "FILE", .group = run_group,
     .commands = OF_RUN | OF_CUDA, .help = "write every counter as JSON"},
    {.name = "store", .type = OPTION_OUTPUT, SETTING(store), .value = "FILE", .group = run_group,
     .commands = OF_RUN | OF_CUDA, .when = WHEN_SIMULATED,
     .help = "add the result, with every launch in full, to a store (heddle query)"},
    {.name = "per-kernel", .type = OPTION_FLAG, SETTING(per_kernel), .group = run_group,
     .commands = OF_RUN | OF_COMPARE | OF_CUDA, .when = WHEN_SIMULATED,
     .help = "write every launch in full into the JSON"},
    {.name = "report", .type = OPTION_OUTPUT, SETTING(report), .value = "FILE|none",
     .choices = no_report, .group = run_group, .commands = OF_CUDA,
     .help = "write the report to a file, or none at all (default: to stderr)"},
    {.name = "strict", .type = OPTION_FLAG, SIMULATION(strict), .group = run_group,
     .commands = OF_CUDA,
     .help = "make each access outside an allocation a fault, also where the driver's granule of "
             "2 MiB would hide it; report each shuffle that reads an inactive lane"},
    {.name = "functional", .type = OPTION_FLAG, SIMULATION(functional), .group = run_group,
     .commands = OF_RUN | OF_TRACE | OF_CUDA, .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "compute results only: no cycles, no caches, about ten times as fast"},
    {.name = "skip-kernels", .type = OPTION_PARSED, .parse = parse_skip, .value = "K",
     .group = run_group, .commands = OF_RUNS | OF_CUDA, .when = WHEN_SIMULATED | WHEN_TIMED,
     .exclusive = timed_launches,
     .help = "run the first K launches functionally; they warm the caches"},
    {.name = "detail-kernels", .type = OPTION_PARSED, .parse = parse_detail, .value = "A..B",
     .group = run_group, .commands = OF_RUNS | OF_CUDA, .when = WHEN_SIMULATED | WHEN_TIMED,
     .exclusive = timed_launches,
     .help = "time only launches A to B, or A alone (the first is 1); the launches before A warm "
             "the caches"},
    {.name = "max-cycles", .type = OPTION_U64, SIMULATION(max_cycles), .value = "N", .min = 1,
     .group = run_group, .commands = OF_RUNS | OF_CUDA, .when = WHEN_SIMULATED | WHEN_TIMED,
     .help = "stop in a launch that takes more core cycles; where it runs functionally, an SM "
             "counts the least in which it could issue its instructions"},
    {.name = "max-instructions", .type = OPTION_U64, SIMULATION(max_instructions), .value = "N",
     .min = 1, .group = run_group, .commands = OF_RUNS, .when = WHEN_SIMULATED,
     .help = "stop after N warp instructions over all launches"},
    {.name = "max-thread-instructions", .type = OPTION_U64, SIMULATION(max_thread_instructions),
     .value = "N", .min = 1, .max = INT64_MAX, .group = run_group,
     .commands = OF_RUN | OF_COMPARE | OF_CUDA, .when = WHEN_SIMULATED | WHEN_TIMED,
     .help = "end the timing after N thread instructions of the timed launches, in a launch or "
             "not; the rest of the program runs functionally, and the answer is checked"},
    // Commands that open graphs have the row of graph_options instead.
    {.name = "max-memory", .type = OPTION_SIZE, SIMULATION(max_memory), .value = "SIZE",
     .environment = true, .group = run_group, .commands = OF_CUDA | OF_DEMO, .when = WHEN_SIMULATED,
     .help = "memory of this host that the kernels' data may take: what they and copies write, and "
             "their local memory (default: HEDDLE_MAX_MEMORY, else what this host has left)"},
    {.name = "threads", .type = OPTION_U32, SIMULATION(threads), .value = "N", .min = 1,
     .max = TEAM_MAX_THREADS, .group = run_group, .commands = OF_RUNS | OF_CUDA,
     .when = WHEN_SIMULATED | WHEN_COUNTED,
     .help = "host threads (default: one per CPU); the result is the same"},
    {.name = "no-skip", .type = OPTION_FLAG, SIMULATION(no_skip), .group = run_group,
     .commands = OF_RUNS, .when = WHEN_SIMULATED | WHEN_TIMED,
     .help = "simulate idle cycles one by one, as a check: the result is the same"},
    {.name = "shuffle", .type = OPTION_U64, SIMULATION(shuffle), .value = "SEED",
     .group = run_group, .commands = OF_RUNS, .when = WHEN_SIMULATED,
     .help = "simulate the SMs in a random order and give them to random threads, as a check: the "
             "result is the same"},
    {.name = "quiet", .type = OPTION_FLAG, SETTING(quiet), .group = run_group, .commands = OF_RUN,
     .help = "print no report and no progress line"},
    {0},
};

// ---- the environment ----

// The option's text in the environment; NULL where it is not given.
static const char *variable_text(const Option *option, char variable[OPTION_NAME_TEXT])
{
    option_variable(option, variable);
    const char *text = option->commands & OF_CUDA ? getenv(variable) : NULL;
    return text && *text ? text : NULL;
}

bool settings_read(Settings *settings, HdError *err)
{
    *settings = (Settings){.simulation.machine = SETTINGS_MACHINE};
    const HdSimulation *s = &settings->simulation;
    char variable[OPTION_NAME_TEXT], other[OPTION_NAME_TEXT];
    if (!settings_read_file(settings, err)) return false;
    for (const Option *option = simulation_options; option->name; option++) {
        const char *text = variable_text(option, variable);
        if (!text) continue;
        for (const Option *o = simulation_options; o < option; o++)
            if (option_excludes(o, option) && variable_text(o, other))
                return option_fail_both(other, variable, option, err);
        OptionInput input = {.where = variable, .text = text, .arena = &settings->arena,
                             .err = err};
        if (!option_assign(option, settings, &input)) return false;
    }
    return !s->functional || !s->detail_first ||
           hd_fail(err, "functional runs no launch timed: expected neither skip_kernels nor "
                        "detail_kernels with it");
}

void settings_free(Settings *settings)
{
    hd_arena_free(&settings->arena);
    *settings = (Settings){0};
}
