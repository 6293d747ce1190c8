// `heddle graph`: what is known about a graph, conversion between formats, generation.
#include "cli/common/commands.h"

#include "base/error.h"
#include "cli/graph/graph_info.h"
#include "cli/graph/graph_like.h"
#include "cli/graph/graph_options.h"
#include "cli/common/plot.h"
#include "heddle/graph.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage_text[] =
    "usage: heddle graph info GRAPH [--json] [--source VERTEX] [--svg FILE] [changes]\n"
    "       heddle graph convert GRAPH OUT [changes]\n"
    "       heddle graph gen SPEC OUT [changes]\n"
    "       heddle graph like [--json]\n"
    "\n"
    "info     prints sizes, degrees, duplicates, components, breadth-first depth, a lower bound\n"
    "         of the diameter, memory, hash\n"
    "convert  writes the graph again, in the format that OUT ends in\n"
    "gen      generates a graph and writes it\n"
    "like     lists the stand-ins for the graphs that the papers name\n"
    "\n"
    "GRAPH is a file or a SPEC. Files, told by their ending (docs/graphs.md):\n"
    "  .mtx                  Matrix Market: coordinate; pattern, integer or real; general or\n"
    "                        symmetric\n"
    "  .txt .el .edges       a line \"from to [weight]\" per edge, as SNAP writes them; vertices\n"
    "                        are numbered from 0 in ascending order of id\n"
    "  .csv                  the same with commas; perhaps a first line of names\n"
    "  .gr                   9th DIMACS challenge, or Galois binary\n"
    "  .graph                METIS, 10th DIMACS challenge\n"
    "  .sg .wsg              GAP benchmark suite, serialised\n"
    "  .hdg                  Heddle's cache: read at the disk's speed\n"
    "each also packed, with .gz or .zst behind it.\n"
    "SPECs; counts may be written 65536, 2^16 or 64Ki:\n"
    "  rmat:SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05][,simple=0][,undirected=0]\n"
    "      [,shuffle=0]                             R-MAT; kron: is the same\n"
    "  uniform:VERTICES,DEGREE[,seed=N]             both ends of each edge drawn uniformly\n"
    "  grid:WIDTHxHEIGHT[,delete=0][,seed=N]        a map of streets\n"
    "  er:VERTICES,EDGES or er:VERTICES,p=P         Erdos-Renyi\n"
    "  kout:VERTICES,LOW..HIGH[,directed=0]         every vertex chooses its neighbours\n"
    "  rgg:VERTICES,radius=R or rgg:VERTICES,degree=D   points, joined where they are near\n"
    "  delaunay:VERTICES[,delete=0]                 triangulated points\n"
    "  ba:VERTICES,EACH[,uniform=.5][,directed=0]   preferential attachment (or ,edges=EDGES)\n"
    "  ws:VERTICES,DEGREE[,p=0]                     small world\n"
    "  mesh:XxYxZ[,stencil=6|26][,unknowns=1]       box\n"
    "  road:VERTICES[,degree=2.5][,express=0]       street network (or ,edges=EDGES)\n"
    "  groups:VERTICES,EDGES[,size=2..50][,tail=2|3][,reach=1][,far=0]\n"
    "      [,ring=0]                                cliques that overlap\n"
    "  like:NAME[,scale=1]                          stand-in for a paper's graph\n"
    "  each also takes ,seed=N; docs/graphs.md says more\n"
    "OUT ends in .mtx, .txt, .csv (both lose vertices without edges), .gr (DIMACS), .graph, .sg,\n"
    ".wsg or .hdg, each perhaps with .zst.\n"
    "\n"
    "  -j, --json            info, like: print JSON\n"
    "  -S, --source VERTEX   info: search from this vertex (default: 0; where no edge starts\n"
    "                        there, the one of greatest degree)\n"
    "  -g, --svg FILE        info: also draw the degrees, by gnuplot\n"
    "  -h, --help            print this\n"
    "\n"
    GRAPH_OPTIONS_HELP
    "\n"
    "example: heddle graph gen rmat:16,8 rmat16.hdg && heddle graph info rmat16.hdg\n";

