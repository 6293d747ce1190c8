// Random machines: each gives the right answers, keeps the invariants, and has the same counters
// with skipped cycles on one host thread as cycle by cycle, with the SMs in another order, on two
// to five. `test_gpu_random_machines A B` tries the machines A to B.
#include "compare.h"
#include "mix.h"

#include "base/random.h"
#include "core/issue/policy.h"

#define POLICY_NAME(constant, name, ...) name,
// Values worth testing: the smallest, odd ones, and those of real machines. The first of each row
// is the key. Settings that exclude each other are left out, or are undone by `exclusions`.
static const char *const choices[][7] = {
    {"gpu.sms", "1", "2", "5", "15"},
    {"core.width", "32", "32", "16", "8", "4"},
    {"core.schedulers", "1", "2", "3", "4"},
    {"core.policy", SCHEDULER_POLICIES(POLICY_NAME)},
    {"core.issue", "1", "2"},
    {"core.blocks", "8", "15", "16"},
    {"core.frequency", "700MHz", "1GHz", "350MHz"},
    {"frontend.fetches", "1", "2"},
    {"frontend.decode", "1", "2", "5"},
    {"frontend.entries", "1", "2", "4"},
    {"frontend.buffer", "per-warp", "shared-store"},
    {"frontend.store_entries", "4", "8", "48"},
    {"frontend.store_ways", "1", "2", "4"},
    {"frontend.store_lookups", "1", "2"},
    {"frontend.cross_line", "false", "true"},
    {"frontend.branch", "fall-through", "stall", "target"},
    {"frontend.flush", "next-cycle", "scheduler"},
    {"frontend.perfect", "false", "true"},
    {"operand.banks", "1", "4", "16"},
    {"operand.sp", "1", "2", "6"},
    {"operand.mem", "1", "2", "4"},
    {"operand.stages", "0", "1", "3"},
    {"operand.dispatch", "0", "1", "2"},
    {"operand.writeback", "0", "1", "2"},
    {"units.sp", "1", "2"},
    {"shared.latency", "1", "26"},
    {"l1d.size", "2KiB", "4KiB", "16KiB", "48KiB"},
    {"l1d.index", "linear", "xor"},
    {"l1d.write", "evict", "through"},
    {"l1d.write_miss", "around", "lazy", "fetch"},
    {"l1d.mshr_entries", "1", "2", "7", "64"},
    {"l1d.mshr_merges", "1", "2", "8"},
    {"l1d.miss_queue", "2", "3", "8"},
    {"l1d.latency", "1", "2", "35"},
    {"l1i.mshr_entries", "1", "2"},
    {"l1i.mshr_merges", "1", "32"},
    {"l1i.miss_queue", "1", "4"},
    {"l1i.size", "512B", "2KiB"},
    {"l1c.mshr_entries", "1", "2"},
    {"l1c.mshr_merges", "1", "32"},
    {"l1r.mshr_entries", "1", "128"},
    {"l1r.mshr_merges", "1", "4"},
    {"l1r.miss_queue", "1", "128"},
    {"memory.global_in_l1", "true", "false"},
    {"memory.strong_in_l1", "true", "false"},
    {"memory.nc_path", "l1d", "readonly"},
    {"memory.coalesce", "line", "sector"},
    {"memory.l1_banks", "1", "2", "4"},
    {"memory.inject_buffer", "1", "4", "64"},
    {"core.warp_exit", "issue", "fetch"},
    {"core.scheduler_turn", "issue", "cycle"},
    {"frontend.fill", "refetch", "forward"},
    {"operand.mem_collect", "reserved", "behind-writes"},
    {"operand.mem_issue", "0", "1", "2"},
    {"operand.bank_number", "register", "name"},
    {"launch.dispatch", "quantum", "cycle"},
    {"launch.queue", "0", "1", "4"},
    {"launch.round_robin", "restart", "continue"},
    {"icnt.credits", "1", "2", "64"},
    {"icnt.latency", "4", "9"},
    {"icnt.arbiter", "oldest", "input-queued"},
    {"icnt.flit", "8B", "32B", "40B"},
    {"slice.frequency", "700MHz", "525MHz", "1050MHz"},
    {"slice.rop_latency", "10", "120"},
    {"slice.miss_latency", "0", "3", "100"},
    {"slice.reply_queue", "1", "64"},
    {"slice.reply", "request", "sectors"},
    {"l2.size", "8KiB", "64KiB"},
    {"l2.mshr_entries", "1", "4", "256"},
    {"l2.mshr_merges", "1", "4"},
    {"l2.miss_queue", "2", "4"},
    {"l2.latency", "1", "30"},
    {"dram.queue", "1", "8", "64"},
    {"dram.return_queue", "1", "116"},
    {"dram.scheduler", "fcfs", "fr-fcfs"},
    {"dram.frequency", "924MHz", "1.4GHz", "350MHz"},
    {"l1d.mode", "cache", "cache", "unbounded", "off"},
    {"l1d.ways", "0", "all"},
    {"l1r.mode", "cache", "unbounded", "off"},
    {"l1c.mode", "cache", "unbounded"},
    {"l15.mode", "off", "cache", "unbounded"},
    {"l15.instructions", "off", "on"},
    {"l15.size", "512B", "16KiB"},
    {"l15.allocate", "on_miss", "on_fill"},
    {"l15.mshr_entries", "1", "2", "64"},
    {"l15.mshr_merges", "1", "8"},
    {"l15.miss_queue", "1", "8"},
    {"l15.latency", "1", "40"},
    {"l2.mode", "cache", "cache", "unbounded", "off"},
    {"core.atomic_wait", "result", "warp"},
    {"memory.access_order", "lane", "address"},
    {"memory.send", "after-lookups", "before-lookups"},
    {"atomics.coalesce", "line", "word"},
    {"atomics.segment", "memory", "sector"},
    {"atomics.lanes", "1", "12", "16", "32"},
    {"atomics.words", "0", "1", "3"},
    {"atomics.word_cycles", "0", "1", "9"},
    {"core.first_side", "low-lanes", "taken"},
    {"operand.passes", "1", "2"},
    {"operand.shared_collectors", "0", "1", "2", "8"},
    {"operand.shared_outputs", "1", "4"},
    {"operand.collector_order", "age", "turn"},
    {"units.int", "0", "1", "2"},
    {"units.unclassed", "by-kind", "move"},
    {"units.unit_results", "0", "1"},
    {"units.sm_results", "0", "1", "2"},
    {"shared.atomics", "serial", "together"},
    {"memory.perfect_constants", "false", "true"},
    {"memory.function_params", "registers", "local"},
    {"memory.local_layout", "warp", "gpu"},
    {"icnt.matching", "at-once", "in-turn"},
    {"icnt.input_buffer", "0", "17", "73"},
    {"icnt.output_buffer", "0", "17", "80"},
    {"icnt.intake", "1", "7", "61"},
    {"l2.complete_by", "stores", "one-store"},
    {"dram.bank_request", "off", "on"},
    {"dram.tRCDWR", "0", "5"},
};
enum { KEYS = sizeof choices / sizeof *choices };

