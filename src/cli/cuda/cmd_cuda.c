// `heddle cuda`: starts a CUDA program so that it finds Heddle's runtime instead of NVIDIA's.
//
// The program takes this process's place: its output, exit status and signals are its own, and what
// the simulator is asked for reaches it in the environment.
#include "cli/common/commands.h"

#include "cli/common/data_directories.h"
#include "cli/cuda/program_libraries.h"
#include "cli/common/text.h"
#include "device/launch_range.h"
#include "device/settings.h"
#include "heddle/device.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: heddle cuda [options] [--] PROGRAM [arguments]\n"
    "\n"
    "Runs a CUDA program as it is on a simulated GPU. It must be linked to the shared CUDA\n"
    "runtime (nvcc -cudart shared, CUDA 11 to 13) and hold PTX, or come from heddle cc. Output\n"
    "and exit status are the program's; the report follows on stderr.\n"
    "\n"
    "  --machine NAME|PATH  a machine file (default " SETTINGS_MACHINE "; heddle machine list)\n"
    "  --mechanism LIST     NAME[:KEY=VALUE,...]; several are joined by + (heddle mechanism)\n"
    "  --set KEY=VALUE      a parameter of the machine or of a mechanism\n"
    "  --out FILE           writes every counter as JSON\n"
    "  --report FILE|none   writes the report to a file, or not at all\n"
    "  --strict             an access past the end of an allocation is a fault, wherever it goes\n"
    "  --functional         computes results only: no time, about ten times as fast\n"
    "  --skip-kernels K     computes the first K launches without time, warming the caches\n"
    "  --detail-kernels A..B  simulates only launches A to B, or A alone, in time (first: 1);\n"
    "                       caches are warmed before them\n"
    "  --max-cycles N       ends a kernel that takes more core cycles\n"
    "  --threads N          of the host (default: one per CPU); the result is the same\n"
    "  --seed N             of everything random in the machine (default 0)\n"
    "\n"
    "--mechanism and --set may be given several times. The environment variables HEDDLE_MACHINE,\n"
    "HEDDLE_MECHANISM, HEDDLE_SET (joined by ;), HEDDLE_OUT, ... ask for the same, and a file\n"
    "heddle.yaml in the working directory (docs/run-cuda.md); what is said here comes first.\n";

static const struct option long_options[] = {
    {"machine", required_argument, NULL, 'm'},   {"mechanism", required_argument, NULL, 'x'},
    {"set", required_argument, NULL, 's'},       {"out", required_argument, NULL, 'o'},
    {"report", required_argument, NULL, 'r'},    {"strict", no_argument, NULL, 'S'},
    {"functional", no_argument, NULL, 'f'},      {"skip-kernels", required_argument, NULL, 'k'},
    {"detail-kernels", required_argument, NULL, 'd'},
    {"max-cycles", required_argument, NULL, 'c'},
    {"threads", required_argument, NULL, 't'},   {"seed", required_argument, NULL, 'e'},
    {"help", no_argument, NULL, 'h'},            {0},
};

// ---- the environment of the program ----

static bool put(const char *name, const char *value, HdError *err)
{
    return setenv(name, value, 1) == 0 || hd_fail_memory(err, "starting a program");
}

// Puts `value` in front of what the variable has, or behind it.
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

// The program may go to another folder before it ends.
static bool put_path(const char *name, const char *path, HdError *err)
{
    char folder[DIRECTORY_TEXT], whole[2 * DIRECTORY_TEXT];
    if (*path == '/' || !getcwd(folder, sizeof folder)) return put(name, path, err);
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return put(name, whole, err);
}

static bool put_number(const char *name, const char *option, const char *text, HdError *err)
{
    uint64_t value;
    char decimal[32];
    if (!parse_number(text, option, 0, INT64_MAX, &value, err)) return false;
    snprintf(decimal, sizeof decimal, "%" PRIu64, value);
    return put(name, decimal, err);
}

static bool put_file(const char *name, const char *option, const char *path, HdError *err)
{
    return check_writable(path, option, err) && put_path(name, path, err);
}

// The first of several on the command line takes the place of what the environment says.
static bool put_first(const char *name, const char *value, char separator, bool *given,
                      HdError *err)
{
    bool first = !*given;
    *given = true;
    return first ? put(name, value, err) : join(name, value, separator, false, err);
}

typedef struct Given {
    bool mechanism, set, launches;
} Given;

// Which launches are simulated in time: said once, in place of what the environment says.
static bool put_launches(const char *name, const char *value, Given *given, HdError *err)
{
    if (given->launches)
        return hd_fail(err, "--skip-kernels and --detail-kernels both say which launches are "
                            "simulated in time; give one");
    given->launches = true;
    unsetenv("HEDDLE_SKIP_KERNELS");
    unsetenv("HEDDLE_DETAIL_KERNELS");
    return put(name, value, err);
}

