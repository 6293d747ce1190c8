// `heddle study`: experiments as data.
#include "base/file.h"
#include "base/number.h"
#include "base/team.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "cli/study/all_claims.h"
#include "cli/study/run_study.h"
#include "cli/study/slurm_study.h"
#include "cli/study/study_catalogue.h"
#include "cli/study/study_check.h"
#include "cli/study/study_figures.h"
#include "study/study_claims.h"
#include "study/study_data.h"
#include "study/study_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char example_study[]; // example.yaml

#define TARGET(field) .target = offsetof(StudyOptions, field)

static bool parse_scale(const Option *option, void *values, const OptionInput *input)
{
    char *end;
    double *scale = &((StudyOptions *)values)->scale;
    (void)option;
    *scale = number_read(input->text, &end);
    return (*input->text && !*end && *scale > 0 && *scale <= 1) ||
           option_expected(input, "a number above 0 and at most 1");
}

const Option study_options[] = {
    {.name = "figure", .type = OPTION_TEXT, TARGET(figure), .value = "NAME",
     .help = "plan, status, run: only the runs that this figure is drawn from"},
    {.name = "table", .type = OPTION_TEXT, TARGET(table), .value = "NAME",
     .help = "table: only this one"},
    {.name = "rows", .type = OPTION_FLAG, TARGET(rows),
     .help = "table: with a row for each kernel, program or input; a page has the means"},
    {.name = "counts", .type = OPTION_FLAG, TARGET(counts),
     .help = "claims of all studies: how many are met, as Markdown"},
    {.name = "out", .type = OPTION_TEXT, TARGET(out), .value = "FILE",
     .help = "figure: the file, which is SVG, PNG or PDF by its ending (default "
             "STUDY-FIGURE.svg); of several figures the folder"},
    {.name = "scale", .type = OPTION_PARSED, .parse = parse_scale, .value = "S",
     .help = "inputs of S times the size, for a quick look; where the study has `scale`"},
    {.name = "data", .type = OPTION_TEXT, TARGET(data), .value = "FOLDER",
     .help = "the folder of the study's CSV files (default: STUDY-data, to which run writes; if "
             "that is not there, Heddle's results; of a study of your own, its folder)"},
    {.name = "store", .type = OPTION_TEXT, TARGET(store), .value = "FILE",
     .help = "status, run: the store of the results (default STUDY.db)"},
    {.name = "jobs", .letter = 'j', .type = OPTION_U32, TARGET(jobs), .value = "N", .min = 1,
     .max = 4096, .help = "run: runs at a time (default: the number of CPUs)"},
    {.name = "engine", .type = OPTION_CHOICE, TARGET(engine), .value = "local|slurm",
     .choices = (const char *const[]){"local", "slurm", NULL},
     .help = "run: processes of this host (default), or job arrays of Slurm, which are submitted"},
    {.name = "partition", .type = OPTION_TEXT, TARGET(partition), .value = "NAME",
     .group = "with --engine slurm", .help = "Slurm's partition"},
    {.name = "account", .type = OPTION_TEXT, TARGET(account), .value = "NAME",
     .group = "with --engine slurm", .help = "Slurm's account"},
    {.name = "time", .type = OPTION_TEXT, TARGET(time), .value = "TIME",
     .group = "with --engine slurm", .help = "the time limit of a run, as sbatch reads it"},
    {.name = "tasks-per-job", .type = OPTION_U32, TARGET(tasks_per_job), .value = "N", .min = 1,
     .max = 1000000, .group = "with --engine slurm",
     .help = "most runs of a job array (default 1000)"},
    {0},
};

// ---- what the actions do ----

// The words behind the action's name.
typedef struct Words {
    char **items;
    int count;
} Words;

static bool list(const Words *words, const StudyOptions *o, HdError *err)
{
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    int count = study_catalogue(names, &arena);
    (void)words;
    (void)o;
    (void)err;
    for (int i = 0; i < count; i++) {
        char path[DIRECTORY_TEXT];
        HdError why = {0};
        Study study = {0};
        bool ok = study_catalogue_find(names[i], path) && study_read(&study, path, &why);
        printf("%-32s %s\n", names[i], ok ? study.title : why.text);
        study_free(&study);
    }
    hd_arena_free(&arena);
    return true;
}

