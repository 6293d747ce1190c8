// Redirects stderr to a file.
#include "stderr_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *kept;
static int before;

int small_gpu(void **state)
{
    (void)state;
    return setenv("HEDDLE_MACHINE", "volta-v100", 1) || setenv("HEDDLE_SET", "gpu.sms=2", 1) ||
           setenv("HEDDLE_THREADS", "2", 1);
}

void stderr_capture_begin(void)
{
    kept = tmpfile();
    assert_non_null(kept);
    fflush(stderr);
    before = dup(2);
    dup2(fileno(kept), 2);
}

const char *stderr_capture_end(void)
{
    static char text[8192];
    fflush(stderr);
    dup2(before, 2);
    close(before);
    rewind(kept);
    text[fread(text, 1, sizeof text - 1, kept)] = 0;
    fclose(kept);
    return text;
}
