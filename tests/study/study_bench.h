// Studies as texts, their runs and tables, for tests.
#ifndef TESTS_STUDY_STUDY_BENCH_H
#define TESTS_STUDY_STUDY_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/study_matrix.h"

#include <stdlib.h>
#include <string.h>

static inline void assert_read(Study *study, const char *text)
{
    HdError err = {0};
    if (!study_read_text(study, "s.yaml", text, strlen(text), &err)) fail_msg("%s", err.text);
}

// The study is refused with this message.
static inline void assert_refused(const char *text, const char *message)
{
    Study study;
    HdError err = {0};
    assert_false(study_read_text(&study, "s.yaml", text, strlen(text), &err));
    assert_string_equal(err.text, message);
    study_free(&study);
}

#endif
