// The result of a CUDA program as JSON, by docs/result.schema.json.
#ifndef HEDDLE_CUDART_PROGRAM_REPORT_JSON_H
#define HEDDLE_CUDART_PROGRAM_REPORT_JSON_H

#include "cudart/report/program_report.h"

#include <jansson.h>

// Without the hashes, which result_write adds. NULL: out of memory.
json_t *program_report_json(const ProgramReport *report);

#endif
