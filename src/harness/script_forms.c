// The commands of scripts and their options, as tables: the reader, its messages and the help use
// them.
#include "harness/script.h"

#include "heddle/mechanism.h"

#define BIT(option) (UINT32_C(1) << (option))
enum {
    INSTRUCTION = BIT(OPTION_PC) | BIT(OPTION_WARP) | BIT(OPTION_WARP_SLOT) | BIT(OPTION_BLOCK) |
                  BIT(OPTION_BLOCK_SLOT) | BIT(OPTION_SM) | BIT(OPTION_LANES) |
                  BIT(OPTION_STRIDE) | BIT(OPTION_BYTES),
    ACCESS = INSTRUCTION | BIT(OPTION_BYPASSES_L1) | BIT(OPTION_CACHE) | BIT(OPTION_REQUEST_TAG) |
             BIT(OPTION_INSERTED_IN_L1),
};

const ScriptForm script_forms[SCRIPT_KINDS] = {
    [SCRIPT_CACHE] = {"cache", "l1|l2 [KEY=VALUE...]", {TAKES_WORDS}, 0,
                      "the cache, by the keys of machine files; before all other commands"},
    [SCRIPT_FILLS] = {"fills", "at-once|on-command", {TAKES_WORD}, 0,
                      "when fetched data arrive: before the next access, or at a fill"},
    [SCRIPT_ALLOCATION] = {"allocation", "ADDRESS BYTES", {TAKES_NUMBER, TAKES_NUMBER}, 0,
                           "an allocation; without any, all addresses belong to one"},
    [SCRIPT_RELEASE] = {"release", "ADDRESS", {TAKES_NUMBER}, 0,
                        "the host releases the allocation that begins there; between kernels"},
    [SCRIPT_CALL] = {"call", "MECHANISM VERB [NUMBER...]",
                     {TAKES_WORD, TAKES_WORD, TAKES_MAYBE_NUMBERS}, 0,
                     "the host calls the mechanism (hd_call); between kernels"},
    [SCRIPT_MEMORY] = {"memory", "ADDRESS WORD...", {TAKES_NUMBER, TAKES_NUMBERS}, 0,
                       "words of 32 bits in memory from there on; all others are 0"},
    [SCRIPT_SLOTS] = {"slots", "WARPS BLOCKS", {TAKES_NUMBER, TAKES_NUMBER}, 0,
                      "slots of the SM (48 8); before all events (L1)"},
    [SCRIPT_LET] = {"let", "NAME NUMBER", {TAKES_WORD, TAKES_NUMBER}, 0,
                    "gives a number a name"},
    [SCRIPT_REPEAT] = {"repeat", "COUNT [NAME]", {TAKES_NUMBER, TAKES_MAYBE_WORD}, 0,
                       "repeats the commands up to its end; NAME counts from 0"},
    [SCRIPT_END] = {"end", NULL, {TAKES_NONE}, 0, "ends a repeat"},
    [SCRIPT_LOAD] = {"load", "ADDRESS...", {TAKES_NUMBERS}, ACCESS, "a warp loads"},
    [SCRIPT_STORE] = {"store", "ADDRESS...", {TAKES_NUMBERS}, ACCESS, "a warp stores"},
    [SCRIPT_ATOMIC] = {"atomic", "ADDRESS...", {TAKES_NUMBERS}, ACCESS,
                       "a warp executes an atomic, which bypasses an L1"},
    [SCRIPT_ISSUE] = {"issue", "load|store|atomic ADDRESS...", {TAKES_WORD, TAKES_NUMBERS},
                      INSTRUCTION | BIT(OPTION_BYPASSES_L1),
                      "an instruction issues, but its accesses do not follow (L1)"},
    [SCRIPT_RETRY] = {"retry", NULL, {TAKES_NONE}, 0,
                      "tries the access that stalled again, then the rest of its instruction"},
    [SCRIPT_PREFETCH] = {"prefetch", "ADDRESS...", {TAKES_NUMBERS},
                         BIT(OPTION_SM) | BIT(OPTION_LANES) | BIT(OPTION_STRIDE) |
                             BIT(OPTION_BYTES) | BIT(OPTION_REQUEST_TAG),
                         "a prefetch of an L1 arrives (L2)"},
    [SCRIPT_RECEIVE_PREFETCH] = {"receive prefetch", "ADDRESS", {TAKES_NUMBER},
                                 BIT(OPTION_TAG) | BIT(OPTION_WARP_SLOT),
                                 "one that an L1 sends to the mechanism's queue arrives (L2)"},
    [SCRIPT_COPY_BACK] = {"copy-back", "ADDRESS", {TAKES_NUMBER},
                          BIT(OPTION_SECTORS) | BIT(OPTION_SM),
                          "a clean line arrives from an L1 (L2)"},
    [SCRIPT_FILL] = {"fill", "[ADDRESS]", {TAKES_MAYBE_NUMBER}, BIT(OPTION_REPLY_TAG),
                     "the data of the oldest fetch, or of the fetch of an address, arrive"},
    [SCRIPT_FILL_ALL] = {"fill all", NULL, {TAKES_NONE}, BIT(OPTION_REPLY_TAG),
                         "the data of all fetches arrive, the oldest first"},
    [SCRIPT_PREFETCHES] = {"prefetches", "[COUNT]", {TAKES_MAYBE_NUMBER}, 0,
                           "looks up the queued prefetches, all or COUNT of them"},
    [SCRIPT_WAIT] = {"wait", "CYCLES", {TAKES_NUMBER}, 0, "time passes"},
    [SCRIPT_QUANTUM] = {"quantum", NULL, {TAKES_NONE}, 0,
                        "a quantum ends: words come from and to the GPU, of one SM or slice"},
    [SCRIPT_INVALIDATE] = {"invalidate", NULL, {TAKES_NONE}, 0,
                           "invalidates the cache, as between kernels"},
    [SCRIPT_KERNEL_BEGIN] = {"kernel begin", "[NAME]", {TAKES_MAYBE_WORD}, 0,
                             "a kernel begins; without it, one begins before the first event"},
    [SCRIPT_KERNEL_END] = {"kernel end", NULL, {TAKES_NONE}, 0,
                           "the kernel ends; otherwise it ends with the script"},
    [SCRIPT_BLOCK_START] = {"block start", "NUMBER", {TAKES_NUMBER},
                            BIT(OPTION_SLOT) | BIT(OPTION_WARPS), "a block starts (L1)"},
    [SCRIPT_BLOCK_END] = {"block end", "NUMBER", {TAKES_NUMBER},
                          BIT(OPTION_SLOT) | BIT(OPTION_WARPS), "a block ends (L1)"},
    [SCRIPT_BLOCK_LIMIT] = {"block limit", "FIT", {TAKES_NUMBER}, 0,
                            "asks how many blocks the SM may hold; FIT of them have room (L1)"},
    [SCRIPT_WARP_START] = {"warp start", "SLOT", {TAKES_NUMBER},
                           BIT(OPTION_AGE) | BIT(OPTION_SCHEDULER) | BIT(OPTION_BLOCK_SLOT) |
                               BIT(OPTION_INDEX),
                           "a warp starts (L1)"},
    [SCRIPT_WARP_END] = {"warp end", "SLOT", {TAKES_NUMBER}, 0, "a warp ends (L1)"},
    [SCRIPT_ISSUABLE] = {"issuable", NULL, {TAKES_NONE},
                         BIT(OPTION_SCHEDULERS) | BIT(OPTION_COMMITTED),
                         "asks which of the started warps may issue (L1)"},
    [SCRIPT_EXPECT] = {"expect", "OUTCOME...", {TAKES_WORDS}, 0,
                       "the outcomes of the last command; one stands for all"},
    [SCRIPT_EXPECT_COUNTER] = {"expect counter", "NAME VALUE", {TAKES_WORD, TAKES_NUMBER}, 0,
                               "the value of a counter up to now"},
    [SCRIPT_EXPECT_ANSWER] = {"expect answer", "HOOK ANSWER...", {TAKES_WORDS}, 0,
                              "the last answer of a hook to the last command"},
    [SCRIPT_EXPECT_EVICTED] = {"expect evicted", "ADDRESS...|none", {TAKES_LIST}, 0,
                               "the lines that the last command evicted"},
    [SCRIPT_EXPECT_COPIED_BACK] = {"expect copied-back", "ADDRESS...|none", {TAKES_LIST}, 0,
                                   "the lines that it copied back (L1)"},
    [SCRIPT_EXPECT_PREFETCHED] = {"expect prefetched", "ADDRESS...|none", {TAKES_LIST}, 0,
                                  "the addresses that it passed to hd_prefetch"},
    [SCRIPT_EXPECT_ISSUABLE] = {"expect issuable", "SLOT...|none", {TAKES_LIST}, 0,
                                "the warps that may issue, after issuable"},
    [SCRIPT_EXPECT_LOADS] = {"expect loads", "SLOT...|none", {TAKES_LIST}, 0,
                             "the warps that may issue loads, after issuable"},
    [SCRIPT_EXPECT_RESIDENT] = {"expect resident", "ADDRESS...", {TAKES_NUMBERS}, 0,
                               "these bytes are in the cache"},
    [SCRIPT_EXPECT_ABSENT] = {"expect absent", "ADDRESS...", {TAKES_NUMBERS}, 0,
                              "these bytes are not in the cache"},
};