enum { OPT_CHANGE = 256 }; // the first option that changes the graph, behind the letters

typedef struct GraphArgs {
    bool json, has_source, help;
    const char *svg; // where to draw the degrees, or NULL
    HdGraphOptions changes; // without progress
    uint32_t source;
    char **names; // what is left beside the options
    int name_count;
} GraphArgs;

// One message and the way to the help; returns the exit status.
static int complain(const char *message)
{
    fprintf(stderr, "heddle graph: %s\n", message);
    return 2;
}

static bool parse_source(const char *text, uint32_t *source, HdError *err)
{
    char *after;
    unsigned long value = strtoul(text, &after, 10);
    if (*text < '0' || *text > '9' || *after || value > UINT32_MAX)
        return hd_fail(err, "--source %s: a vertex number is needed", text);
    *source = (uint32_t)value;
    return true;
}

// getopt has refused an option: optopt is its letter, 0 where a long name is unknown, a known
// letter where a long option was given a value that it does not take.
static bool fail_option(const char *word, HdError *err)
{
    static const char *const names[] = {
        "--json", "--source", "--svg", "--help", "--drop-loops", "--drop-duplicates", "--weights",
        "--symmetrize", "--largest-component", "--relabel"};
    if (optopt && optopt < OPT_CHANGE && !strchr("jSgh", optopt))
        return hd_fail(err, "unknown option -%c (see heddle graph --help)", optopt);
    if (optopt)
        return hd_fail(err, "%.*s takes no value (see heddle graph --help)",
                       (int)strcspn(word, "="), word);
    const char *near = hd_nearest(word, names, sizeof names / sizeof *names);
    return hd_fail(err, "unknown option %s%s%s (see heddle graph --help)", word,
                   near ? ", perhaps " : "", near ? near : "");
}

static bool parse_args(int argc, char **argv, GraphArgs *args, HdError *err)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},      {"source", required_argument, NULL, 'S'},
        {"help", no_argument, NULL, 'h'},      {"svg", required_argument, NULL, 'g'},
        GRAPH_LONG_OPTIONS(OPT_CHANGE),
        {0},
    };
    *args = (GraphArgs){0};
    optind = 0; // start over: another subcommand may have parsed before
    for (int c, i = 0; (c = getopt_long(argc, argv, ":jS:g:h", options, &i)) != -1;) {
        if (c >= OPT_CHANGE) {
            if (!hd_graph_option(&args->changes, options[i].name, optarg, err)) return false;
            continue;
        }
        switch (c) {
        case 'j': args->json = true; break;
        case 'h': args->help = true; break;
        case 'g': args->svg = optarg; break;
        case 'S':
            args->has_source = true;
            if (!parse_source(optarg, &args->source, err)) return false;
            break;
        case ':':
            return hd_fail(err, "%s needs a value (see heddle graph --help)", argv[optind - 1]);
        default: return fail_option(argv[optind - 1], err);
        }
    }
    args->names = argv + optind;
    args->name_count = argc - optind;
    return true;
}

// A progress line on a terminal, rewritten a few times a second.
typedef struct ProgressLine {
    struct timespec last;
    bool shown;
} ProgressLine;

static void show_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    ProgressLine *line = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed = (double)(now.tv_sec - line->last.tv_sec) +
                    (double)(now.tv_nsec - line->last.tv_nsec) * 1e-9;
    if (passed < 0.2 || total == 0) return;
    line->last = now;
    line->shown = true;
    fprintf(stderr, "\r%s: %3.0f %%\033[K", what, 100.0 * (double)done / (double)total);
}

static HdGraph *open_graph(const GraphArgs *args, HdError *err)
{
    ProgressLine line = {0};
    clock_gettime(CLOCK_MONOTONIC, &line.last);
    HdGraphOptions options = args->changes;
    options.user = &line;
    if (isatty(STDERR_FILENO)) options.progress = show_progress;
    HdGraph *graph = hd_graph_open(args->names[1], &options, err);
    if (line.shown) fprintf(stderr, "\r\033[K");
    return graph;
}