// For machines with even and with odd numbers.
enum { EXCLUSIONS = 3 };
static const char *const exclusions[2][EXCLUSIONS] = {
    {"operand.passes=1", "operand.shared_collectors=0", "icnt.matching=at-once"},
    {"operand.mem_collect=reserved", "icnt.speedup=1", NULL},
};
enum { SETTINGS = 1 + KEYS + EXCLUSIONS + 1 };

// Draws half of the keys, and their values, by the machine's number.
static void draw(uint64_t number, char texts[KEYS + 1][48], const char *settings[SETTINGS])
{
    unsigned used = 0;
    settings[used++] = "l1d.index=linear"; // that of the machine file fits only its own sizes
    for (uint32_t k = 0; k < KEYS; k++) {
        uint64_t bits = random_draw(number, 1, k, 0);
        if (bits & 1) continue;
        unsigned values = 0;
        while (values < 6 && choices[k][values + 1]) values++;
        snprintf(texts[used], 48, "%s=%s", choices[k][0], choices[k][1 + (bits >> 8) % values]);
        settings[used] = texts[used];
        used++;
    }
    const char *const *undo = exclusions[number % 2];
    for (unsigned i = 0; i < EXCLUSIONS && undo[i]; i++) settings[used++] = undo[i];
    settings[used] = NULL;
}

static uint64_t first = 1, last = 10;

static void test_random_machines(void **state)
{
    (void)state;
    for (uint64_t number = first; number <= last; number++) {
        char texts[KEYS + 1][48];
        const char *settings[SETTINGS];
        draw(number, texts, settings);
        print_message("machine %d:", (int)number);
        for (unsigned i = 0; settings[i]; i++) print_message(" %s", settings[i]);
        print_message("\n");
        GpuOptions plain = {.max_cycles = 20000000};
        GpuOptions other = {.max_cycles = 20000000, .no_skip = true, .shuffle = number,
                            .threads = 2 + (unsigned)number % 4};
        mix_same("fermi-gtx480", settings, &plain, &other);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) first = last = strtoull(argv[1], NULL, 10);
    if (argc > 2) last = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_machines)};
    return cmocka_run_group_tests_name("random machines", tests, NULL, NULL);
}
