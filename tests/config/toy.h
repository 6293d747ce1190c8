// A small machine for tests of the configuration: two sections with every type of parameter.
#ifndef TESTS_CONFIG_TOY_H
#define TESTS_CONFIG_TOY_H

#include "config/config.h"
#include "support/scratch.h"

typedef struct ToyCore {
    uint64_t frequency; // kHz
    uint32_t width, policy, inner;
    bool perfect;
} ToyCore;

typedef struct ToyCache {
    uint64_t size, line;
    uint32_t ways;
    char note[PARAMETER_TEXT_SIZE];
} ToyCache;

typedef struct Toy {
    ToyCore core;
    ToyCache l1d;
} Toy;

// Defaults: core 700MHz, width 32, policy gto, inner 8 (when policy=two-level), perfect false;
// l1d 16KiB, 128B lines, 4 ways, note "". policy was called scheduler.
extern const ConfigSchema toy_schema;

// Returns a new configuration of the toy machine.
Config *toy_new(void);
const Toy *toy_of(const Config *config);

// Writes this text to the scratch file `name`, loads it, and returns the new configuration.
Config *toy_load(const char *name, const char *text);

// Loads such a file, and expects exactly the error "PATH" followed by `message`.
void toy_refuses(const char *text, const char *message);

#endif