// Writes an example, whose data get the name of the file.
static bool write_new(const Words *words, const StudyOptions *o, HdError *err)
{
    static const char data[] = "example.csv";
    const char *path = words->items[0], *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    (void)o;
    if (length <= 5 || strcmp(base + length - 5, ".yaml") != 0)
        return hd_fail(err, "%s: expected the name of a new file that ends with .yaml", path);
    if (access(path, F_OK) == 0) return hd_fail(err, "%s: is there already", path);
    const char *place = strstr(example_study, data);
    char *text;
    if (asprintf(&text, "%.*s%.*s.csv%s", (int)(place - example_study), example_study,
                 (int)length - 5, base, place + strlen(data)) < 0)
        return hd_fail_memory(err, "writing a study");
    // The data get the same name, so a name that a study refuses for data is refused here.
    Study study;
    bool ok = study_read_text(&study, path, text, strlen(text), err) &&
              file_write(path, text, strlen(text), err);
    study_free(&study);
    free(text);
    if (ok) printf("%s: an example; `heddle study plan %s` shows the runs\n", path, path);
    return ok;
}

// Says if there is a store, and no file with rows of it.
static bool note_store(const StudySession *s, const StudyRecord *record, HdError *err)
{
    char *store;
    if (asprintf(&store, "%s.db", s->study.name) < 0)
        return hd_fail_memory(err, "looking for a store");
    if (access(store, F_OK) == 0)
        cli_note("%s/%s has no rows yet; heddle study run takes them from %s", s->data,
                 record->file, store);
    free(store);
    return true;
}

// Says if data are not complete: means may be over fewer runs. The first record alone is asked; of
// others a run may have no rows.
static bool note_missing(const StudySession *s, HdError *err)
{
    size_t wanted, missing;
    if (!s->study.record_count) return true;
    const StudyRecord *record = &s->study.records[0];
    if (!study_data_missing(record, s->tables, &wanted, &missing, err)) return false;
    if (missing && missing < wanted)
        cli_note("%s/%s has no rows of %zu of its %zu runs", s->data, record->file, missing,
                 wanted);
    return !missing || missing < wanted || note_store(s, record, err);
}

// Opens the study, with its views if they are wanted.
static bool open_session(StudySession *s, const char *name, bool views, const StudyOptions *o,
                         HdError *err)
{
    return study_session_open(s, &(SessionOptions){.name = name, .data = o->data,
                                                   .scale = o->scale, .rows = o->rows}, err) &&
           (!views ||
            (note_missing(s, err) && study_data_views(&s->study, s->tables, err)));
}

// Says how long the runs take, by earlier ones.
static bool note_times(const StudySession *s, const size_t *runs, size_t count, HdError *err)
{
    double *seconds = hd_new(s->matrix.count, sizeof *seconds), all = 0, longest = 0;
    size_t unknown = 0;
    bool ok = (seconds || hd_fail_memory(err, "planning a study")) &&
              study_data_seconds(&s->study, s->tables, seconds, s->matrix.count, err);
    for (size_t i = 0; ok && i < count; i++) {
        double one = seconds[runs[i]];
        all += one;
        unknown += one == 0;
        if (one > longest) longest = one;
    }
    free(seconds);
    char also[64] = "";
    if (unknown) snprintf(also, sizeof also, "; the times of %zu are not known", unknown);
    if (ok && unknown == count) cli_note("%zu runs; their times are not known", count);
    else if (ok)
        cli_note("%zu runs of %.2f CPU hours, as they took before; the longest took %.0f s%s",
                 count, all / 3600, longest, also);
    return ok;
}

static bool plan(const Words *words, const StudyOptions *o, HdError *err)
{
    StudySession s;
    size_t *runs = NULL, count = 0;
    bool ok = open_session(&s, words->items[0], false, o, err) &&
              study_check(&s.study, o->scale, err) &&
              study_figure_runs(&s, o->figure, &runs, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        const StudyRun *run = &s.matrix.runs[runs[i]];
        printf("%s:", run->name);
        for (size_t k = 0; k < run->word_count; k++) printf(" %s", run->words[k]);
        putchar('\n');
    }
    ok = ok && note_times(&s, runs, count, err);
    free(runs);
    study_session_close(&s);
    return ok;
}

enum { MOST_NAMES = 256 };

static bool print_tables(const StudySession *s, const StudyOptions *o, HdError *err)
{
    const char *names[MOST_NAMES] = {0};
    int count = 0;
    bool found = false;
    for (size_t i = 0; i < s->study.table_count; i++) {
        const StudyTable *table = &s->study.tables[i];
        if (count < MOST_NAMES) names[count++] = table->name;
        bool hidden = o->rows ? table->only_page : table->only_rows;
        if (o->table ? strcmp(table->name, o->table) != 0 : hidden) continue;
        found = true;
        if (!o->table) printf("%s\n\n", table->name);
        if (!study_print_table(table, s->tables, stdout, err)) return false;
        if (!o->table) putchar('\n');
    }
    char all[512];
    hd_list_names(all, sizeof all, names, count);
    return found || !o->table ||
           hd_fail(err, "%s: there is no table '%s': expected one of %s", s->study.path, o->table,
                   count ? all : "none");
}

