// Runs the programs of this folder on a simulated machine and compares its counts with those of
// another simulator.
//
//     fidelity_table [--check | --launches | --csv] [--machine NAME] [--set KEY=VALUE]... [--cold]
//                    CSV KERNELS [PROGRAM ...]
//
// prints a table, one row per program; --launches: one row per launch. CSV has that simulator's
// launches (reference/gpgpusim/README.md describes its columns). KERNELS is the folder of the PTX.
// PROGRAM is a name of the first column; default: all programs in CSV. --cold leaves copies from
// the host out of the L2. --check prints the limits of docs/validation.md that are exceeded; the
// status is 1 if there are any. A wrong answer of a program is an error: status 2.
#include "../reference.h"
#include "../wanted.h"
#include "cli/common/data_directories.h"
#include "device/sim.h"
#include "gpu/launch_result.h"
#include "gpu/machine.h"
#include "programs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_CYCLES = 5000 }; // shorter launches are not compared alone

typedef enum View { VIEW_PROGRAMS, VIEW_LAUNCHES, VIEW_CSV, VIEW_CHECK } View;

typedef struct Comparison {
    View view;
    const ReferenceMachine *reference; // VIEW_CHECK
    const char *kernels;
    HdSimulation simulation;
    const char *set[32];
    unsigned set_count;
    // Over the programs so far:
    unsigned programs, missed;
    double off, worst_launch; // sum of relative errors of cycles; largest of a launch
    char worst[160];
} Comparison;

static void row_of_launch(const LaunchResult *from, Row *row)
{
    const CacheCounters *l1d = &from->sm.l1d, *l2 = &from->l2;
    double *v = row->value;
    v[CYCLES] = (double)from->cycles;
    v[WARP_INSTRUCTIONS] = (double)from->sm.sm.warp_instructions;
    v[L1_ACCESSES] = (double)l1d->accesses;
    v[L1_MISSES] = (double)l1d->misses;
    v[L1_PENDING] = (double)l1d->pending_hits;
    v[L2_ACCESSES] = (double)l2->accesses;
    // GPGPU-Sim counts a store to a sector that holds only written bytes as a miss.
    v[L2_MISSES] = (double)(l2->misses + l2->store_incomplete);
    v[TO_SM] = (double)(from->icnt.flits_to_sm_data + from->icnt.flits_to_sm_control);
    v[TO_MEMORY] = (double)(from->icnt.flits_to_memory_data + from->icnt.flits_to_memory_control);
    v[DRAM_READS] = (double)from->dram.reads;
    v[DRAM_WRITES] = (double)from->dram.writes;
}

// Runs the program of `theirs` and writes its launches to `ours`, counted as that tool does. Fails
// if there are not `count`. Takes the launch latency out of `theirs`.
static bool simulate(const Comparison *c, Row *ours, Row *theirs, size_t count, HdError *err)
{
    const char *name = theirs->run;
    const FidelityProgram *program = fidelity_find(name, err);
    if (!program) return false;
    char text[256], *rest = text;
    const char *registers[16] = {NULL};
    snprintf(text, sizeof text, "%s", program->registers);
    for (int i = 0; rest && i < 15; i++) registers[i] = strsep(&rest, ",");
    HdSimulation simulation = c->simulation;
    simulation.registers = registers;
    HdDevice *device = hd_device_simulate(&simulation, err);
    if (!device) return false;
    bool ok = fidelity_run(program, device, c->kernels, err);
    size_t launches;
    const LaunchResult *results = gpu_results(device_sim_gpu(device), &launches);
    if (ok && launches != count)
        ok = hd_fail(err, "%s: %zu launches: expected %zu, as the CSV has", name, launches, count);
    for (size_t i = 0; ok && i < count; i++) row_of_launch(&results[i], &ours[i]);
    const Machine *machine = gpu_machine(device_sim_gpu(device));
    if (machine->l1d.allocate == ALLOCATE_ON_FILL) reference_count_merged(ours, count);
    reference_take_latency(theirs, count, machine->launch.latency);
    hd_device_close(device);
    return ok;
}

