// The options of what is run, and which of them go together.
#include "cli/run/run_options.h"

#include "base/number.h"
#include "cli/common/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Power is measured over a window that holds several samples of the meter.
static bool parse_seconds(const Option *option, void *values, const OptionInput *input)
{
    char *end;
    double *seconds = &((RunOptions *)values)->seconds;
    (void)option;
    *seconds = number_read(input->text, &end);
    return (*input->text && !*end && *seconds >= 0.1 && *seconds <= 3600) ||
           option_expected(input, "a number from 0.1 to 3600");
}

#define TARGET(field) .target = offsetof(RunOptions, field)

static const char workload_group[] = "workload";
static const char kernel_group[] = "kernel of a PTX file";
static const char gpu_group[] = "a real GPU instead of the simulator";
static const char *const backends[] = {"sim", "cuda", NULL};

const Option run_options[] = {
    {.name = "impl", .type = OPTION_TEXT, TARGET(implementation), .value = "NAME",
     .group = workload_group, .commands = OF_RUNS, .when = WHEN_WORKLOAD,
     .help = "the implementation (default: the first that `heddle workload` lists)"},
    {.name = "graph", .type = OPTION_TEXT, TARGET(graph), .value = "GRAPH",
     .group = workload_group, .commands = OF_RUNS | OF_DEMO, .when = WHEN_WORKLOAD | WHEN_GRAPH,
     .help = "a file or a spec, see `heddle graph --help` (default rmat:16,8)"},
    {.name = "source", .type = OPTION_PARSED, .parse = graph_source_parse, TARGET(source),
     .value = "VERTEX|largest", .group = workload_group, .commands = OF_RUNS,
     .when = WHEN_WORKLOAD,
     .help = "the vertex where a search starts, a number or the name that a list of edges gives it "
             "(default 0); largest: the vertex of the greatest degree, the lowest of equals"},
    {.name = "param", .type = OPTION_LIST, TARGET(parameters), .value = "NAME=VALUE",
     .group = workload_group, .commands = OF_RUNS, .when = WHEN_WORKLOAD,
     .help = "a parameter of the workload (`heddle workload NAME` lists them); may be repeated"},
    {.name = "ptx", .type = OPTION_TEXT, TARGET(ptx), .value = "FILE", .group = workload_group,
     .commands = OF_RUNS, .when = WHEN_WORKLOAD,
     .help = "take the kernels from this file instead"},
    {.name = "block", .type = OPTION_SHAPE, TARGET(block), .value = "N|X,Y,Z",
     .group = workload_group, .commands = OF_RUNS,
     .help = "threads per block (workloads: one number; by default the workload's)"},
    {.name = "entry", .type = OPTION_TEXT, TARGET(entry), .value = "KERNEL", .group = kernel_group,
     .commands = OF_RUNS, .when = WHEN_KERNEL,
     .help = "the kernel's name, with or without C++ mangling"},
    {.name = "grid", .type = OPTION_SHAPE, TARGET(grid), .value = "X[,Y[,Z]]",
     .group = kernel_group, .commands = OF_RUNS, .when = WHEN_KERNEL,
     .help = "blocks of the launch; --block gives their threads"},
    {.name = "arg", .type = OPTION_LIST, TARGET(args), .value = "ARG", .group = kernel_group,
     .commands = OF_RUNS, .when = WHEN_KERNEL,
     .help = "an argument, in order: i32:N u32:N i64:N u64:N f32:X f64:X, or "
             "buf:SIZE[:NAME][=fill:BYTE | =file:PATH], such as buf:1MiB:data=fill:0"},
    {.name = "shared", .type = OPTION_SIZE, TARGET(dynamic_shared), .value = "SIZE",
     .group = kernel_group, .commands = OF_RUNS, .when = WHEN_KERNEL,
     .help = "dynamic shared memory per block"},
    {.name = "dump", .type = OPTION_LIST, TARGET(dumps), .value = "N=FILE", .group = kernel_group,
     .commands = OF_RUN, .when = WHEN_KERNEL,
     .help = "write the buffer of argument N (the first is 0) to FILE after the run"},
    {.name = "check", .type = OPTION_FLAG, TARGET(check), .commands = OF_RUN,
     .help = "check options, machine, mechanisms and kernels, and run nothing"},
    {.name = "backend", .type = OPTION_CHOICE, TARGET(backend), .value = "sim|cuda",
     .group = gpu_group, .choices = backends, .commands = OF_RUN,
     .help = "simulate (default), or run on this host's NVIDIA GPU and measure the time "
             "(docs/cuda-backend.md); options of machine and run without effect are then refused"},
    {.name = "seconds", .type = OPTION_PARSED, .parse = parse_seconds, .value = "S",
     .group = gpu_group, .commands = OF_RUN, .when = WHEN_REAL,
     .help = "with --backend cuda: repeat the program for S seconds; measure power and energy"},
    {.name = "counts", .type = OPTION_FLAG, TARGET(counts), .group = gpu_group,
     .commands = OF_RUN, .when = WHEN_REAL,
     .help = "with --backend cuda: count instructions and DRAM transactions, by CUPTI where the "
             "GPU has it, else by a simulation of --machine"},
    {0},
};