static bool table(const Words *words, const StudyOptions *o, HdError *err)
{
    StudySession s;
    bool ok = open_session(&s, words->items[0], true, o, err) && print_tables(&s, o, err);
    study_session_close(&s);
    return ok;
}

static bool page(const Words *words, const StudyOptions *o, HdError *err)
{
    StudySession s = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size); // a page with a mistake is not printed in part
    bool ok = (out || hd_fail_memory(err, "printing a page")) &&
              open_session(&s, words->items[0], true, o, err) &&
              study_print_page(&s.study, s.tables, "figures", out, err);
    if (out && fclose(out) != 0) ok = ok && hd_fail_memory(err, "printing a page");
    if (ok) fwrite(text, 1, size, stdout);
    free(text);
    study_session_close(&s);
    return ok;
}

static bool claims(const Words *words, const StudyOptions *o, HdError *err)
{
    StudySession s;
    if (words->count && o->counts)
        return hd_fail(err, "--counts counts the claims of all studies: expected no study");
    if (!words->count)
        return o->counts ? all_claims_count(o->data, stdout, err)
                         : all_claims_print(o->data, stdout, err);
    bool ok = open_session(&s, words->items[0], true, o, err) &&
              study_print_claims(&s.study, s.tables, true, stdout, err);
    study_session_close(&s);
    return ok;
}

// Draws one figure, or all of a study.
static bool draw(const char *name, const char *figure_name, const StudyOptions *o, size_t *count,
                 HdError *err)
{
    StudySession s;
    char path[DIRECTORY_TEXT];
    const StudyFigure *figure = NULL;
    bool ok = open_session(&s, name, true, o, err);
    if (ok && figure_name) {
        figure = study_figure(&s.study, figure_name, err);
        snprintf(path, sizeof path, "%s-%s.svg", s.study.name, figure_name);
        ok = figure && study_figure_draw(&s, figure, o->out ? o->out : path, err);
        *count += ok;
        if (ok) printf("%s\n", o->out ? o->out : path);
    } else if (ok) {
        ok = study_figures_draw(&s, o->out ? o->out : ".", count, err);
    }
    study_session_close(&s);
    return ok;
}

static bool figure(const Words *words, const StudyOptions *o, HdError *err)
{
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    size_t count = 0;
    bool ok = true;
    if (strcmp(words->items[0], "all") != 0) {
        ok = draw(words->items[0], words->count > 1 ? words->items[1] : NULL, o, &count, err);
    } else {
        int studies = study_catalogue(names, &arena);
        for (int i = 0; ok && i < studies; i++) ok = draw(names[i], NULL, o, &count, err);
        hd_arena_free(&arena);
    }
    if (ok && words->count < 2) printf("%zu figure%s\n", count, count == 1 ? "" : "s");
    return ok;
}

static bool status(const Words *words, const StudyOptions *o, HdError *err)
{
    return study_status(words->items[0], o, err);
}

static bool run(const Words *words, const StudyOptions *o, HdError *err)
{
    bool ended;
    const char *only = o->tasks_per_job ? "tasks-per-job"
                       : o->partition   ? "partition"
                       : o->account     ? "account"
                       : o->time        ? "time"
                                        : NULL;
    if (only && o->engine != ENGINE_SLURM)
        return hd_fail(err, "--%s is an option of Slurm: expected --engine slurm", only);
    if (!(o->engine == ENGINE_SLURM ? slurm_study_run : study_run)(words->items[0], o, &ended, err))
        return false;
    return ended || *signals_caught() ||
           hd_fail(err, "%s: some runs have failed; the same command tries them again",
                   words->items[0]);
}

static bool merge(const Words *words, const StudyOptions *o, HdError *err)
{
    return slurm_study_merge(words->items[0], o, err);
}

static bool task(const Words *words, const StudyOptions *o, HdError *err)
{
    (void)o;
    return slurm_study_task(words->items[0], words->items[1], err);
}

// ---- the command ----

typedef struct StudyAction {
    const char *name;
    int least, most;      // words behind it
    const char *expected; // what these are
    const char *options[12]; // that it takes
    bool (*act)(const Words *words, const StudyOptions *options, HdError *err);
} StudyAction;

