// What the user asks of the simulator that a CUDA program runs on: environment variables.
#ifndef HEDDLE_CUDART_SETTINGS_H
#define HEDDLE_CUDART_SETTINGS_H

#include "base/error.h"

#include <stdint.h>

typedef struct Settings {
    const char *machine;    // HEDDLE_MACHINE, or volta-v100
    const char *mechanisms; // HEDDLE_MECHANISM; NULL: none
    char *set_text;         // HEDDLE_SET, "key=value;key=value", cut into
    const char **set;       // its parts, NULL-terminated; or NULL
    uint64_t seed;          // HEDDLE_SEED
    uint64_t threads;       // HEDDLE_THREADS; 0: one per CPU
    uint64_t max_cycles;    // HEDDLE_MAX_CYCLES, of one launch; 0: no limit
    bool functional;        // HEDDLE_FUNCTIONAL
} Settings;

// false and err where a value is wrong; settings_free also then. The texts live as long as the
// environment is not changed.
bool settings_read(Settings *settings, HdError *err);
void settings_free(Settings *settings);

#endif
