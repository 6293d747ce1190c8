// Whether tests that take options in turn cross them all (tests/long/crossed.sh).
#ifndef TESTS_SUPPORT_CROSSED_H
#define TESTS_SUPPORT_CROSSED_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool all_crossed(void) { return getenv("HEDDLE_TEST_ALL") != NULL; }

#endif
