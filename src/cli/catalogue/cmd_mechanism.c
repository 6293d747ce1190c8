// `heddle mechanism`: lists the mechanisms, and describes one.
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "hooks/cache_hooks.h"
#include "mechanisms/mechanism_registry.h"
#include "memory/memory_side.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void describe_structure(const HdMechanism *m, const HdStructure *s)
{
    static const char *const places[] = {[HD_EACH_L1] = "L1", [HD_EACH_L2] = "L2 slice",
                                         [HD_EACH_CACHE] = "L1 and L2 slice",
                                         [HD_ONE_GPU] = "GPU"};
    static const char *const by[] = {[HD_PER_LINE] = "lines", [HD_PER_SET] = "sets",
                                     [HD_PER_WARP] = "warp slots", [HD_PER_BLOCK] = "block slots"};
    printf("  %-30s for each %s: ", s->name, places[s->each]);
    if (s->extent == HD_FIXED || s->extent == HD_TO_GPU || s->extent == HD_FROM_GPU)
        printf("%u", s->entries);
    else if (s->extent == HD_BY_PARAMETER || s->extent == HD_PREFETCH_QUEUE)
        printf("%s", m->parameters[s->entries].name);
    else if (s->extent == HD_PER_KEY) printf("as many as occur");
    else printf("%s", by[s->extent]);
    printf(" x %u bits\n", s->bits);
}

static void describe(const HdMechanism *m)
{
    printf("%s: %s\nafter %s\n", m->name, m->description, m->paper);
    if (m->parameters) printf("parameters\n");
    for (const HdParameter *p = m->parameters; p && p->name; p++) {
        printf("  %-16s %s; ", p->name, p->description);
        for (unsigned i = 0; p->choices && p->choices[i]; i++)
            printf("%s%s", i ? " or " : "", p->choices[i]);
        if (p->choices)
            printf(", default %s\n", p->choices[(int)p->value]);
        else
            printf("%.10g to %.10g%s%s, default %.10g\n", p->min, p->max, p->unit ? " " : "",
                   p->unit ? p->unit : "", p->value);
    }
    if (m->counters) printf("counters\n");
    int width = 16;
    for (const HdCounter *c = m->counters; c && c->name; c++)
        if ((int)strlen(c->name) > width) width = (int)strlen(c->name);
    for (const HdCounter *c = m->counters; c && c->name; c++)
        printf("  %-*s %s: %s\n", width, c->name, c->unit, c->description);
    if (m->structures)
        printf("structures%s\n",
               m->instrument ? " (for measurement: not in hardware, no part of the cost)" : "");
    for (const HdStructure *s = m->structures; s && s->name; s++) describe_structure(m, s);
    if (m->request_tag_bits || m->reply_tag_bits)
        printf("sideband: %u bits in a request, %u in a reply\n", m->request_tag_bits,
               m->reply_tag_bits);
    if (!m->l1.decide_clean_eviction) return;
    HdStructure structures[COPY_BACK_STRUCTURES + 1];
    copy_back_structures((unsigned)m->parameters[m->copy_back_queue].value, WRITE_VERSIONS,
                         structures);
    printf("for copy-backs, once for all mechanisms that use them\n");
    for (const HdStructure *s = structures; s->name; s++) describe_structure(m, s);
}

static int list_or_describe(const CommandLine *line, void *options)
{
    (void)options;
    int count = line->argument_count;
    char **words = line->arguments;
    if (count == 2 && strcmp(words[0], "describe") == 0) {
        HdError err;
        void *library;
        const HdMechanism *mechanism = mechanism_find(words[1], &library, &err);
        if (!mechanism) return cli_fail(&err);
        describe(mechanism);
        if (library) dlclose(library);
        return cli_flush();
    }
    if (count > 1 || (count == 1 && strcmp(words[0], "list") != 0))
        return cli_fail_with("mechanism '%s': expected list or describe NAME (see heddle mechanism "
                             "--help)", words[0]);
    for (size_t i = 0; mechanisms[i]; i++)
        printf("%-18s %s [%s]\n", mechanisms[i]->name, mechanisms[i]->description,
               mechanisms[i]->paper);
    return cli_flush();
}

static int cmd_mechanism(int argc, char **argv)
{
    return command_line_run(&command_mechanism, list_or_describe, NULL, NULL, argc, argv);
}

const Command command_mechanism = {
    .name = "mechanism",
    .summary = "list the mechanisms and describe one",
    .synopsis = "mechanism [list]\n"
                "mechanism describe NAME|PATH",
    .description =
        "  list      the names that `heddle run --mechanism` takes, with their papers\n"
        "  describe  a mechanism, or that of a shared object (./mine.so): its parameters,\n"
        "            counters, and storage in bits\n"
        "\n"
        "A parameter is set by --mechanism NAME:KEY=VALUE, else by --set NAME.KEY=VALUE, else by "
        "the section NAME of the machine file.",
    .run = cmd_mechanism,
};
