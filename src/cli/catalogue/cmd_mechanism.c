// `heddle mechanism`: lists the mechanisms, describes one, and tests one with a script.
#include "base/file.h"
#include "cli/catalogue/print_parameters.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "harness/harness.h"
#include "hooks/cache_hooks.h"
#include "mechanisms/mechanism_registry.h"
#include "memory/memory_side.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether a parameter gives the entries.
static bool is_parameter(const HdStructure *s)
{
    return s->extent == HD_BY_PARAMETER || s->extent == HD_PREFETCH_QUEUE ||
           extent_is_of_engine(s->extent);
}

// Whether the mechanism counts the entries itself.
static bool is_computed(const HdStructure *s)
{
    bool word = s->extent == HD_TO_GPU || s->extent == HD_FROM_GPU;
    return s->extent == HD_COMPUTED || s->extent == HD_HELD || s->extent == HD_HOLD_QUEUES ||
           (word && !s->entries);
}

// The entries with the default parameters, on a GTX 480.
static uint32_t computed_entries(const HdMechanism *m, const HdStructure *s)
{
    double values[PLAN_PARAMETERS] = {0};
    for (unsigned i = 0; m->parameters && m->parameters[i].name; i++)
        values[i] = m->parameters[i].value;
    HdPlace place = {.parameters = values, .level = s->each == HD_ONE_GPU ? HD_GPU : HD_L1,
                     .warp_slots = 48, .block_slots = 8, .schedulers = 2, .sms = 15};
    return m->count_entries(&place, (unsigned)(s - m->structures));
}

static void describe_structure(const HdMechanism *m, const HdStructure *s)
{
    static const char *const places[] = {[HD_EACH_L1] = "L1", [HD_EACH_L2] = "L2 slice",
                                         [HD_EACH_CACHE] = "L1 and L2 slice",
                                         [HD_ONE_GPU] = "GPU"};
    static const char *const by[] = {[HD_PER_LINE] = "lines", [HD_PER_SET] = "sets",
                                     [HD_PER_WARP] = "warp slots", [HD_PER_BLOCK] = "block slots",
                                     [HD_PER_SCHEDULER] = "schedulers"};
    printf("  %-30s for each %s: ", s->name, places[s->each]);
    if (is_computed(s)) printf("%u", computed_entries(m, s));
    else if (s->extent == HD_FIXED || s->extent == HD_TO_GPU || s->extent == HD_FROM_GPU)
        printf("%u", s->entries);
    else if (is_parameter(s))
        printf("%s", m->parameters[s->entries].name);
    else if (s->extent == HD_PER_KEY) printf("as many as occur");
    else printf("%s", by[s->extent]);
    printf(" x %u bits\n", s->bits);
}

// "load_iru.position %p, %r, %r": what it writes.
static void describe_instruction(const HdEngineInstruction *instruction)
{
    printf("  %s", instruction->name);
    for (const char *kind = instruction->registers; *kind; kind++)
        printf("%s%%%c", kind > instruction->registers ? ", " : " ", *kind);
    printf(": %s\n", instruction->description);
}

static void describe(const HdMechanism *m)
{
    printf("%s: %s\nafter %s\n", m->name, m->description, m->paper);
    print_parameters(m->parameters);
    if (m->counters) printf("counters\n");
    int width = 16;
    for (const HdCounter *c = m->counters; c && c->name; c++)
        if ((int)strlen(c->name) > width) width = (int)strlen(c->name);
    for (const HdCounter *c = m->counters; c && c->name; c++)
        printf("  %-*s %s: %s\n", width, c->name, c->unit, c->description);
    if (m->ratios) printf("ratios\n");
    for (const HdRatio *r = m->ratios; r && r->name; r++)
        printf("  %-16s (%s) / (%s): %s\n", r->name, r->part, r->whole, r->description);
    if (m->columns) printf("table in the result: kernel, launch, and\n");
    for (const HdCounter *c = m->columns; c && c->name; c++)
        printf("  %-16s %s: %s\n", c->name, c->unit, c->description);
    if (m->instructions)
        printf("instructions in PTX (%%p: a predicate, %%r: a register of 32 bits)\n");
    for (const HdEngineInstruction *i = m->instructions; i && i->name; i++) describe_instruction(i);
    if (m->structures)
        printf("structures%s\n",
               m->instrument ? " (for measurement: not in hardware, no part of the cost)" : "");
    bool computed = false;
    for (const HdStructure *s = m->structures; s && s->name; s++) {
        describe_structure(m, s);
        computed = computed || is_computed(s);
    }
    if (computed)
        printf("entries: on a GPU of 15 SMs, each of 48 warps, 8 blocks and 2 schedulers\n");
    if (m->prefetch.tag_bits)
        printf("  %-30s for each MSHR entry: %u bits\n", "prefetch tags",
               prefetch_mshr_bits(&m->prefetch));
    if (m->request_tag_bits || m->reply_tag_bits)
        printf("sideband: %u bits in a request, %u in a reply\n", m->request_tag_bits,
               m->reply_tag_bits);
    if (m->request_field_bits)
        printf("fields of a request that slices read: %u bits\n", m->request_field_bits);
    if (!m->l1.decide_clean_eviction) return;
    HdStructure structures[COPY_BACK_STRUCTURES + 1];
    copy_back_structures((unsigned)m->parameters[m->copy_back_queue].value, WRITE_VERSIONS,
                         structures);
    printf("for copy-backs, once for all mechanisms that use them\n");
    for (const HdStructure *s = structures; s->name; s++) describe_structure(m, s);
}

