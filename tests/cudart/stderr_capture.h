// Captures the runtime's messages on stderr, and selects a small GPU for tests.
#ifndef TESTS_CUDART_STDERR_CAPTURE_H
#define TESTS_CUDART_STDERR_CAPTURE_H

#include "support/scratch.h"

// A setup function for cmocka_run_group_tests: selects a GPU of two SMs.
int small_gpu(void **state);

// Begins to capture stderr. stderr_capture_end ends that and returns the text, valid until the next
// call.
void stderr_capture_begin(void);
const char *stderr_capture_end(void);

// Checks that CALL returns CODE and prints one line that contains TEXT.
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