// Status 0, or 2 where the output could not be written.
static int finish_output(bool ok)
{
    if (fflush(stdout) == 0 && ok && !ferror(stdout)) return 0;
    return complain("the output could not be written");
}

static int graph_info(const GraphArgs *args, HdError *err)
{
    if (args->svg && !plot_check(args->svg, err)) return complain(err->text);
    HdGraph *graph = open_graph(args, err);
    GraphInfo info;
    if (!graph ||
        !graph_info_gather(graph, &args->changes, args->has_source ? &args->source : NULL, &info,
                           err) ||
        (args->svg && !graph_info_svg(&info, args->svg, err))) {
        hd_graph_free(graph);
        return complain(err->text);
    }
    bool ok = true;
    if (args->json) {
        json_t *json = graph_info_json(&info);
        ok = json && json_dumpf(json, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
        json_decref(json);
    } else {
        graph_info_print(&info);
    }
    hd_graph_free(graph);
    return finish_output(ok);
}

// Both `convert` and `gen`: open, write, say what was written.
static int graph_write(const GraphArgs *args, HdError *err)
{
    const char *out = args->names[2];
    if (!hd_graph_can_write(out, err)) return complain(err->text);
    HdGraph *graph = open_graph(args, err);
    if (!graph || !hd_graph_write(graph, out, err)) {
        hd_graph_free(graph);
        return complain(err->text);
    }
    fprintf(stderr, "%s: %u vertices, %llu edges, hash %016llx\n", out, graph->vertices,
            (unsigned long long)graph->edges, (unsigned long long)graph->hash);
    hd_graph_free(graph);
    return 0;
}

// Is the action one, and is what stands beside it what it takes?
static bool check_action(const GraphArgs *args, HdError *err)
{
    static const struct {
        const char *name, *takes;
        int names;
    } actions[] = {
        {"info", "one argument: a graph", 2},
        {"convert", "two arguments: a graph, and the file to write", 3},
        {"gen", "two arguments: a graph, and the file to write", 3},
        {"like", "no argument", 1},
    };
    enum { ACTIONS = sizeof actions / sizeof *actions };
    const char *action = args->names[0], *names[ACTIONS];
    int which = 0;
    while (which < ACTIONS && strcmp(action, actions[which].name) != 0) which++;
    if (which == ACTIONS) {
        for (int i = 0; i < ACTIONS; i++) names[i] = actions[i].name;
        const char *near = hd_nearest(action, names, ACTIONS);
        return hd_fail(err, "unknown action '%s'%s%s: info, convert, gen or like (see heddle graph "
                            "--help)", action, near ? ", perhaps " : "", near ? near : "");
    }
    if (args->name_count != actions[which].names)
        return hd_fail(err, "%s takes %s (see heddle graph --help)", action, actions[which].takes);
    bool info = strcmp(action, "info") == 0, like = strcmp(action, "like") == 0;
    if ((args->has_source || args->svg) && !info)
        return hd_fail(err, "%s belongs to info, not to %s",
                       args->has_source ? "--source" : "--svg", action);
    if (args->json && !info && !like)
        return hd_fail(err, "--json belongs to info and like, not to %s", action);
    if (strcmp(action, "gen") == 0 && !strchr(args->names[1], ':'))
        return hd_fail(err, "gen takes a spec such as rmat:16,8, not '%s' (see heddle graph "
                            "--help)", args->names[1]);
    return true;
}

int cmd_graph(int argc, char **argv)
{
    HdError err = {0};
    GraphArgs args;
    if (!parse_args(argc, argv, &args, &err)) return complain(err.text);
    if (args.help) {
        fputs(usage_text, stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    if (args.name_count == 0) {
        return complain("say what to do: info GRAPH, convert GRAPH OUT, gen SPEC OUT or like "
                        "(see heddle graph --help)");
    }
    if (!check_action(&args, &err)) return complain(err.text);
    if (strcmp(args.names[0], "info") == 0) return graph_info(&args, &err);
    if (strcmp(args.names[0], "like") == 0) return finish_output(graph_like_print(args.json));
    return graph_write(&args, &err);
}