static const char one_study[] = "one study, by name or path";
static const StudyAction actions[] = {
    {"list", 0, 0, "nothing else", {NULL}, list},
    {"new", 1, 1, "the path of a new file", {NULL}, write_new},
    {"plan", 1, 1, one_study, {"figure", "scale", "data"}, plan},
    {"status", 1, 1, one_study, {"figure", "scale", "data", "store"}, status},
    {"run", 1, 1, one_study,
     {"figure", "scale", "data", "store", "jobs", "engine", "partition", "account", "time",
      "tasks-per-job"}, run},
    {"table", 1, 1, one_study, {"table", "rows", "scale", "data"}, table},
    {"figure", 1, 2, "a study, by name or path, and perhaps a figure", {"out", "scale", "data"},
     figure},
    {"page", 1, 1, one_study, {"scale", "data"}, page},
    {"claims", 0, 1, "at most one study, by name or path", {"counts", "scale", "data"}, claims},
    {"merge", 1, 1, one_study, {"figure", "scale", "data", "store"}, merge},
    {"task", 2, 2, "a file of tasks, and a number", {NULL}, task}};
enum { ACTIONS = sizeof actions / sizeof *actions };

static int dispatch(const CommandLine *line, void *values)
{
    HdError err = {0};
    const char *names[ACTIONS], *name = line->argument_count ? line->arguments[0] : "list";
    Words words = {line->arguments + 1, line->argument_count ? line->argument_count - 1 : 0};
    const StudyAction *action = NULL;
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(name, names[i]) == 0) action = &actions[i];
    }
    if (!action)
        return cli_fail_with("study '%s': expected an action, such as plan%s%s%s (see heddle study "
                             "--help)", name, HD_DID_YOU_MEAN(hd_nearest(name, names, ACTIONS)));
    if (words.count < action->least || words.count > action->most)
        return cli_fail_with("study %s: expected %s (see heddle study --help)", name,
                             action->expected);
    for (size_t i = 0; i < line->given_count; i++)
        if (!hd_is_among(line->given[i].option->name, action->options))
            return cli_fail_with("study %s: --%s has no effect on it (see heddle study --help)",
                                 name, line->given[i].option->name);
    bool ok = action->act(&words, values, &err);
    if (*signals_caught()) return SIGNAL_STATUS + *signals_caught();
    return ok ? cli_flush() : cli_fail(&err);
}

static int cmd_study(int argc, char **argv)
{
    StudyOptions options = {.scale = 1, .jobs = team_cpus()};
    return command_line_run(&command_study, dispatch, &options, (void *[]){&options}, argc, argv);
}

const Command command_study = {
    .name = "study",
    .summary = "experiments as data: runs, tables, figures, claims",
    .synopsis = "study [list]\n"
                "study new FILE.yaml\n"
                "study plan STUDY [--figure NAME] [--scale S]\n"
                "study status STUDY [--figure NAME] [--scale S]\n"
                "study run STUDY [--figure NAME] [--scale S] [--jobs N | --engine slurm]\n"
                "study table STUDY [--table NAME] [--rows]\n"
                "study figure STUDY|all [NAME] [--out FILE]\n"
                "study page STUDY\n"
                "study claims [STUDY | --counts]",
    .description =
        "  list     the studies that come with Heddle\n"
        "  new      writes an example of a study of your own\n"
        "  plan     the runs of a study, with their words of heddle run, and the time they take\n"
        "  status   how many runs are done, new or stale, why, and the CPU time left\n"
        "  run      runs what is not done, and writes the study's CSV files\n"
        "  table    its tables, by the data that are there\n"
        "  figure   draws one of its figures, or all; `all`: those of all studies\n"
        "  page     its page\n"
        "  claims   what its paper, or all papers, state beside what was measured, as CSV\n"
        "  merge, task   what a job of Slurm runs\n"
        "\n"
        "STUDY is a name that `list` shows, or the path of a file.\n"
        "\n"
        "Results are kept in a store (heddle query). After an interruption the same command goes "
        "on. A run is repeated only if something that it is computed from has changed: its words, "
        "a file, the machine, a mechanism, or the simulator.\n"
        "\n"
        "--engine slurm submits what is not done, one run a task, and returns. Tasks write files "
        "in STORE-slurm; a job behind them adds the results to the store. The same command submits "
        "again what was cancelled, was killed or has failed. Other options of sbatch are given by "
        "its variables, such as SBATCH_QOS and SBATCH_MEM_PER_NODE.",
    .tables = {study_options},
    .notes = "exit status: 0 success; 2 bad input, or a run failed; 128 + the signal's number if "
             "interrupted\n"
             "\n"
             "example:\n"
             "  heddle study run khairy2015 --figure 12 --scale 0.2\n"
             "  heddle study figure khairy2015 12 --data khairy2015-data-0.2",
    .run = cmd_study,
};
