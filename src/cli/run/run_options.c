// The command line of `heddle run`.
#include "cli/run/run_options.h"

#include "base/memory.h"
#include "base/team.h"
#include "cli/graph/graph_options.h"
#include "device/launch_range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char run_usage[] =
    "usage: heddle run WORKLOAD [options]\n"
    "       heddle run FILE.ptx --entry KERNEL --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg ARG]...\n"
    "\n"
    "Runs a workload, or one kernel of a PTX file, on a simulated GPU; prints a report of one\n"
    "screen. The answer of a workload is checked against the CPU. `heddle workload` lists them.\n"
    "\n"
    "  --backend sim|cuda   simulate (default), or run on this host's NVIDIA GPU and measure the\n"
    "                       time (docs/cuda-backend.md): most options of machine and run then\n"
    "                       have no effect and are refused\n"
    "  --seconds S          with cuda: repeat the program for S seconds, measure power and energy\n"
    "  --counts             with cuda: count instructions and DRAM transactions, from CUPTI where\n"
    "                       the GPU has it, else simulated on --machine\n"
    "\n"
    "workload\n"
    "  --impl NAME          which implementation (default: the first of `heddle workload`)\n"
    "  --graph GRAPH        a file or a spec, see heddle graph --help (default rmat:16,8)\n"
    "  --source VERTEX      where the search starts (default 0)\n"
    "  --param NAME=VALUE   a parameter of the workload (heddle workload NAME); may be repeated\n"
    "  --ptx FILE           take the kernels from this file instead\n"
    "  --block N            threads per block (default 256)\n"
    GRAPH_OPTIONS_HELP
    "kernel of a PTX file\n"
    "  --entry KERNEL       its name, with or without the C++ mangling\n"
    "  --grid, --block      the shape of the launch\n"
    "  --arg ARG            an argument, in order: i32:N u32:N i64:N u64:N f32:X f64:X, or\n"
    "                       buf:SIZE[:NAME][=fill:BYTE | =file:PATH], e.g. buf:1MiB:data=fill:0\n"
    "  --shared SIZE        dynamic shared memory per block\n"
    "  --dump N=FILE        write the buffer of argument N (the first is 0) to FILE after the run\n"
    "machine\n"
    "  --machine NAME|PATH  (default fermi-gtx480; `heddle machine list` shows all)\n"
    "  --set KEY=VALUE      change a parameter, e.g. l1d.size=48KiB; may be repeated\n"
    "  --registers LIST     registers per thread instead of the counted ones: KERNEL=N,...\n"
    "  --mechanism LIST     NAME[:KEY=VALUE,...], joined by + (heddle mechanism); 'a>b': b is\n"
    "                       asked where a passes (in quotes: to a shell, > means a file); a path\n"
    "                       with a slash: a shared object\n"
    "  --known LIST         shared objects, joined by +, that are not on, but whose parameters\n"
    "                       --set and the machine file may name all the same\n"
    "  --seed N             of everything random in the machine (default 0)\n"
    "run\n"
    "  --out FILE           write every counter as JSON\n"
    "  --per-kernel         ... and every launch in full\n"
    "  --functional         compute the answer without time: no cycles, no caches\n"
    "  --skip-kernels K     compute the first K launches without time, warming the caches\n"
    "  --detail-kernels A..B  simulate only launches A to B, or A alone, in time (first: 1);\n"
    "                       caches are warmed before them\n"
    "  --max-cycles N       stop in a launch that takes more core cycles\n"
    "  --max-instructions N stop when N warp instructions have been issued in all\n"
    "  --threads N          host threads (default: as many as CPUs; the result is the same)\n"
    "  --no-skip            simulate idle cycles one by one (a check: same result)\n"
    "  --shuffle SEED       simulate the SMs in another order, and let the threads take them at\n"
    "                       random (a check: same result)\n"
    "  --quiet              no report, no progress line\n"
    "\n"
    "Ctrl-C or SIGTERM, --max-cycles and --max-instructions end a run early: the launches that\n"
    "were finished are reported and written, marked partial. A second Ctrl-C ends at once.\n"
    "\n"
    "exit status: 0 the answer is right, 1 it is wrong, 2 bad input or a limit reached,\n"
    "128 + the signal's number when interrupted\n"
    "\n"
    "example: heddle run bfs --impl warp --graph rmat:16,8 --set l1d.size=48KiB --out run.json\n";