// Does the option have an effect on this run? An option without effect is a mistake, unless it
// would not change the result.
static bool check_effect(const RunOptions *o, const Option *option, HdError *err)
{
    unsigned when = option->when;
    bool counted = o->counts && when & WHEN_COUNTED, cuda = o->backend == BACKEND_CUDA;
    if (o->raw && when & WHEN_WORKLOAD)
        return hd_fail(err, "--%s: expected with a workload, not with a kernel of %s",
                       option->name, o->target);
    if (!o->raw && when & WHEN_KERNEL)
        return hd_fail(err, "--%s: expected with a kernel of a PTX file, not with the workload %s",
                       option->name, o->target);
    if (!cuda && when & WHEN_REAL)
        return hd_fail(err, "--%s: expected with --backend cuda only%s", option->name,
                       o->counts ? ", because the simulator always counts" : "");
    if (cuda && when & WHEN_SIMULATED && !counted)
        return hd_fail(err, "--%s has no effect with --backend cuda: expected with the simulator",
                       option->name);
    bool functional = o->settings.simulation.functional;
    return !functional || !(when & WHEN_TIMED) ||
           hd_fail(err, "--%s has no effect with --functional, which runs no launch timed",
                   option->name);
}

static bool check(RunOptions *o, HdError *err)
{
    const CommandLine *line = &o->line;
    if (!line->argument_count)
        return hd_fail(err, "nothing to run: expected a workload (`heddle workload` lists them) or "
                            "a PTX file");
    if (line->argument_count > 1)
        return hd_fail(err, "'%s': expected one workload or PTX file; a graph is given by --graph",
                       line->arguments[1]);
    o->target = line->arguments[0];
    size_t length = strlen(o->target);
    o->raw = strchr(o->target, '/') ||
             (length > 4 && strcmp(o->target + length - 4, ".ptx") == 0);
    for (size_t i = 0; i < line->given_count; i++) {
        const Option *option = line->given[i].option;
        if (!check_effect(o, option, err)) return false;
        if (option->when & WHEN_GRAPH) o->graph_option = option->name;
    }
    if (!o->raw && (o->block[1] != 1 || o->block[2] != 1))
        return hd_fail(err, "--block: expected one number for a workload, threads per block");
    struct stat about;
    if (o->raw && stat(o->target, &about) != 0)
        return hd_fail(err, "%s: cannot be read: %s", o->target, strerror(errno));
    if (o->raw && S_ISDIR(about.st_mode))
        return hd_fail(err, "%s: is a folder: expected a PTX file", o->target);
    if (o->raw && !o->entry)
        return hd_fail(err, "%s: expected --entry with the name of a kernel", o->target);
    return !o->raw || (command_line_has(line, "grid") && command_line_has(line, "block")) ||
           hd_fail(err, "%s: expected --grid and --block with the shape of the launch", o->target);
}

void run_options_init(RunOptions *o)
{
    *o = (RunOptions){
        .graph = "rmat:16,8",
        .settings.simulation.machine = "fermi-gtx480",
        .block = {256, 1, 1},
    };
}

bool run_options_start(RunOptions *o, const Command *command, void *own, int argc, char **argv,
                       int *status)
{
    HdError err = {0};
    void *const values[] = {own, o, &o->graph_changes, &o->settings};
    run_options_init(o);
    if (!command_line_start(&o->line, command, values + !own, argc, argv, status)) return false;
    if (check(o, &err)) return true;
    *status = cli_fail(&err);
    return false;
}

void run_options_free(RunOptions *o)
{
    command_line_free(&o->line);
}
