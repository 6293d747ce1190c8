// Prints and counts the claims of all studies.
#include "cli/study/all_claims.h"

#include "cli/study/study_catalogue.h"
#include "cli/study/study_session.h"
#include "study/study_claims.h"
#include "study/study_data.h"

#include <stdlib.h>

// Calls `act` for each study that has claims, with its number among these.
typedef bool Act(StudySession *session, size_t number, void *user, HdError *err);

static bool each_study(const char *data, Act *act, void *user, HdError *err)
{
    const char *names[MOST_STUDIES];
    HdArena arena = {0};
    size_t number = 0;
    int count = study_catalogue(names, &arena);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        StudySession session;
        ok = study_session_open(&session, &(SessionOptions){.name = names[i], .data = data,
                                                            .scale = 1}, err);
        if (ok && session.study.claim_count)
            ok = study_data_views(&session.study, session.tables, err) &&
                 act(&session, number++, user, err);
        study_session_close(&session);
    }
    hd_arena_free(&arena);
    return ok;
}

static bool print(StudySession *session, size_t number, void *out, HdError *err)
{
    return study_print_claims(&session->study, session->tables, number == 0, out, err);
}

bool all_claims_print(const char *data, FILE *out, HdError *err)
{
    return each_study(data, print, out, err);
}

typedef struct Counted {
    struct CountedStudy {
        char name[64];
        ClaimCounts counts;
    } items[MOST_STUDIES];
    size_t count;
} Counted;

static bool count_one(StudySession *session, size_t number, void *user, HdError *err)
{
    Counted *counted = user;
    struct CountedStudy *item = &counted->items[number];
    counted->count = number + 1;
    snprintf(item->name, sizeof item->name, "%s", session->study.name);
    return study_count_claims(&session->study, session->tables, &item->counts, err);
}

bool all_claims_count(const char *data, FILE *out, HdError *err)
{
    Counted *counted = hd_new(1, sizeof *counted);
    bool ok = counted ? each_study(data, count_one, counted, err)
                      : hd_fail_memory(err, "counting claims");
    ClaimCounts all = {0};
    for (size_t i = 0; ok && i < counted->count; i++) {
        all.comparable += counted->items[i].counts.comparable;
        all.right_sign += counted->items[i].counts.right_sign;
        all.within += counted->items[i].counts.within;
    }
    if (ok)
        fprintf(out, "**Of %zu comparable numbers that the papers state, %zu have the right sign "
                     "here and %zu are\nwithin 30 %%** ([claims](#claims)).\n\n"
                     "| page | claims | comparable | right sign | within 30 %% |\n"
                     "| --- | ---: | ---: | ---: | ---: |\n",
                all.comparable, all.right_sign, all.within);
    for (size_t i = 0; ok && i < counted->count; i++) {
        const ClaimCounts *c = &counted->items[i].counts;
        fprintf(out, "| [%s](%s.md) | %zu | %zu | %zu | %zu |\n", counted->items[i].name,
                counted->items[i].name, c->claims, c->comparable, c->right_sign, c->within);
    }
    free(counted);
    return ok;
}
