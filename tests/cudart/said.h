// What the runtime says on stderr, for tests, and the small GPU that they run on.
#ifndef TESTS_CUDART_SAID_H
#define TESTS_CUDART_SAID_H

#include "support/scratch.h"

// For cmocka_run_group_tests: a GPU of two SMs.
int small_gpu(void **state);

// From said_begin on stderr is kept. said_end gives what came, valid until the next.
void said_begin(void);
const char *said_end(void);

// CODE is the outcome of CALL, which says one line that contains TEXT.
#define EXPECT_SAID(code, call, text)                                                              \
    do {                                                                                           \
        said_begin();                                                                              \
        int got = call;                                                                            \
        const char *said = said_end();                                                             \
        assert_int_equal(got, code);                                                               \
        if (!strstr(said, text)) fail_msg("'%s' does not say '%s'", said, text);                   \
        assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);                             \
    } while (0)

#endif
