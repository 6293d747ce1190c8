// The mechanisms at the GPU, the one place that sees several SMs and slices (HdGpuHooks).
//
// At the end of a quantum, while neither SMs nor slices run, their places get what the GPU's place
// wrote at the end of the quantum before, and the GPU's place gets copies of their words. So a word
// takes a quantum at least from one place to another, and the order of SMs and slices does not
// matter.
#ifndef HEDDLE_HOOKS_GPU_HOOKS_H
#define HEDDLE_HOOKS_GPU_HOOKS_H

#include "hooks/cache_hooks.h"

typedef struct Exchange Exchange;

// Makes the GPU's place of the plan's mechanisms; *hooks is NULL if none has hooks there. Free with
// cache_hooks_free, after failure too. false and err: out of memory.
bool gpu_hooks_new(CacheHooks **hooks, const HookPlan *plan, unsigned sms, unsigned slices,
                   uint64_t seed, HdError *err);
void exchange_free(Exchange *exchange);

// Whether a mechanism wants the end of each quantum.
bool gpu_hooks_want_quanta(const CacheHooks *gpu);
// A quantum ends: exchanges the words with the places of SMs and slices, by number, and calls
// on_quantum. Either list may be NULL: no mechanism is there.
void gpu_hooks_on_quantum(CacheHooks *gpu, CacheHooks *const *sms, CacheHooks *const *slices,
                          const HdQuantum *quantum);
// A kernel ends: the GPU's place gets copies of the words of SMs and slices, before on_kernel_end.
void gpu_hooks_collect(CacheHooks *gpu, CacheHooks *const *sms, CacheHooks *const *slices);
void gpu_hooks_on_kernel(CacheHooks *gpu, const HdKernel *kernel, bool begins);

// Keeps no further rows of tables.
void gpu_hooks_close_reports(CacheHooks *gpu);
// The rows of a mechanism's table in the result; NULL: it has none. `gpu` may be NULL.
const ReportedRows *gpu_hooks_reported(const CacheHooks *gpu, const PlannedMechanism *planned);

#endif