static bool put_skip(const char *text, Given *given, HdError *err)
{
    uint64_t count;
    return parse_number(text, "--skip-kernels", 0, INT64_MAX, &count, err) &&
           put_launches("HEDDLE_SKIP_KERNELS", text, given, err);
}

static bool put_detail(const char *text, Given *given, HdError *err)
{
    HdError why = {0};
    uint64_t first, last;
    if (!launch_range_parse(text, &first, &last, &why))
        return hd_fail(err, "--detail-kernels: %s", why.text);
    return put_launches("HEDDLE_DETAIL_KERNELS", text, given, err);
}

static bool take_option(int c, const char *value, Given *given, HdError *err)
{
    switch (c) {
    case 'm': return put("HEDDLE_MACHINE", value, err);
    case 'x': return put_first("HEDDLE_MECHANISM", value, '+', &given->mechanism, err);
    case 's': return put_first("HEDDLE_SET", value, ';', &given->set, err);
    case 'o': return put_file("HEDDLE_OUT", "--out", value, err);
    case 'r':
        return strcmp(value, "none") ? put_file("HEDDLE_REPORT", "--report", value, err)
                                     : put("HEDDLE_REPORT", value, err);
    case 'S': return put("HEDDLE_STRICT", "1", err);
    case 'd': return put_detail(value, given, err);
    case 'k': return put_skip(value, given, err);
    case 'f': return put("HEDDLE_FUNCTIONAL", "1", err);
    case 'c': return put_number("HEDDLE_MAX_CYCLES", "--max-cycles", value, err);
    case 't': return put_number("HEDDLE_THREADS", "--threads", value, err);
    default: return put_number("HEDDLE_SEED", "--seed", value, err);
    }
}

// The first word that is no option is the program. *help: that was asked for.
static bool take_options(int argc, char **argv, bool *help, HdError *err)
{
    Given given = {0};
    int c;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "+:h", long_options, NULL)) != -1) {
        if (c == '?' || c == ':') return cli_bad_option(c, argv, long_options, "cuda", err);
        if (c == 'h') *help = true;
        else if (!take_option(c, optarg, &given, err)) return false;
    }
    return *help || optind < argc ||
           hd_fail(err, "a program is needed, as in `heddle cuda ./app` (see heddle cuda --help)");
}

// ---- the program ----

// Opens the machine that the program will have, and closes it again: what is wrong with it is told
// now, not in the middle of the program.
static bool check_machine(const Settings *s, HdError *err)
{
    Directories directories;
    machine_directories(&directories);
    HdDevice *device = hd_device_simulate(&(HdSimulation){.machine = s->machine,
                                                          .directories = directories.paths,
                                                          .set = s->set,
                                                          .mechanisms = s->mechanisms,
                                                          .threads = 1},
                                          err);
    hd_device_close(device);
    return device;
}

// What an earlier run left is not to be taken for this one's, which may end without a result.
static void forget_file(const char *path)
{
    struct stat st;
    if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode)) unlink(path);
}

// From here on the files that are asked for are the run's own, unless it is part of another run.
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

// The linker finds Heddle's runtime first. A program that says where NVIDIA's is gets Heddle's
// loaded before that is looked for.
static bool put_runtime(const ProgramFile *program, HdError *err)
{
    char folder[DIRECTORY_TEXT], preload[PRELOAD_TEXT];
    if (!runtime_directory(folder))
        return hd_fail(err, "libcudart.so.13 is not where Heddle was built or installed; set "
                            "HEDDLE_CUDART to its folder");
    return join("LD_LIBRARY_PATH", folder, ':', true, err) &&
           program_libraries_check(program, folder, preload, err) &&
           (!*preload || join("LD_PRELOAD", preload, ':', false, err));
}

static bool cannot_start(const char *path, HdError *err)
{
    if (errno == ENOEXEC)
        return hd_fail(err, "%s: is neither a program nor a script that says in its first line "
                            "what is to run it (as #!/bin/sh does)", path);
    if (errno == ENOENT)
        return hd_fail(err, "%s: cannot be started: what is to run it (#! in its first line, or "
                            "its loader) is not there", path);
    return hd_fail(err, "%s: cannot be started: %s", path, strerror(errno));
}

static int start(char **words, HdError *err)
{
    ProgramFile program;
    Settings settings;
    bool ok = settings_read(&settings, err) && program_file_read(&program, *words, err) &&
              check_machine(&settings, err) && put_runtime(&program, err) &&
              begin_run(&settings, err);
    settings_free(&settings);
    if (!ok) return cli_fail(err);
    execv(program.path, words);
    cannot_start(program.path, err);
    return cli_fail(err);
}

int cmd_cuda(int argc, char **argv)
{
    HdError err = {0};
    bool help = false;
    if (!take_options(argc, argv, &help, &err)) return cli_fail(&err);
    if (!help) return start(argv + optind, &err);
    fputs(usage, stdout);
    return cli_flush();
}