// Behind the letters, so that getopt's optopt tells them apart.
enum {
    OPT_IMPL = 256, OPT_GRAPH, OPT_OF_GRAPH, OPT_OF_GRAPH_LAST = OPT_OF_GRAPH + GRAPH_OPTIONS - 1,
    OPT_SOURCE, OPT_PARAM, OPT_PTX, OPT_BACKEND, OPT_SECONDS, OPT_COUNTS, OPT_BLOCK, OPT_ENTRY,
    OPT_GRID, OPT_ARG, OPT_SHARED, OPT_DUMP,
    OPT_MACHINE, OPT_SET, OPT_REGISTERS, OPT_MECHANISM, OPT_KNOWN, OPT_SEED, OPT_OUT,
    OPT_PER_KERNEL, OPT_FUNCTIONAL, OPT_SKIP_KERNELS, OPT_DETAIL_KERNELS, OPT_MAX_CYCLES,
    OPT_MAX_INSTRUCTIONS, OPT_THREADS, OPT_NO_SKIP, OPT_SHUFFLE, OPT_QUIET, OPT_END,
};
enum { OPT_COUNT = OPT_END - OPT_IMPL };

static const struct option long_options[] = {
    {"impl", required_argument, NULL, OPT_IMPL},
    {"graph", required_argument, NULL, OPT_GRAPH},
    GRAPH_LONG_OPTIONS(OPT_OF_GRAPH),
    {"source", required_argument, NULL, OPT_SOURCE},
    {"param", required_argument, NULL, OPT_PARAM},
    {"ptx", required_argument, NULL, OPT_PTX},
    {"backend", required_argument, NULL, OPT_BACKEND},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"counts", no_argument, NULL, OPT_COUNTS},
    {"block", required_argument, NULL, OPT_BLOCK},
    {"entry", required_argument, NULL, OPT_ENTRY},
    {"grid", required_argument, NULL, OPT_GRID},
    {"arg", required_argument, NULL, OPT_ARG},
    {"shared", required_argument, NULL, OPT_SHARED},
    {"dump", required_argument, NULL, OPT_DUMP},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"set", required_argument, NULL, OPT_SET},
    {"registers", required_argument, NULL, OPT_REGISTERS},
    {"mechanism", required_argument, NULL, OPT_MECHANISM},
    {"known", required_argument, NULL, OPT_KNOWN},
    {"seed", required_argument, NULL, OPT_SEED},
    {"out", required_argument, NULL, OPT_OUT},
    {"per-kernel", no_argument, NULL, OPT_PER_KERNEL},
    {"functional", no_argument, NULL, OPT_FUNCTIONAL},
    {"skip-kernels", required_argument, NULL, OPT_SKIP_KERNELS},
    {"detail-kernels", required_argument, NULL, OPT_DETAIL_KERNELS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"max-instructions", required_argument, NULL, OPT_MAX_INSTRUCTIONS},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"no-skip", no_argument, NULL, OPT_NO_SKIP},
    {"shuffle", required_argument, NULL, OPT_SHUFFLE},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static bool parse_u32(const char *text, const char *what, uint64_t low, uint32_t *value,
                      HdError *err)
{
    uint64_t wide;
    if (!parse_number(text, what, low, UINT32_MAX, &wide, err)) return false;
    *value = (uint32_t)wide;
    return true;
}

static bool parse_threads(const char *text, uint32_t *value, HdError *err)
{
    uint64_t wide;
    if (!parse_number(text, "--threads", 1, TEAM_MAX_THREADS, &wide, err)) return false;
    *value = (uint32_t)wide;
    return true;
}

// "--skip-kernels K": the launches from K + 1 on.
static bool parse_skip(RunOptions *o, const char *text, HdError *err)
{
    uint64_t count;
    if (!parse_number(text, "--skip-kernels", 0, INT64_MAX, &count, err)) return false;
    o->detail_first = count + 1;
    return true;
}

static bool parse_detail(RunOptions *o, const char *text, HdError *err)
{
    HdError why = {0};
    return launch_range_parse(text, &o->detail_first, &o->detail_last, &why) ||
           hd_fail(err, "--detail-kernels: %s", why.text);
}

static bool parse_backend(RunOptions *o, const char *text, HdError *err)
{
    o->cuda = strcmp(text, "cuda") == 0;
    return o->cuda || strcmp(text, "sim") == 0 ||
           hd_fail(err, "--backend: '%s' is neither sim nor cuda", text);
}

// A window shorter than some samples of the meter would measure nothing.
static bool parse_seconds(RunOptions *o, const char *text, HdError *err)
{
    char *end;
    o->seconds = strtod(text, &end);
    return (*text && !*end && o->seconds >= 0.1 && o->seconds <= 3600) ||
           hd_fail(err, "--seconds: '%s' is no number from 0.1 to 3600", text);
}