// ---- output ----

static void print_header(View view)
{
    if (view == VIEW_CSV) {
        printf("program,kernel,launch,cycles,theirs,ratio\n");
        return;
    }
    printf("Ours / theirs; rates in percent.\n\n"
           "| program | cycles | ratio | warp instructions | L1D accesses | L1D miss | L2 accesses "
           "| L2 miss | DRAM reads | DRAM writes |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

static void print_row(const char *name, const double *o, const double *t)
{
    printf("| %s | %.0f / %.0f | %.3f | %.0f / %.0f | %.0f / %.0f | %.1f / %.1f | %.0f / %.0f "
           "| %.1f / %.1f | %.0f / %.0f | %.0f / %.0f |\n",
           name, o[CYCLES], t[CYCLES], ratio(o[CYCLES], t[CYCLES]), o[WARP_INSTRUCTIONS],
           t[WARP_INSTRUCTIONS], o[L1_ACCESSES], t[L1_ACCESSES],
           percent(o[L1_MISSES], o[L1_ACCESSES]), percent(t[L1_MISSES], t[L1_ACCESSES]),
           o[L2_ACCESSES], t[L2_ACCESSES], percent(o[L2_MISSES], o[L2_ACCESSES]),
           percent(t[L2_MISSES], t[L2_ACCESSES]), o[DRAM_READS], t[DRAM_READS], o[DRAM_WRITES],
           t[DRAM_WRITES]);
}

static void print_launch(View view, const Row *ours, const Row *theirs, size_t launch)
{
    const double *o = ours->value, *t = theirs->value;
    char name[160];
    snprintf(name, sizeof name, "%s %zu %s", theirs->run, launch, theirs->kernel);
    if (view == VIEW_LAUNCHES) print_row(name, o, t);
    if (view == VIEW_CSV)
        printf("%s,%s,%zu,%.0f,%.0f,%.4f\n", theirs->run, theirs->kernel, launch, o[CYCLES],
               t[CYCLES], ratio(o[CYCLES], t[CYCLES]));
}

// ---- comparison ----

static void worst_of(Comparison *c, const char *name, const double *o, const Row *theirs)
{
    double cycles = theirs->value[CYCLES], off = ratio(o[CYCLES], cycles) - 1;
    if (cycles + theirs->latency <= LEAST_CYCLES || fabs(off) <= fabs(c->worst_launch)) return;
    c->worst_launch = off;
    snprintf(c->worst, sizeof c->worst, "%s", name);
}

static bool compare_program(Comparison *c, Row *theirs, size_t count)
{
    static Row ours[MOST_ROWS];
    HdError err = {0};
    if (!simulate(c, ours, theirs, count, &err)) {
        fprintf(stderr, "fidelity_table: %s\n", err.text);
        return false;
    }
    if (!c->programs && c->view != VIEW_CHECK) print_header(c->view);
    for (size_t i = 0; i < count; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s launch %zu", theirs->run, i + 1);
        print_launch(c->view, &ours[i], &theirs[i], i + 1);
        worst_of(c, name, ours[i].value, &theirs[i]);
    }
    double o[COLUMNS], t[COLUMNS], off;
    reference_sum(ours, count, o);
    reference_sum(theirs, count, t);
    if (c->view == VIEW_PROGRAMS) print_row(theirs->run, o, t);
    if (c->view == VIEW_CHECK) c->missed += reference_check(theirs->run, ours, theirs, count, &off);
    c->off += fabs(ratio(o[CYCLES], t[CYCLES]) - 1);
    c->programs++;
    fflush(stdout);
    return true;
}

// Limits in percent.
static int summary(Comparison *c)
{
    double mean = c->programs ? 100 * c->off / c->programs : 0, worst = 100 * c->worst_launch;
    if (c->view != VIEW_CSV)
        printf("\n%u programs, cycles %.1f %% off on the mean;\n"
               "launches over %d cycles at most %+.1f %%%s%s\n", c->programs, mean, LEAST_CYCLES,
               worst, *c->worst ? ": " : "", c->worst);
    if (c->view != VIEW_CHECK) return 0;
    bool far = mean > c->reference->mean_off || fabs(worst) > c->reference->worst_off;
    if (far)
        printf("expected at most %d %% on the mean and %d %% of a launch\n",
               c->reference->mean_off, c->reference->worst_off);
    return c->missed || far;
}

// ---- command line ----

static int usage(void)
{
    fprintf(stderr, "usage: fidelity_table [--check | --launches | --csv] [--machine NAME] "
                    "[--set KEY=VALUE]... [--cold] CSV KERNELS [PROGRAM ...]\n");
    return 2;
}

// Reads the options before the first argument without dashes; returns its index, 0 if one is wrong.
static int options(Comparison *c, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool has_value = !strcmp(option, "--machine") || !strcmp(option, "--set");
        enum { MOST_SET = sizeof c->set / sizeof *c->set - 1 };
        if (!strcmp(option, "--check")) c->view = VIEW_CHECK;
        else if (!strcmp(option, "--launches")) c->view = VIEW_LAUNCHES;
        else if (!strcmp(option, "--csv")) c->view = VIEW_CSV;
        else if (!strcmp(option, "--cold") && c->set_count < MOST_SET)
            c->set[c->set_count++] = "memory.copy_fills_l2=false";
        else if (!has_value || !value) return 0;
        else if (!strcmp(option, "--machine")) c->simulation.machine = value;
        else if (c->set_count < MOST_SET) c->set[c->set_count++] = value;
        else return 0;
        i += has_value;
    }
    return i + 1 < argc ? i : 0;
}

// Fails for a misspelt name, on the command line or in the file, which would compare nothing.
static bool check_names(const char *path, const Table *table, char *const names[], int count,
                        HdError *err)
{
    if (!table->count) return hd_fail(err, "%s: expected at least one launch", path);
    for (size_t i = 0; i < table->count; i++) {
        HdError why = {0};
        if (!fidelity_find(table->rows[i].run, &why))
            return hd_fail_at(err, path, (int)i + 2, 0, "%s", why.text);
    }
    for (int i = 0; i < count; i++) {
        if (!fidelity_find(names[i], err)) return false;
        size_t k = 0;
        while (k < table->count && strcmp(table->rows[k].run, names[i])) k++;
        if (k == table->count) return hd_fail(err, "%s: no program '%s'", path, names[i]);
    }
    return true;
}

int main(int argc, char **argv)
{
    static Comparison c = {.simulation.machine = "fermi-gtx480-gpgpusim4"};
    static Directories directories;
    static Table reference;
    HdError err = {0};
    int first = options(&c, argc, argv);
    if (!first) return usage();
    char **names = argv + first + 2;
    int name_count = argc - first - 2;
    c.kernels = argv[first + 1];
    machine_directories(&directories);
    c.simulation.directories = directories.paths;
    c.simulation.set = c.set;
    if (c.view == VIEW_CHECK) c.reference = reference_machine(c.simulation.machine, &err);
    if ((c.view == VIEW_CHECK && !c.reference) || !reference_read(argv[first], &reference, &err) ||
        !check_names(argv[first], &reference, names, name_count, &err)) {
        fprintf(stderr, "fidelity_table: %s\n", err.text);
        return 2;
    }
    for (size_t i = 0, end; i < reference.count; i = end) {
        end = i;
        while (end < reference.count && !strcmp(reference.rows[end].run, reference.rows[i].run))
            end++;
        if (wanted(reference.rows[i].run, names, name_count) &&
            !compare_program(&c, &reference.rows[i], end - i))
            return 2;
    }
    return summary(&c);
}
