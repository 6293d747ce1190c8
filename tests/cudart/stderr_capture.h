// What the runtime says on stderr, for tests, and the small GPU that they run on.
#ifndef TESTS_CUDART_STDERR_CAPTURE_H
#define TESTS_CUDART_STDERR_CAPTURE_H

#include "support/scratch.h"

// For cmocka_run_group_tests: a GPU of two SMs.
int small_gpu(void **state);

// From stderr_capture_begin on stderr is kept. stderr_capture_end gives what came, valid until the
// next.
void stderr_capture_begin(void);
const char *stderr_capture_end(void);

// CODE is the outcome of CALL, which says one line that contains TEXT.
#define EXPECT_MESSAGE(code, call, text)                                                           \
    do {                                                                                           \
        stderr_capture_begin();                                                                    \
        int got = call;                                                                            \
        const char *said = stderr_capture_end();                                                   \
        assert_int_equal(got, code);                                                               \
        if (!strstr(said, text)) fail_msg("'%s' does not say '%s'", said, text);                   \
        assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);                             \
    } while (0)

#endif