static bool add_text(TextList *list, const char *text, HdError *err)
{
    return text_list_add(list, text) || hd_fail_memory(err, "reading the command line");
}

// "kernel=24,other=10", cut into the list.
static bool parse_registers(RunOptions *o, const char *text, HdError *err)
{
    if (o->registers_text) return hd_fail(err, "--registers: give one list, KERNEL=N,KERNEL=N");
    o->registers_text = strdup(text);
    if (!o->registers_text) return hd_fail_memory(err, "reading the command line");
    for (char *rest = o->registers_text, *piece; (piece = strsep(&rest, ","));) {
        const char *equals = strchr(piece, '=');
        uint64_t count;
        if (!equals || equals == piece)
            return hd_fail(err, "--registers: '%s' should be KERNEL=N", piece);
        if (!parse_number(equals + 1, "--registers", 1, 255, &count, err) ||
            !add_text(&o->registers, piece, err))
            return false;
    }
    return true;
}

static bool take_mechanisms(RunOptions *o, const char *text, HdError *err)
{
    if (o->mechanisms)
        return hd_fail(err, "--mechanism is given twice; one list is right, joined by + or > "
                            "(\"a>b\": b is asked where a passes)");
    o->mechanisms = text;
    return true;
}

// Options of both forms, and of workloads.
static bool apply_option(RunOptions *o, int option, const char *value, HdError *err)
{
    if (option >= OPT_OF_GRAPH && option <= OPT_OF_GRAPH_LAST)
        return hd_graph_option(&o->changes, long_options[option - OPT_IMPL].name, value, err);
    switch (option) {
    case 'h': o->help = true; return true;
    case OPT_IMPL: o->implementation = value; return true;
    case OPT_GRAPH: o->graph = value; return true;
    case OPT_SOURCE: return parse_u32(value, "--source", 0, &o->source, err);
    case OPT_PARAM: return add_text(&o->parameters, value, err);
    case OPT_PTX: o->ptx = value; return true;
    case OPT_BACKEND: return parse_backend(o, value, err);
    case OPT_SECONDS: return parse_seconds(o, value, err);
    case OPT_COUNTS: o->counts = true; return true;
    case OPT_BLOCK: return parse_shape(value, "--block", o->block, err);
    case OPT_ENTRY: o->entry = value; return true;
    case OPT_GRID: return parse_shape(value, "--grid", o->grid, err);
    case OPT_ARG: return add_text(&o->args, value, err);
    case OPT_SHARED: return parse_bytes(value, "--shared", &o->dynamic_shared, err);
    case OPT_DUMP: return add_text(&o->dumps, value, err);
    case OPT_MACHINE: o->machine = value; return true;
    case OPT_SET: return add_text(&o->set, value, err);
    case OPT_REGISTERS: return parse_registers(o, value, err);
    case OPT_KNOWN: o->known = value; return true;
    case OPT_SEED: return parse_number(value, "--seed", 0, INT64_MAX, &o->seed, err);
    case OPT_OUT: o->out = value; return true;
    case OPT_PER_KERNEL: o->per_kernel = true; return true;
    case OPT_FUNCTIONAL: o->functional = true; return true;
    case OPT_SKIP_KERNELS: return parse_skip(o, value, err);
    case OPT_DETAIL_KERNELS: return parse_detail(o, value, err);
    case OPT_MAX_CYCLES:
        return parse_number(value, "--max-cycles", 1, UINT64_MAX, &o->max_cycles, err);
    case OPT_MAX_INSTRUCTIONS:
        return parse_number(value, "--max-instructions", 1, UINT64_MAX, &o->max_instructions, err);
    case OPT_THREADS: return parse_threads(value, &o->threads, err);
    case OPT_NO_SKIP: o->no_skip = true; return true;
    case OPT_SHUFFLE: return parse_number(value, "--shuffle", 0, UINT64_MAX, &o->shuffle, err);
    case OPT_QUIET: o->quiet = true; return true;
    default: return take_mechanisms(o, value, err);
    }
}

