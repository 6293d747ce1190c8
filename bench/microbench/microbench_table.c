// Measures the machines of real chips by short kernels, and compares with published measurements of
// the chips.
//
//     microbench_table [--check | --all | --outside] [--machine NAME]... [--set KEY=VALUE]...
//                      CSV [QUANTITY ...]
//
// prints a table for each machine, and below it numbered notes: the reasons, and the places of
// sources that are too long for a cell. CSV has the published figures
// (reference/published/README.md describes it). --machine, QUANTITY: only these. --set changes the
// machines. --all measures the quantities without a published figure too. --outside prints only the
// rows whose ratio, ours / published, is outside of 0.9 to 1.1, without their sources, and how many
// ratios are within. --check prints the rows outside that have no reason in CSV, and the reasons of
// rows that need none; the status is 1 if there are any.
#include "../wanted.h"
#include "base/fail.h"
#include "cli/common/data_directories.h"
#include "device/sim.h"
#include "microbench.h"
#include "notes.h"
#include "published.h"

#include <stdio.h>
#include <string.h>

typedef struct Comparison {
    bool check, all, outside;
    bool header;             // of the current machine is printed
    unsigned ratios, within; // of the current machine, with `outside`
    Notes notes; // of the current machine
    const char *machines[16];
    unsigned machine_count;
    const char *set[MOST_SET];
    unsigned set_count;
    char *const *quantities;
    int quantity_count;
    Published published;
    unsigned wrong;
} Comparison;

static const char *const chips[] = {"volta-v100", "hopper-h200", "kepler-k40c", "maxwell-gtx980"};
enum { CHIPS = sizeof chips / sizeof *chips };

typedef struct Line {
    const char *machine, *quantity;
    const PublishedRow *published; // NULL: none
} Line;

// Ours divided by what is published; by the nearer end of a range.
static double ratio_of(double ours, const PublishedRow *row)
{
    if (ours < row->low) return ours / row->low;
    return ours > row->high ? ours / row->high : 1;
}

static bool is_far(double ratio) { return ratio < 0.9 || ratio > 1.1; }

static void check_line(Comparison *c, const Line *line, double ratio)
{
    bool far = is_far(ratio), reason = *line->published->reason;
    if (far == reason) return;
    printf("%s %s: ratio %.2f %s\n", line->machine, line->quantity, ratio,
           far ? "without a reason" : "needs no reason");
    c->wrong++;
}

// The rest of a row. What is too long for a cell is a note.
static void print_published(Notes *notes, const PublishedRow *row, double ratio)
{
    enum { CELL = 78 }; // characters, without the spaces around them
    bool fits = strlen(row->source) + strlen(row->place) + 2 <= CELL;
    printf("%s | %.2f | %s%s%s |", row->figure, ratio, row->source, fits ? ", " : "",
           fits ? row->place : "");
    const char *before = " ";
    if (!fits) {
        printf(" %u", notes_number(notes, row->source, row->place));
        before = ", ";
    }
    if (*row->reason) printf("%s%u", before, notes_number(notes, NULL, row->reason));
    printf(" |\n");
}

static bool measure_line(Comparison *c, Chip *chip, const Line *line, HdError *err)
{
    const PublishedRow *row = line->published;
    const char *unit = row ? row->unit : NULL;
    double ours;
    if (!micro_measure(chip, line->quantity, &unit, &ours, err)) return false;
    double ratio = row ? ratio_of(ours, row) : 0;
    if (c->check) {
        if (row) check_line(c, line, ratio);
        return true;
    }
    if (!c->header)
        printf("\n## %s\n\n| quantity | unit | ours | published | ratio |%s\n"
               "| --- | --- | --- | --- | --- |%s\n", line->machine,
               c->outside ? " note |" : " source | notes |",
               c->outside ? " --- |" : " --- | --- |");
    c->header = true;
    if (c->outside) {
        c->ratios++;
        c->within += !is_far(ratio);
        if (!is_far(ratio)) return true;
    }
    printf("| %s | %s | %.4g | ", line->quantity, unit, ours);
    if (row && c->outside)
        printf("%s | %.2f | %u |\n", row->figure, ratio,
               notes_number(&c->notes, NULL, *row->reason ? row->reason : "No reason is known."));
    else if (row) print_published(&c->notes, row, ratio);
    else printf("| | | |\n");
    return true;
}

// Times of launches are not measured by a kernel.
static bool is_launch(const char *quantity) { return !strncmp(quantity, "launch.", 7); }

static bool is_published(const Comparison *c, const char *machine, const char *quantity)
{
    for (size_t i = 0; i < c->published.count; i++)
        if (!strcmp(c->published.rows[i].machine, machine) &&
            !strcmp(c->published.rows[i].quantity, quantity))
            return true;
    return false;
}

static bool measure_others(Comparison *c, Chip *chip, HdError *err)
{
    char name[64];
    for (unsigned i = 0; micro_name(i, name, sizeof name); i++) {
        Line line = {chip->simulation.machine, name, NULL};
        if (wanted(name, c->quantities, c->quantity_count) &&
            !is_published(c, line.machine, name) && !measure_line(c, chip, &line, err))
            return false;
    }
    return true;
}

