// The result of a CUDA program as JSON, as docs/result.schema.json has it.
#ifndef HEDDLE_CUDART_REPORT_JSON_H
#define HEDDLE_CUDART_REPORT_JSON_H

#include "device/settings.h"
#include "device/sim.h"

#include <jansson.h>

// words: the program's command line, NULL-terminated; may be NULL. NULL where memory is out.
json_t *report_json(const HdDevice *device, const Settings *settings, char **words, double seconds);

#endif
