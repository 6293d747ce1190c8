// The runs of the standard benchmark.
#include "reference.h"
#include "standard.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// luxembourg_osm has over a thousand levels: the first part is representative and takes less time.
enum { ROAD_LIMIT = 10000000 };

static void add_bfs(const Options *options, Work *work, const char *impl, const char *graph,
                    const char *name, long limit)
{
    *work = (Work){.limit = limit};
    snprintf(work->name, sizeof work->name, "%s %s", impl, name);
    Child *c = &work->command;
    child_add(c, "%s", options->heddle);
    child_add(c, "run");
    child_add(c, "bfs");
    child_add(c, "--impl");
    child_add(c, "%s", impl);
    child_add(c, "--graph");
    child_add(c, "%s", graph);
    if (strcmp(impl, "warp") == 0) { // a warp per vertex: the load that the history records
        child_add(c, "--param");
        child_add(c, "chunk=1");
    }
    if (!limit) return;
    child_add(c, "--max-instructions");
    child_add(c, "%ld", limit);
}

// Adds both implementations on one graph. If `file` is NULL, `name` is a generator's spec.
static int add_graph(const Options *options, Work *works, const char *name, const char *file,
                     long limit)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", options->data, file ? file : "");
    if (file && access(path, R_OK)) {
        printf("left out: %s, there is no %s (--data names its folder)\n", name, path);
        return 0;
    }
    add_bfs(options, &works[0], "topology", file ? path : name, name, limit);
    add_bfs(options, &works[1], "warp", file ? path : name, name, limit);
    return 2;
}

static int add_reference(const Options *options, Work *works, HdError *err)
{
    static const char *const runs[] = {"topo-rmat12-warmL2", "topo-rmat14-warmL2",
                                       "warp-rmat12-warmL2", "warp-rmat14-warmL2"};
    char path[4096];
    int count = 0;
    snprintf(path, sizeof path, "%s/rmat14.mtx.gz", options->reference);
    if (access(path, R_OK)) {
        printf("left out: the reference runs, there is no %s (--reference names its folder)\n",
               path);
        return 0;
    }
    const ReferenceRuns reference = {
        .heddle = options->heddle, .directory = options->reference,
        .machine = reference_machine("fermi-gtx480-gpgpusim4", err)};
    if (!reference.machine) return -1;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++, count++) {
        works[count] = (Work){0};
        snprintf(works[count].name, sizeof works[count].name, "%s", runs[i]);
        if (!reference_command(&reference, runs[i], &works[count].command, err))
            return -1;
    }
    return count;
}

int standard_works(const Options *options, Work works[MOST_WORKS], HdError *err)
{
    if (options->quick) return add_graph(options, works, "rmat:12,8", NULL, 0);
    int count = add_graph(options, works, "rmat:16,8", NULL, 0);
    count += add_graph(options, works + count, "luxembourg_osm", "luxembourg_osm.mtx", ROAD_LIMIT);
    count += add_graph(options, works + count, "soc-Epinions1", "soc-Epinions1.txt.gz", 0);
    int more = add_reference(options, works + count, err);
    return more < 0 ? -1 : count + more;
}
