// The error of a failed call: one message, with its location in the user's input.
#ifndef HEDDLE_ERROR_H
#define HEDDLE_ERROR_H

#include <stdbool.h>

enum { HD_ERROR_TEXT = 4096 };

// Zero-initialise; a call that fails fills it and returns false, 0 or NULL.
typedef struct HdError {
    bool set;                 // a failure has been recorded
    char text[HD_ERROR_TEXT]; // one message, no trailing newline; a few lines at most
} HdError;

#endif