static const char *const switches[] = {"no", "yes", NULL};
static const char *const caches[] = {"l1d", "l1i", "l1c", "l1r", NULL}; // by HdCacheKind
_Static_assert(HD_L1I == 1 && HD_L1C == 2 && HD_L1R == 3, "the order of HdCacheKind");

const ScriptOptionForm script_options[SCRIPT_OPTIONS] = {
    [OPTION_PC] = {"pc", HD_NO_PC - 1u, NULL, "static instruction number (0)"},
    [OPTION_WARP] = {"warp", UINT16_MAX, NULL, "number of the warp in its block (0)"},
    [OPTION_WARP_SLOT] = {"warp_slot", HD_MAX_WARPS - 1, NULL,
                          "the warp's slot on the SM (warp modulo the slots)"},
    [OPTION_BLOCK] = {"block", UINT32_MAX, NULL, "number of the block in the grid (0)"},
    [OPTION_SM] = {"sm", UINT16_MAX, NULL, "the SM (0)"},
    [OPTION_LANES] = {"lanes", UINT32_MAX, NULL, "mask of the active lanes (0xffffffff)"},
    [OPTION_STRIDE] = {"stride", UINT32_MAX, NULL, "bytes from one lane's address to the next's "
                                                   "(bytes)"},
    [OPTION_BYTES] = {"bytes", 16, NULL, "of a lane: 1, 2, 4, 8 or 16 (4)"},
    [OPTION_BYPASSES_L1] = {"bypasses_l1", 0, switches, "the accesses do not use the L1 (no)"},
    [OPTION_CACHE] = {"cache", 0, caches, "the first-level cache of the access (l1d)"},
    [OPTION_REQUEST_TAG] = {"request_tag", UINT32_MAX, NULL, "sideband bits of the request (0)"},
    [OPTION_INSERTED_IN_L1] = {"inserted_in_l1", 0, switches,
                               "at an L2: the requesting L1 inserts the data (yes)"},
    [OPTION_REPLY_TAG] = {"reply_tag", UINT32_MAX, NULL, "sideband bits of the reply (0)"},
    [OPTION_TAG] = {"tag", UINT32_MAX, NULL, "of hd_prefetch_tagged (0)"},
    [OPTION_SECTORS] = {"sectors", 15, NULL, "mask of sectors of 32 bytes (15)"},
    [OPTION_SLOT] = {"slot", HD_MAX_WARPS - 1, NULL, "of the block on the SM (0)"},
    [OPTION_WARPS] = {"warps", HD_MAX_WARPS, NULL, "of the block (1)"},
    [OPTION_AGE] = {"age", UINT64_MAX, NULL, "smaller: older (by the order of starts)"},
    [OPTION_SCHEDULER] = {"scheduler", UINT16_MAX, NULL, "of the warp (0)"},
    [OPTION_BLOCK_SLOT] = {"block_slot", UINT16_MAX, NULL, "slot of the warp's block (0)"},
    [OPTION_INDEX] = {"index", UINT16_MAX, NULL, "number of the warp in its block (0)"},
    [OPTION_SCHEDULERS] = {"schedulers", UINT16_MAX, NULL, "of the SM (1)"},
    [OPTION_COMMITTED] = {"committed", UINT64_MAX, NULL, "warp instructions finished so far (0)"},
};

const char *const script_outcomes[] = {
    "hit", "pending_hit", "miss", "bypassed", "tags_only", "stalled", "stalled:line_allocation",
    "stalled:mshr_entry", "stalled:mshr_merge", "stalled:miss_queue", "stalled:store_order",
    "fetched", "redundant", "no_room", "sent", "unallocated", "other_slice", "inserted", "present",
    "declined", NULL};
