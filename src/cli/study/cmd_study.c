// `heddle study`: experiments as data.
#include "base/file.h"
#include "base/number.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "cli/study/all_claims.h"
#include "cli/study/study_catalogue.h"
#include "cli/study/study_session.h"
#include "study/study_claims.h"
#include "study/study_data.h"
#include "study/study_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char example_study[]; // example.yaml

typedef struct StudyOptions {
    const char *figure, *data, *table;
    double scale;
    bool rows, counts;
} StudyOptions;

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

static const Option study_options[] = {
    {.name = "figure", .type = OPTION_TEXT, TARGET(figure), .value = "NAME",
     .help = "only the runs that this figure is drawn from"},
    {.name = "table", .type = OPTION_TEXT, TARGET(table), .value = "NAME",
     .help = "only this table"},
    {.name = "rows", .type = OPTION_FLAG, TARGET(rows),
     .help = "tables with a row for each kernel, program or input; a page has the means"},
    {.name = "counts", .type = OPTION_FLAG, TARGET(counts),
     .help = "with claims of all studies: how many are met, as Markdown"},
    {.name = "scale", .type = OPTION_PARSED, .parse = parse_scale, .value = "S",
     .help = "inputs of S times the size, for a quick look; only where the study has `scale`"},
    {.name = "data", .type = OPTION_TEXT, TARGET(data), .value = "FOLDER",
     .help = "the folder of the study's CSV files (default: that of Heddle's results; of a study "
             "of your own, its folder)"},
    {0},
};

// ---- list ----

static int study_list(void)
{
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    int count = study_catalogue(names, &arena);
    for (int i = 0; i < count; i++) {
        char path[DIRECTORY_TEXT];
        HdError err = {0};
        Study study = {0};
        bool ok = study_catalogue_find(names[i], path) && study_read(&study, path, &err);
        printf("%-32s %s\n", names[i], ok ? study.title : err.text);
        study_free(&study);
    }
    hd_arena_free(&arena);
    return cli_flush();
}

// ---- one study ----

static const StudyFigure *find_figure(const Study *study, const char *name, HdError *err)
{
    for (size_t i = 0; i < study->figure_count; i++)
        if (strcmp(study->figures[i].name, name) == 0) return &study->figures[i];
    hd_fail(err, "%s: there is no figure '%s'", study->path, name);
    return NULL;
}

static bool plan(StudySession *s, const StudyOptions *o, HdError *err)
{
    static const StudyText all = {0};
    const StudyFigure *figure = o->figure ? find_figure(&s->study, o->figure, err) : NULL;
    size_t *runs, count;
    if (o->figure && !figure) return false;
    bool ok = study_matrix_select(&s->matrix, s->tables, figure ? &figure->needs : &all, &runs,
                                  &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        const StudyRun *run = &s->matrix.runs[runs[i]];
        printf("%s:", run->name);
        for (size_t k = 0; k < run->word_count; k++) printf(" %s", run->words[k]);
        putchar('\n');
    }
    free(runs);
    return ok;
}

static bool print_tables(StudySession *s, const StudyOptions *o, HdError *err)
{
    bool found = false;
    for (size_t i = 0; i < s->study.table_count; i++) {
        const StudyTable *table = &s->study.tables[i];
        bool hidden = o->rows ? table->only_page : table->only_rows;
        if (o->table ? strcmp(table->name, o->table) != 0 : hidden) continue;
        found = true;
        if (!o->table) printf("%s\n\n", table->name);
        if (!study_print_table(table, s->tables, stdout, err)) return false;
        if (!o->table) putchar('\n');
    }
    return found || !o->table ||
           hd_fail(err, "%s: there is no table '%s'", s->study.path, o->table);
}

// ---- new ----