// An option that the other form of the command has is a mistake, not silence.
static bool check_form(const RunOptions *o, const bool given[OPT_COUNT], HdError *err)
{
    int first = o->raw ? OPT_IMPL : OPT_ENTRY, last = o->raw ? OPT_PTX : OPT_DUMP;
    for (int i = first; i <= last; i++)
        if (given[i - OPT_IMPL])
            return hd_fail(err, "--%s goes with %s, not with %s %s",
                           long_options[i - OPT_IMPL].name,
                           o->raw ? "a workload" : "the kernel of a PTX file",
                           o->raw ? "the kernel of" : "the workload", o->target);
    if (!o->raw && (o->block[1] != 1 || o->block[2] != 1))
        return hd_fail(err, "--block: workloads take one number, threads per block");
    if (o->raw && !o->entry) return hd_fail(err, "%s: say which kernel with --entry", o->target);
    if (o->raw && !(given[OPT_GRID - OPT_IMPL] && given[OPT_BLOCK - OPT_IMPL]))
        return hd_fail(err, "%s: give the launch's shape with --grid and --block", o->target);
    return true;
}

// What says how to simulate has no effect on a real GPU, unless what it does is counted.
static bool check_backend(const RunOptions *o, const bool given[OPT_COUNT], HdError *err)
{
    static const int of_counts[] = {OPT_MACHINE, OPT_SET, OPT_REGISTERS, OPT_SEED, OPT_FUNCTIONAL,
                                    OPT_THREADS};
    if (!o->cuda && (o->counts || o->seconds > 0))
        return hd_fail(err, "--%s is for --backend cuda%s", o->counts ? "counts" : "seconds",
                       o->counts ? ": the simulator always counts" : "");
    for (int i = OPT_MACHINE; o->cuda && i < OPT_QUIET; i++) {
        bool useful = i == OPT_OUT;
        for (size_t c = 0; o->counts && c < sizeof of_counts / sizeof *of_counts; c++)
            useful |= i == of_counts[c];
        if (given[i - OPT_IMPL] && !useful)
            return hd_fail(err, "--%s is for the simulator: with --backend cuda it has no effect",
                           long_options[i - OPT_IMPL].name);
    }
    return true;
}

// Options that say opposite things, or one of which would do nothing.
static bool check_time(const bool given[OPT_COUNT], HdError *err)
{
    static const int of_time[] = {OPT_SKIP_KERNELS, OPT_DETAIL_KERNELS, OPT_NO_SKIP, OPT_SHUFFLE,
                                  OPT_MAX_CYCLES, OPT_THREADS, OPT_MECHANISM};
    if (given[OPT_SKIP_KERNELS - OPT_IMPL] && given[OPT_DETAIL_KERNELS - OPT_IMPL])
        return hd_fail(err, "--skip-kernels and --detail-kernels both say which launches are "
                            "simulated in time; give one");
    for (size_t i = 0; i < sizeof of_time / sizeof *of_time; i++)
        if (given[OPT_FUNCTIONAL - OPT_IMPL] && given[of_time[i] - OPT_IMPL])
            return hd_fail(err, "--functional computes without time: --%s has no effect on it",
                           long_options[of_time[i] - OPT_IMPL].name);
    return true;
}

static bool is_ptx_path(const char *target)
{
    size_t length = strlen(target);
    return strchr(target, '/') || (length > 4 && strcmp(target + length - 4, ".ptx") == 0);
}

void run_options_init(RunOptions *o)
{
    *o = (RunOptions){
        .graph = "rmat:16,8",
        .machine = "fermi-gtx480",
        .block = {256, 1, 1},
    };
}

bool run_options_parse(RunOptions *o, int argc, char **argv, HdError *err)
{
    bool given[OPT_COUNT] = {0};
    run_options_init(o);
    optind = 0; // start over: another subcommand may have parsed before
    for (int c; (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1;) {
        if (c == '?' || c == ':') return cli_bad_option(c, argv, long_options, "run", err);
        if (c >= OPT_IMPL) given[c - OPT_IMPL] = true;
        if (!apply_option(o, c, optarg, err)) return false;
        if (o->help) return true;
    }
    if (optind == argc)
        return hd_fail(err, "say what to run: a workload (heddle workload lists them) or a PTX "
                            "file");
    if (optind + 1 < argc)
        return hd_fail(err, "'%s': one workload or PTX file at a time", argv[optind + 1]);
    o->target = argv[optind];
    o->raw = is_ptx_path(o->target);
    for (int i = OPT_GRAPH; i < OPT_SOURCE; i++)
        if (given[i - OPT_IMPL]) o->graph_option = long_options[i - OPT_IMPL].name;
    o->has_source = given[OPT_SOURCE - OPT_IMPL];
    return check_form(o, given, err) && check_backend(o, given, err) && check_time(given, err);
}

void run_options_free(RunOptions *o)
{
    text_list_free(&o->parameters);
    text_list_free(&o->args);
    text_list_free(&o->dumps);
    text_list_free(&o->set);
    text_list_free(&o->registers);
    free(o->registers_text);
}