// ---- test ----

typedef struct MechanismOptions {
    bool quiet;
} MechanismOptions;

static const Option mechanism_options[] = {
    {.name = "quiet", .type = OPTION_FLAG, .target = offsetof(MechanismOptions, quiet),
     .help = "with test: print only the first expectation that is not met"},
    {0},
};

// Prints the commands of scripts, and their options.
static void describe_scripts(void)
{
    printf("A script has a command on each line; # begins a comment.\n\ncommands\n");
    for (unsigned i = 0; i < SCRIPT_KINDS; i++) {
        const ScriptForm *form = &script_forms[i];
        int width = printf("  %s%s%s%s", form->name, form->usage ? " " : "",
                           form->usage ? form->usage : "",
                           form->options ? " [OPTION=VALUE...]" : "");
        if (width > 40) width = printf("\n") - 1;
        printf("%*s%s\n", 42 - width, "", form->description);
    }
    printf("\noptions (with what they are if not given)\n");
    for (unsigned i = 0; i < SCRIPT_OPTIONS; i++) {
        printf("  %-15s %s;", script_options[i].name, script_options[i].description);
        const char *separator = " of ";
        for (unsigned k = 0; k < SCRIPT_KINDS; k++) {
            if (!(script_forms[k].options >> i & 1)) continue;
            printf("%s%s", separator, script_forms[k].name);
            separator = ", ";
        }
        printf("\n");
    }
    printf("\nnumbers\n  4096, 0x1000, 4KiB; with + - * / %% and parentheses, without blanks; "
           "line:\n  the bytes of a line of the cache; names that let and repeat give\n");
    printf("\noutcomes\n ");
    for (unsigned i = 0; script_outcomes[i]; i++) printf(" %s", script_outcomes[i]);
    printf("\n");
}

// EXIT_WRONG: an expectation is not met.
static int test(const HarnessOptions *options, const char *path)
{
    HdError err = {0};
    size_t size;
    char *bytes = file_read_text(path, &size, &err);
    if (!bytes) return cli_fail(&err);
    Script script;
    HarnessResult result = HARNESS_FAILED;
    if (script_read(&script, path, bytes, size, &err))
        result = harness_run(&script, options, &err);
    free(bytes);
    script_free(&script);
    int status = result == HARNESS_MET ? cli_flush() : cli_fail(&err);
    return result == HARNESS_UNMET ? EXIT_WRONG : status;
}

// ---- the command ----

static int run_mechanism(const CommandLine *line, void *values)
{
    const MechanismOptions *options = values;
    int count = line->argument_count;
    char **words = line->arguments;
    if (count == 3 && strcmp(words[0], "test") == 0)
        return test(&(HarnessOptions){.mechanisms = words[1],
                                      .out = options->quiet ? NULL : stdout}, words[2]);
    if (count == 2 && strcmp(words[0], "describe") == 0) {
        HdError err;
        void *library;
        const HdMechanism *mechanism = mechanism_find(words[1], &library, &err);
        if (!mechanism) return cli_fail(&err);
        describe(mechanism);
        if (library) dlclose(library);
        return cli_flush();
    }
    if (count == 1 && strcmp(words[0], "script") == 0) {
        describe_scripts();
        return cli_flush();
    }
    if (count > 1 && (strcmp(words[0], "list") == 0 || strcmp(words[0], "script") == 0))
        return cli_fail_with("mechanism %s: expected nothing else (see heddle mechanism --help)",
                             words[0]);
    if (count > 1 || (count == 1 && strcmp(words[0], "list") != 0))
        return cli_fail_with("mechanism '%s': expected list, describe NAME, test NAME SCRIPT or "
                             "script (see heddle mechanism --help)", words[0]);
    for (size_t i = 0; mechanisms[i]; i++)
        printf("%-18s %s [%s]\n", mechanisms[i]->name, mechanisms[i]->description,
               mechanisms[i]->paper);
    return cli_flush();
}

static int cmd_mechanism(int argc, char **argv)
{
    MechanismOptions options = {0};
    return command_line_run(&command_mechanism, run_mechanism, &options, (void *[]){&options}, argc,
                            argv);
}

const Command command_mechanism = {
    .name = "mechanism",
    .summary = "list, describe and test mechanisms",
    .synopsis = "mechanism [list]\n"
                "mechanism describe NAME|PATH\n"
                "mechanism test MECHANISMS SCRIPT [--quiet]\n"
                "mechanism script",
    .description =
        "  list      the names that `heddle run --mechanism` takes, with their papers\n"
        "  describe  a mechanism, or that of a shared object (./mine.so): its parameters,\n"
        "            counters, instructions, and storage in bits\n"
        "  test      drives mechanisms at one cache with the accesses of a file, and prints\n"
        "            each event, answer and outcome; MECHANISMS are given as to --mechanism,\n"
        "            for example ./mine.so:degree=2, or none for the cache alone\n"
        "  script    the commands of such files\n"
        "\n"
        "A parameter is set by --mechanism NAME:KEY=VALUE, else by --set NAME.KEY=VALUE, else by "
        "the section NAME of the machine file.",
    .tables = {mechanism_options},
    .notes = "The exit status of test is 1 if an expectation of the script is not met, and 2 if "
             "the script or the mechanisms are wrong.",
    .run = cmd_mechanism,
};