// Writes an example, whose data get the name of the file.
static bool write_new(const char *path, HdError *err)
{
    static const char data[] = "example.csv";
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (length <= 5 || strcmp(base + length - 5, ".yaml") != 0)
        return hd_fail(err, "%s: expected the name of a new file that ends with .yaml", path);
    if (access(path, F_OK) == 0) return hd_fail(err, "%s: is there already", path);
    const char *place = strstr(example_study, data);
    char *text;
    if (asprintf(&text, "%.*s%.*s.csv%s", (int)(place - example_study), example_study,
                 (int)length - 5, base, place + strlen(data)) < 0)
        return hd_fail_memory(err, "writing a study");
    bool ok = file_write(path, text, strlen(text), err);
    free(text);
    if (ok) printf("%s: an example; `heddle study plan %s` shows the runs\n", path, path);
    return ok;
}

typedef enum Action { LIST, NEW, PLAN, TABLE, PAGE, CLAIMS, ACTIONS } Action;

static bool act(Action action, StudySession *s, const StudyOptions *o, HdError *err)
{
    if (action == PLAN) return plan(s, o, err);
    if (!study_data_views(&s->study, s->tables, err)) return false;
    switch (action) {
    case TABLE: return print_tables(s, o, err);
    case PAGE: return study_print_page(&s->study, s->tables, "../images", stdout, err);
    case CLAIMS: return study_print_claims(&s->study, s->tables, true, stdout, err);
    default: return false;
    }
}

static int dispatch(const CommandLine *line, void *values)
{
    static const char *const actions[ACTIONS] = {"list", "new", "plan", "table", "page", "claims"};
    const StudyOptions *o = values;
    HdError err = {0};
    int count = line->argument_count;
    const char *name = count ? line->arguments[0] : "list";
    Action action = LIST;
    while (action < ACTIONS && strcmp(name, actions[action]) != 0) action++;
    if (action == ACTIONS)
        return cli_fail_with("study '%s': expected list, new, plan, table, page or claims%s%s%s "
                             "(see heddle study --help)", name,
                             HD_DID_YOU_MEAN(hd_nearest(name, actions, ACTIONS)));
    if (action == LIST)
        return count > 1 ? cli_fail_with("study list: expected nothing else") : study_list();
    if (action == CLAIMS && count == 1) {
        bool ok = o->counts ? all_claims_count(o->data, stdout, &err)
                            : all_claims_print(o->data, stdout, &err);
        return ok ? cli_flush() : cli_fail(&err);
    }
    if (count != 2)
        return cli_fail_with("study %s: expected one study, by name or path (see heddle study "
                             "--help)", name);
    if (action == NEW) return write_new(line->arguments[1], &err) ? cli_flush() : cli_fail(&err);
    StudySession session;
    bool ok = study_session_open(&session, &(SessionOptions){.name = line->arguments[1],
                                                             .data = o->data, .scale = o->scale,
                                                             .rows = o->rows},
                                 &err) &&
              act(action, &session, o, &err);
    study_session_close(&session);
    return ok ? cli_flush() : cli_fail(&err);
}

static int cmd_study(int argc, char **argv)
{
    StudyOptions options = {.scale = 1};
    return command_line_run(&command_study, dispatch, &options, (void *[]){&options}, argc, argv);
}

const Command command_study = {
    .name = "study",
    .summary = "experiments as data: runs, tables, figures, claims",
    .synopsis = "study [list]\n"
                "study new FILE.yaml\n"
                "study plan STUDY [--figure NAME] [--scale S]\n"
                "study table STUDY [--table NAME]\n"
                "study page STUDY\n"
                "study claims [STUDY | --counts]",
    .description =
        "  list     the studies that come with Heddle\n"
        "  new      writes an example of a study of your own\n"
        "  plan     the runs of a study, with their words of heddle run\n"
        "  table    its tables, by the data that are there\n"
        "  page     its page\n"
        "  claims   what its paper, or all papers, state beside what was measured, as CSV\n"
        "\n"
        "STUDY is a name that `list` shows, or the path of a file.",
    .tables = {study_options},
    .run = cmd_study,
};
