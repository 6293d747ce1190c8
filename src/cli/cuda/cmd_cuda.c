// `heddle cuda`: starts a CUDA program so that it finds Heddle's runtime instead of NVIDIA's.
//
// The program replaces this process, so output, exit status and signals are its own. The options
// reach its runtime in the environment.
#include "cli/common/messages.h"

#include "cli/common/data_directories.h"
#include "cli/cuda/program_libraries.h"
#include "cli/options/command_line.h"
#include "device/sim.h"
#include "device/simulation_settings.h"
#include "heddle/device.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- the environment of the program ----

static bool put(const char *name, const char *value, HdError *err)
{
    return setenv(name, value, 1) == 0 || hd_fail_memory(err, "starting a program");
}

// Adds `value` before or after the variable's value.
static bool join(const char *name, const char *value, char separator, bool front, HdError *err)
{
    const char *old = getenv(name);
    if (!old || !*old) return put(name, value, err);
    size_t size = strlen(old) + strlen(value) + 2;
    char *text = malloc(size);
    if (!text) return hd_fail_memory(err, "starting a program");
    snprintf(text, size, "%s%c%s", front ? value : old, separator, front ? old : value);
    bool ok = put(name, text, err);
    free(text);
    return ok;
}

// Passes an option to the program in the environment. The option replaces the variable's value;
// given again, it is joined to it.
static bool put_option(const GivenOption *given, bool first, HdError *err)
{
    const Option *option = given->option;
    const char *text = given->text ? given->text : "1";
    char variable[OPTION_NAME_TEXT], folder[DIRECTORY_TEXT], whole[2 * DIRECTORY_TEXT];
    for (const Option *o = simulation_options; o->name; o++) {
        if (!option_excludes(o, option)) continue;
        option_variable(o, variable);
        unsetenv(variable);
    }
    option_variable(option, variable);
    if (!first && option->separator) return join(variable, text, option->separator, false, err);
    bool choice = option->choices && strcmp(text, *option->choices) == 0;
    if (option->type != OPTION_OUTPUT || choice || *text == '/' || !getcwd(folder, sizeof folder))
        return put(variable, text, err);
    // Absolute, because the program may change its folder before it ends.
    snprintf(whole, sizeof whole, "%s/%s", folder, text);
    return put(variable, whole, err);
}

static bool put_options(const CommandLine *line, HdError *err)
{
    for (size_t i = 0; i < line->given_count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) first &= line->given[k].option != line->given[i].option;
        if (!put_option(&line->given[i], first, err)) return false;
    }
    return line->argument_count ||
           hd_fail(err, "nothing to run: expected a program, as in `heddle cuda ./app` (see heddle "
                        "cuda --help)");
}

// ---- the program ----

// Checks the options of the command line against --functional, as `heddle run` does.
static bool check_functional(const CommandLine *line, const Settings *s, HdError *err)
{
    for (size_t i = 0; s->simulation.functional && i < line->given_count; i++) {
        const Option *option = line->given[i].option;
        if (option->when & WHEN_TIMED)
            return hd_fail(err, "--%s has no effect with --functional, which runs no launch timed",
                           option->name);
    }
    return true;
}

// Opens the program's machine and closes it again: reports a mistake before the program starts.
static bool check_machine(const CommandLine *line, const Settings *s, HdError *err)
{
    Directories directories;
    machine_directories(&directories);
    HdSimulation simulation = s->simulation;
    simulation.directories = directories.paths;
    simulation.threads = 1;
    HdDevice *device = hd_device_simulate(&simulation, err);
    bool ok = device && (!simulation.functional || !command_line_has(line, "mechanism") ||
                         device_sim_check_functional(device, err));
    hd_device_close(device);
    return ok;
}

// Removes the file of an earlier run, because this run may end without a result. A symbolic link to
// it stays.
static void forget_file(const char *path)
{
    struct stat st;
    char *real = path ? realpath(path, NULL) : NULL;
    if (real && stat(real, &st) == 0 && S_ISREG(st.st_mode)) unlink(real);
    free(real);
}

// Starts a run, unless this program is part of one: files that are younger belong to the run.
static bool begin_run(const Settings *s, HdError *err)
{
    struct timespec now;
    char text[64];
    if (getenv(SETTINGS_RUN)) return true;
    clock_gettime(CLOCK_REALTIME_COARSE, &now); // the clock of files
    snprintf(text, sizeof text, "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
    forget_file(s->out);
    forget_file(s->report);
    return put(SETTINGS_RUN, text, err);
}

// Makes the loader find Heddle's runtime first. If the program names the folder of NVIDIA's,
// Heddle's is preloaded.
static bool put_runtime(const ProgramFile *program, HdError *err)
{
    char folder[DIRECTORY_TEXT], preload[PRELOAD_TEXT];
    if (!runtime_directory(folder))
        return hd_fail(err, "libcudart.so.13 is neither in the build nor installed: expected "
                            "HEDDLE_CUDART to name its folder");
    return join("LD_LIBRARY_PATH", folder, ':', true, err) &&
           program_libraries_check(program, folder, preload, err) &&
           (!*preload || join("LD_PRELOAD", preload, ':', false, err));
}

static int start(const CommandLine *line, void *options)
{
    HdError err = {0};
    ProgramFile program;
    Settings settings;
    (void)options; // the program reads them from its environment
    if (!put_options(line, &err)) return cli_fail(&err);
    bool ok = settings_read(&settings, &err) && check_functional(line, &settings, &err) &&
              program_file_read(&program, line->arguments[0], &err) &&
              (!settings.store || store_check_writable(settings.store, &err)) &&
              check_machine(line, &settings, &err) && put_runtime(&program, &err) &&
              begin_run(&settings, &err);
    settings_free(&settings);
    if (!ok) return cli_fail(&err);
    execv(program.path, line->arguments);
    if (errno == ENOEXEC)
        return cli_fail_with("%s: is neither a program nor a script: expected a first line that "
                             "names its interpreter, such as #!/bin/sh", program.path);
    if (errno == ENOENT)
        return cli_fail_with("%s: cannot be started: its interpreter (#! in its first line, or "
                             "its loader) is missing", program.path);
    return cli_fail_with("%s: cannot be started: %s", program.path, strerror(errno));
}

static int cmd_cuda(int argc, char **argv)
{
    Settings given = {0}; // checks the values
    return command_line_run(&command_cuda, start, &given, (void *[]){&given}, argc, argv);
}

const Command command_cuda = {
    .name = "cuda",
    .summary = "run a CUDA program as it is on a simulated GPU",
    .synopsis = "cuda [options] [--] PROGRAM [arguments]",
    .description =
        "Runs a CUDA program as it is on a simulated GPU. The program must be linked to the shared "
        "CUDA runtime (nvcc -cudart shared, CUDA 11 to 13) and hold PTX, or come from heddle cc. "
        "Output and exit status are the program's; the report follows on stderr.",
    .tables = {simulation_options},
    .bit = OF_CUDA,
    .words_last = true,
    .notes =
        "--mechanism and --set may be repeated. Each option has an environment variable and a key "
        "in the file heddle.yaml of the working directory: --max-cycles is HEDDLE_MAX_CYCLES and "
        "max_cycles. A flag has a value such as 1 or yes; HEDDLE_SET is KEY=VALUE;KEY=VALUE, and "
        "set: has lines KEY: VALUE below it. The command line overrides the environment, and the "
        "environment the file. The file may not name files: no out, no store, no report but none, "
        "no shared object as mechanism.",
    .run = cmd_cuda,
};