static bool measure_machine(Comparison *c, const char *machine, const char *const *directories,
                            HdError *err)
{
    Chip chip = {.simulation = {.machine = machine, .directories = directories}};
    memcpy(chip.set, c->set, sizeof chip.set);
    c->header = false;
    c->notes.count = c->ratios = c->within = 0;
    for (size_t i = 0; i < c->published.count; i++) {
        const PublishedRow *row = &c->published.rows[i];
        Line line = {machine, row->quantity, row};
        if (strcmp(row->machine, machine) || is_launch(row->quantity) ||
            !wanted(row->quantity, c->quantities, c->quantity_count))
            continue;
        if (!measure_line(c, &chip, &line, err)) return false;
    }
    if (c->all && !measure_others(c, &chip, err)) return false;
    if (c->outside && c->ratios)
        printf("\n%u of %u ratios are within 0.9 to 1.1.\n", c->within, c->ratios);
    notes_print(&c->notes);
    return true;
}

// Fails for a misspelt machine or quantity in the file, which would compare nothing.
static bool check_rows(const char *path, const Published *published, HdError *err)
{
    if (!published->count) return hd_fail(err, "%s: expected at least one row", path);
    for (size_t i = 0; i < published->count; i++) {
        const PublishedRow *row = &published->rows[i];
        int k = 0, line = (int)i + 2;
        while (k < CHIPS && strcmp(chips[k], row->machine)) k++;
        if (k == CHIPS)
            return hd_fail_at(err, path, line, 0, "no machine '%s'%s%s%s", row->machine,
                              HD_DID_YOU_MEAN(hd_nearest(row->machine, chips, CHIPS)));
        HdError why = {0};
        if (!is_launch(row->quantity) && !micro_check(row->quantity, row->unit, &why))
            return hd_fail_at(err, path, line, 0, "%s", why.text);
    }
    return true;
}

// Fails for a machine or quantity of the command line without a row in the file, unless --all
// measures it.
static bool check_wanted(const Comparison *c, const char *path, HdError *err)
{
    const Published *published = &c->published;
    size_t k;
    for (unsigned i = 0; i < c->machine_count && !c->all; i++) {
        for (k = 0; k < published->count; k++)
            if (!strcmp(published->rows[k].machine, c->machines[i])) break;
        if (k == published->count)
            return hd_fail(err,
                           "--machine %s: not in %s: expected --all, or one of its machines%s%s%s",
                           c->machines[i], path,
                           HD_DID_YOU_MEAN(hd_nearest(c->machines[i], chips, CHIPS)));
    }
    for (int i = 0; i < c->quantity_count; i++) {
        if (!micro_check(c->quantities[i], NULL, err)) return false;
        for (k = 0; k < published->count; k++)
            if (!strcmp(published->rows[k].quantity, c->quantities[i])) break;
        if (k == published->count && !c->all)
            return hd_fail(err, "'%s': not in %s: expected --all, or one of its quantities",
                           c->quantities[i], path);
    }
    return true;
}

static int usage(void)
{
    fprintf(stderr, "usage: microbench_table [--check | --all | --outside] "
                    "[--machine NAME]... [--set KEY=VALUE]... CSV [QUANTITY ...]\n");
    return 2;
}

// Reads the options before the first argument without dashes; returns its index, 0 if one is wrong.
static int options(Comparison *c, int argc, char **argv)
{
    enum { MOST = sizeof c->machines / sizeof *c->machines };
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++)
        if (!strcmp(argv[i], "--check")) c->check = true;
        else if (!strcmp(argv[i], "--all")) c->all = true;
        else if (!strcmp(argv[i], "--outside")) c->outside = true;
        else if (!strcmp(argv[i], "--machine") && i + 1 < argc && c->machine_count < MOST)
            c->machines[c->machine_count++] = argv[++i];
        else if (!strcmp(argv[i], "--set") && i + 1 < argc && c->set_count < MOST_SET)
            c->set[c->set_count++] = argv[++i];
        else return 0;
    return i < argc && c->check + c->all + c->outside <= 1 ? i : 0;
}

int main(int argc, char **argv)
{
    static Comparison c;
    static Directories directories;
    HdError err = {0};
    int first = options(&c, argc, argv);
    if (!first) return usage();
    c.quantities = argv + first + 1;
    c.quantity_count = argc - first - 1;
    machine_directories(&directories);
    bool ok = published_read(argv[first], &c.published, &err) &&
              check_rows(argv[first], &c.published, &err) &&
              check_wanted(&c, argv[first], &err);
    if (!c.machine_count) {
        memcpy(c.machines, chips, sizeof chips);
        c.machine_count = CHIPS;
    }
    for (unsigned i = 0; ok && i < c.machine_count; i++)
        ok = measure_machine(&c, c.machines[i], directories.paths, &err);
    published_free(&c.published);
    if (!ok) fprintf(stderr, "microbench_table: %s\n", err.text);
    return ok ? c.wrong > 0 : 2;
}
