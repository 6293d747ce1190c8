// What one variant of a comparison comes to, out of its result.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_METRICS_H
#define HEDDLE_CLI_COMPARE_VARIANT_METRICS_H

#include "cli/compare/variants.h"

#include <stdint.h>

// Flits over all links, both ways.
typedef struct VariantMetrics {
    uint64_t cycles, instructions, l1_misses, l2_misses, flits, dram_bytes, storage_bits;
} VariantMetrics;

VariantMetrics variant_metrics(const Variant *variant);
// The variant beside which the others are put: the first one. NULL: it has failed, and nothing
// else takes its place.
const Variant *variants_baseline(const Variants *variants);

double metrics_ipc(const VariantMetrics *f);
double metrics_relative(double value, double first); // 0 where the first is
double metrics_mpki(uint64_t misses, const VariantMetrics *f); // per 1,000 warp instructions

// Writes a row for each variant that is done: all that the papers' figures are drawn from. The
// column `base` names the first variant, beside which ipc_ratio is; that is empty where it failed.
bool metrics_write_csv(const Variants *variants, const char *path, HdError *err);

#endif
