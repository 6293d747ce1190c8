// Scripts: texts of commands that drive mechanisms at a cache, one command a line
// (docs/write-a-mechanism.md, "Test with a script").
#ifndef HEDDLE_HARNESS_SCRIPT_H
#define HEDDLE_HARNESS_SCRIPT_H

#include "harness/expression.h"

// The commands, in the order of script_forms.
typedef enum ScriptKind {
    SCRIPT_CACHE,
    SCRIPT_FILLS,
    SCRIPT_ALLOCATION,
    SCRIPT_RELEASE,
    SCRIPT_CALL,
    SCRIPT_MEMORY,
    SCRIPT_SLOTS,
    SCRIPT_LET,
    SCRIPT_REPEAT,
    SCRIPT_END,
    SCRIPT_LOAD,
    SCRIPT_STORE,
    SCRIPT_ATOMIC,
    SCRIPT_ISSUE,
    SCRIPT_RETRY,
    SCRIPT_PREFETCH,
    SCRIPT_RECEIVE_PREFETCH,
    SCRIPT_COPY_BACK,
    SCRIPT_FILL,
    SCRIPT_FILL_ALL,
    SCRIPT_PREFETCHES,
    SCRIPT_WAIT,
    SCRIPT_QUANTUM,
    SCRIPT_INVALIDATE,
    SCRIPT_KERNEL_BEGIN,
    SCRIPT_KERNEL_END,
    SCRIPT_BLOCK_START,
    SCRIPT_BLOCK_END,
    SCRIPT_BLOCK_LIMIT,
    SCRIPT_WARP_START,
    SCRIPT_WARP_END,
    SCRIPT_WARP_WAITS,
    SCRIPT_ISSUED,
    SCRIPT_ISSUABLE,
    SCRIPT_ORDER,
    SCRIPT_TURN,
    SCRIPT_EXPECT,
    SCRIPT_EXPECT_COUNTER,
    SCRIPT_EXPECT_ANSWER,
    SCRIPT_EXPECT_EVICTED,
    SCRIPT_EXPECT_COPIED_BACK,
    SCRIPT_EXPECT_PREFETCHED,
    SCRIPT_EXPECT_ISSUABLE,
    SCRIPT_EXPECT_LOADS,
    SCRIPT_EXPECT_ORDER,
    SCRIPT_EXPECT_RESIDENT,
    SCRIPT_EXPECT_ABSENT,
    SCRIPT_KINDS
} ScriptKind;

// Options NAME=VALUE of commands.
typedef enum ScriptOptionName {
    OPTION_PC,
    OPTION_WARP,
    OPTION_WARP_SLOT,
    OPTION_BLOCK,
    OPTION_SM,
    OPTION_LANES,
    OPTION_STRIDE,
    OPTION_BYTES,
    OPTION_BYPASSES_L1,
    OPTION_CACHE,
    OPTION_REQUEST_TAG,
    OPTION_INSERTED_IN_L1,
    OPTION_REPLY_TAG,
    OPTION_TAG,
    OPTION_SECTORS,
    OPTION_SLOT,
    OPTION_WARPS,
    OPTION_AGE,
    OPTION_SCHEDULER,
    OPTION_BLOCK_SLOT,
    OPTION_INDEX,
    OPTION_SCHEDULERS,
    OPTION_COMMITTED,
    OPTION_LAST,
    SCRIPT_OPTIONS
} ScriptOptionName;

typedef struct ScriptValue {
    ScriptWord word;
    Expression number; // no nodes: a word
} ScriptValue;

typedef struct ScriptOption {
    ScriptOptionName name;
    ScriptValue value; // with `choices`: the word
} ScriptOption;

typedef struct ScriptCommand {
    ScriptKind kind;
    ScriptWord word;      // its first one; text: the whole line, without comment
    ScriptValue *operands; // SCRIPT_CACHE: the level, then KEY=VALUE
    size_t operand_count;
    ScriptOption *options;
    size_t option_count;
    size_t partner;       // of a repeat and its end: the index of the other
    size_t variable;      // of a let, a repeat with a name: the index; else SCRIPT_NO_VARIABLE
} ScriptCommand;
#define SCRIPT_NO_VARIABLE SIZE_MAX
enum { SCRIPT_LINE_VARIABLE }; // the variable `line`: the bytes of a line of the cache

typedef struct Script {
    const char *file;
    ScriptCommand *commands;
    size_t count, capacity;
    size_t variables;
    HdArena arena; // owns all texts
} Script;

// The most repeats in each other.
enum { SCRIPT_REPEAT_DEPTH = 16 };

// Reads a text, which may be freed then; `file`, for messages, must outlive the script. false and
// err: wrong syntax, or out of memory. Call script_free also after a failure.
bool script_read(Script *script, const char *file, const char *text, size_t size, HdError *err);
void script_free(Script *script);

// ---- the forms of commands ----

typedef enum OperandType {
    TAKES_NONE,
    TAKES_NUMBER,
    TAKES_WORD,
    TAKES_MAYBE_NUMBER, // may be left out
    TAKES_MAYBE_WORD,
    TAKES_NUMBERS, // one or more
    TAKES_MAYBE_NUMBERS,
    TAKES_WORDS,
    TAKES_LIST,    // one or more numbers, or the word none
} OperandType;

enum { SCRIPT_OPERANDS = 3 }; // kinds of operands of a command, at most

typedef struct ScriptForm {
    const char *name;
    const char *usage; // behind the name, for messages and help; NULL: nothing
    OperandType operands[SCRIPT_OPERANDS];
    uint32_t options;  // a bit for each
    const char *description;
} ScriptForm;
extern const ScriptForm script_forms[SCRIPT_KINDS];

typedef struct ScriptOptionForm {
    const char *name;
    uint64_t max;               // of a number
    const char *const *choices; // NULL-terminated; NULL: a number
    const char *description;
} ScriptOptionForm;
extern const ScriptOptionForm script_options[SCRIPT_OPTIONS];

// The outcomes that can be expected; ends with NULL.
extern const char *const script_outcomes[];

#endif
