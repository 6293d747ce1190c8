// Internal interfaces of the PTX front end. Other layers must not include this file.
//
// A file is parsed in one pass. The parser (parse_*.c) appends instructions with virtual registers
// to a function under construction (FunctionBuilder). At the end of a function's body, the analyses
// (cfg.c, liveness.c, uniform.c, scalar.c, register_count.c, register_slots.c) run and replace
// virtual registers by register slots. At the end of the file, variables get their addresses and
// calls their callees (layout.c, call_graph.c). Several files are parsed one after the other, each
// with global names of its own, and linked before that (link.c).
//
// Functions that can fail return false or NULL after ptx_fail or an allocation function has
// recorded the error in the parser. Only the first error is kept. After a lexical error the token
// is TOKEN_ERROR, which no grammar rule accepts, so callers need not check for it.
#ifndef HEDDLE_PTX_INTERNAL_H
#define HEDDLE_PTX_INTERNAL_H

#include "ptx/instruction_forms.h"
#include "ptx/ptx.h"

#include <string.h>

typedef struct Parser Parser;
typedef struct Keywords Keywords;

// ---- lexer.c ----
typedef enum TokenKind {
    TOKEN_END,
    TOKEN_ERROR,   // after a recorded error; no rule accepts it
    TOKEN_NAME,    // opcodes and identifiers: add, %r1, $L__BB0_5, _Z3foo
    TOKEN_DOT,     // directives and modifiers: .reg, .u32, .L2::128B; the text includes the dot
    TOKEN_INTEGER, // value
    TOKEN_FLOAT,   // value: the bits of a float (0f3F800000)
    TOKEN_DOUBLE,  // value: the bits of a double (0d..., 1.5)
    TOKEN_STRING,  // the text includes the quotes
    TOKEN_CHAR     // text[0]
} TokenKind;

typedef struct Token {
    TokenKind kind;
    uint32_t column;  // bytes from the start of its line
    const char *text; // in one of Parser.texts
    uint32_t length;
    int line;
    uint64_t value;
} Token;

void lex_start(Parser *p);
void lex_next(Parser *p); // reads the next token into p->token
// A place in the text, to which the lexer can return after looking ahead.
typedef struct LexPlace {
    const char *at, *line_start;
    int line;
    Token token, last;
} LexPlace;
LexPlace lex_place(const Parser *p);
void lex_return(Parser *p, const LexPlace *place);
// Whether the token has this text. Inline, because the compiler knows the length of a literal.
static inline bool token_is(const Token *t, const char *text)
{
    return strlen(text) == t->length && !memcmp(t->text, text, t->length);
}
// Whether the token is "." and this word.
static inline bool token_is_dot(const Token *t, const char *word)
{
    return t->kind == TOKEN_DOT && strlen(word) + 1 == t->length &&
           !memcmp(t->text + 1, word, t->length - 1);
}
bool accept_char(Parser *p, char c); // skips c if it is the current token
bool accept_dot(Parser *p, const char *word);
bool expect_char(Parser *p, char c); // fails if c is not the current token
// integer = "-"? INTEGER
// `what` names the number in messages. Fails if it is not from `min` to `max`.
bool expect_integer(Parser *p, const char *what, int64_t min, int64_t max, int64_t *value);
// offset = ("+" | "-") INTEGER, of 32 bits; nothing: 0
bool accept_offset(Parser *p, int64_t *value);
// Gives the text without quotes, in the module's arena.
bool expect_string(Parser *p, const char **text);
// Skips "{ ... }" with nested braces; the current token is "{".
bool skip_braces(Parser *p);

// The text that a token is from.
const PtxText *text_of(const Parser *p, const Token *at);
// Records the first error: position of `at`, message, source line and caret. Returns false.
bool ptx_fail(Parser *p, const Token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Records an error with the text of an earlier one. Returns false.
bool ptx_fail_again(Parser *p, const char *text);
// After an error inside a function: in lenient parsing, makes the function unusable, clears the
// error and returns true. Else returns false, and the error stays.
bool tolerate_failure(Parser *p, PtxFunction *f);
// A token as arguments for "%.*s".
#define TEXT(t) (int)(t)->length, (t)->text

// ---- allocation (ptx_module.c): zeroed memory; out of memory: NULL and a recorded error ----
void *module_new(Parser *p, size_t size);      // lives as long as the module
void *scratch_new(Parser *p, size_t count, size_t size); // until the end of parsing
bool scratch_grow(Parser *p, void *items, size_t count, size_t *capacity, size_t size);
// Appends to a vector in the scratch arena.
#define PUSH(p, items, count, capacity, ...)                                                       \
    (scratch_grow(p, &(items), (count), &(capacity), sizeof *(items))                              \
         ? ((items)[(count)++] = (__VA_ARGS__), true)                                              \
         : false)

// ---- symbols.c ----
typedef enum SymbolKind {
    SYMBOL_REGISTER,
    SYMBOL_REGISTERS, // a range name<count>; its key in the scope is "name<"
    SYMBOL_VARIABLE,  // number: index into Parser.variables
    SYMBOL_LOCAL,     // offset in the activation's local memory
    SYMBOL_PARAM,     // offset in the kernel's parameter block
    SYMBOL_FRAME_PARAM, // offset in the activation's frame parameters
    SYMBOL_LABEL,     // number: index of the instruction after it
    SYMBOL_TABLE,     // .branchtargets; number: index into FunctionBuilder.tables
    SYMBOL_PROTOTYPE, // .callprototype, .calltargets; number: index into FunctionBuilder.prototypes
    SYMBOL_FUNCTION,  // number: index into Parser.builders
    SYMBOL_FILE       // number: index into Parser.files
} SymbolKind;

typedef struct Symbol {
    const char *name;
    SymbolKind kind;
    PtxType type;
    Token at;
    uint32_t number;  // registers: virtual register number, or NO_NUMBER until used
    uint32_t count;   // SYMBOL_REGISTERS: of the range, as announced
    struct NumberedRegister *used; // SYMBOL_REGISTERS: hash table of those that the text uses
    uint32_t used_count, used_size;
    uint64_t offset, bytes; // LOCAL, PARAM, FRAME_PARAM
    uint32_t align;
    bool variadic; // LOCAL: the variadic arguments
} Symbol;
enum { NO_NUMBER = UINT32_MAX };

typedef struct Scope {
    struct Scope *parent;
    Symbol **table; // open addressing; a power of two, or NULL while there are no symbols
    size_t count, size;
    size_t fixups;            // FunctionBuilder.fixup_count when the scope was opened
    uint32_t param_mark;      // FunctionBuilder.param_used when the scope was opened
} Scope;

// Entries of a hash table from a key's hash on in which the key may be. In a table that is half
// full, a million keys need fewer than 100, unless they were chosen to collide.
enum { MAX_PROBES = 256 };
// Fails, because a key has no place within MAX_PROBES. `keys`: "names".
bool fail_collision(Parser *p, const Token *at, const char *keys);

// Finds the items of an array by their keys (index_table.h).
typedef struct IndexTable {
    struct IndexEntry *entries;
    size_t size, count; // size: a power of two, or 0
} IndexTable;

Scope *scope_open(Parser *p, Scope *parent);
// Finds a symbol by its key, in this scope only. NULL: none.
Symbol *scope_find_here(const Scope *scope, const char *text, size_t length);
// The same with the key's name_hash, for keys that are searched in many scopes.
Symbol *scope_find_hashed(const Scope *scope, const char *text, size_t length, uint64_t hash);
uint64_t name_hash(const char *text, size_t length);
Symbol *scope_find(const Scope *scope, const char *text, size_t length);
// Adds a symbol; fails if the scope has the name already.
Symbol *scope_add(Parser *p, Scope *scope, const Token *name, SymbolKind kind);
// Adds a range of registers: name<count>.
Symbol *scope_add_range(Parser *p, Scope *scope, const Token *name, uint32_t count);
// Finds the symbol of a register ("%r17" is in the range "%r<46>"), and its index in the range.
// NULL: not a register.
Symbol *scope_find_register(const Scope *scope, const Token *name, uint32_t *index);
// Where the virtual register number of a register is kept: NO_NUMBER before its first use. `index`:
// in its range. NULL: out of memory.
uint32_t *register_number(Parser *p, Symbol *symbol, uint32_t index);
// The register that the current token names. NULL: the token names no register.
const Symbol *current_register(const Parser *p);
// Finds the range of a register whose number may be too large for it. NULL: none.
const Symbol *scope_find_range(const Scope *scope, const Token *name);
// The most similar one of the names that are added, for a message; NULL: none, or too many names
// are compared. Starts as zeros.
enum { NEAREST_BATCH = 32 };
typedef struct Nearest {
    const char *names[NEAREST_BATCH];
    size_t count;
} Nearest;
void nearest_add(Parser *p, const Token *name, Nearest *n, const char *other);
const char *nearest_end(Parser *p, const Token *name, Nearest *n);
// The most similar name in scope.
const char *scope_nearest(Parser *p, const Token *name);

// ---- functions under construction ----
// An operand before slot assignment: a virtual register number, VALUE_CONST | Operand, or
// VALUE_NONE.
typedef uint32_t Value;
#define VALUE_NONE UINT32_MAX
#define VALUE_CONST UINT32_C(0x80000000)
static inline bool value_is_register(Value v) { return !(v & VALUE_CONST); }

typedef struct Instruction {
    UOp op; // register_slots.c fills in the operands
    Value guard, dst[4], src[5];
    Value coordinates[SURFACE_COORDINATES]; // see coordinates_of
    uint32_t variable; // index into Parser.variables: its address is added to op.imm; or NO_NUMBER
    Token at;
    bool rounded; // has a rounding modifier (.rn, ...)
    const char *source;
    uint32_t location; // index into Parser.locations + 1; 0: unknown
} Instruction;

// How many entries of `coordinates` the instruction uses; some may be VALUE_NONE.
static inline unsigned coordinates_of(const Instruction *in)
{
    return uop_infos[in->op.code].imm == IMM_SURFACE ? SURFACE_COORDINATES : 0;
}

// An entry of a function's constant pool.
typedef struct Constant {
    uint64_t bits; // the value; for an address: the addend
    uint32_t variable; // NO_NUMBER: a number; n: the address of Parser.variables[n];
                       // CONSTANT_FUNCTION | n: the address of Parser.builders[n]
    uint32_t slot;
    uint8_t slots; // 1 or 2
} Constant;

#define CONSTANT_FUNCTION UINT32_C(0x80000000)
static inline bool constant_is_variable(const Constant *c)
{
    return !(c->variable & CONSTANT_FUNCTION);
}

// Adds the address of a shared or const variable to an instruction's op.imm.
typedef struct AddressPatch { uint32_t instruction, variable; } AddressPatch;
// A branch or table entry whose label is not resolved yet.
typedef struct Fixup {
    Token label;
    uint64_t hash; // of the label's name
    uint32_t instruction; // NO_NUMBER: an entry of a table
    uint32_t table, entry;
} Fixup;
typedef struct LabelTable { uint32_t *targets; Token at; uint32_t count; } LabelTable;
typedef struct Signature Signature;
typedef struct CallSite {
    uint32_t callee; // index into Parser.builders; NO_NUMBER: a call through a pointer
    const Signature *signature; // for a call through a pointer: its prototype
    Token at;
    PtxCall copies;
} CallSite;

typedef struct Param {
    PtxParam p;
    Token at;
    bool variadic; // name[]: the variadic arguments
} Param;

// The layout of a frame's parameters and results. A call through a pointer reaches only functions
// with an equal signature.
struct Signature {
    Param *params, *results;
    size_t param_count, result_count;
};

// Basic blocks (cfg.c). Block i is instructions [start, end).
typedef struct Block {
    uint32_t start, end;
    uint32_t *next, *previous; // block numbers of successors and predecessors
    uint32_t next_count, previous_count;
    bool exits;    // lanes may leave the function at the block's end
    uint32_t post; // immediate post-dominator: a block number; NO_NUMBER: the virtual exit
} Block;

// Linkage directives in front of a declaration. None: the name belongs to its file.
typedef struct Linkage { bool external, visible, weak, common; } Linkage;
static inline bool is_linked(Linkage l) { return l.external || l.visible || l.weak || l.common; }

// What a function and its callees use of shared memory (layout.c).
typedef struct SharedUse {
    bool fixed, dynamic; // variables with a place of their own; dynamic shared memory
    uint32_t align;      // of dynamic shared memory
    uint64_t end;        // of the variables with a place
} SharedUse;

typedef struct FunctionBuilder {
    PtxFunction f;
    Token at;
    Linkage linkage;
    bool defined;
    bool left_out; // nothing that was read says its parameters: f.unusable says why
    Param *params, *results;
    size_t param_count, param_capacity, result_count, result_capacity;
    Instruction *code;
    size_t count, capacity;
    PtxType *registers; // type by virtual register number
    size_t register_count, register_capacity;
    const char **names; // by virtual register number, in the module's arena
    size_t name_count, name_capacity;
    uint32_t carry; // the carry flag's number, or NO_NUMBER
    Value stack;    // the stack pointer at entry (stack_pointer.c), or VALUE_NONE
    Constant *constants;
    size_t constant_count, constant_capacity;
    IndexTable constant_index; // of constants
    uint32_t constant_slots;
    AddressPatch *uses;
    size_t use_count, use_capacity;
    Fixup *fixups;
    size_t fixup_count, fixup_capacity;
    LabelTable *tables;
    size_t table_count, table_capacity;
    CallSite *calls;
    size_t call_count, call_capacity;
    uint32_t *callees; // indices into Parser.nodes
    size_t callee_count, callee_capacity;
    Signature *prototypes;
    size_t prototype_count, prototype_capacity;
    bool address_taken;
    uint32_t param_used, local_used, local_align; // bytes of frame parameters and .local variables
    Block *blocks;
    uint32_t *block_of; // block number by instruction
    uint32_t block_count;
    UOpTiming *timing; // `count` entries
    uint32_t index;    // in PtxModule.functions; NO_NUMBER: undefined
    // 1 + index in Parser.builders of the aliased function, by .alias or because another file
    // defines it; 0: no alias
    uint32_t alias;
    Token alias_at;    // the names in .alias
    uint32_t group;    // equal for nodes of the call graph that call each other
    SharedUse shared;
} FunctionBuilder;

// A variable, with data that only the parser needs.
typedef struct Variable {
    PtxVariable v;
    Token at;
    Linkage linkage;
    PtxType type;
    bool defined;
    bool open;    // extern name[]: its size is unknown here
    bool dynamic; // extern .shared name[]
    uint8_t *initial;
} Variable;

// An address in an initialiser. The name may be declared later.
typedef struct AddressInitializer {
    Token name;
    uint32_t target; // found at the end of the file: as Constant.variable; NO_NUMBER: neither a
                     // variable nor a function
    uint32_t in, at; // the initialised variable, and the byte offset in its initialiser
    uint8_t shift, bytes; // which part of the address
    int64_t addend;
    bool generic;
} AddressInitializer;

typedef struct FileName {
    Token at;
    uint32_t text, number; // index into Parser.texts, and the number in .file
    uint32_t index;        // of the first FileName with this name: an earlier text may have it
    const char *name;
    bool toolkit;
} FileName;

// A source position, from .loc.
typedef struct Location {
    uint32_t file, line, column; // file: the number in .file
    uint32_t text;               // index into Parser.texts
    uint32_t inlined_at;         // index of the call's location + 1; 0: not inlined
    // What is reported (locations_resolve); source_line 0: nothing.
    uint32_t source_line;
    uint16_t source_file; // FileName.index
    bool program;         // the file is none of a toolkit
} Location;

struct Parser {
    HdError *err;
    bool failed;
    bool lenient;       // PtxOptions.lenient
    bool contract;      // PtxOptions.contract
    bool banks_by_name; // PtxOptions.banks_by_name
    bool slots_apart;   // PtxOptions.slots_apart
    const struct EngineInstructions *engines; // PtxOptions.engines
    bool relocatable;   // ptx_link
    bool may_allocate;  // the text contains alloca
    bool versioned;     // the text has a .version
    bool out_of_memory; // the reason of the error
    PtxModule *module;
    HdArena scratch, analyses; // analyses: scratch memory of function_finish
    const PtxText *texts; // the files; `text_count` of them are parsed, or being parsed
    const char **ends;    // of each text: its terminating zero
    size_t text_count;
    const char *path;     // of the text being parsed, in the module's arena
    const char *at, *line_start; // lexer: behind the current token, and the start of its line
    int line;
    Keywords *words;
    Token token, last; // the current token and the one before it
    Scope *globals, *scope;
    Variable *variables;
    size_t variable_count, variable_capacity;
    FunctionBuilder **builders;
    size_t builder_count, builder_capacity;
    FunctionBuilder *builder; // the function being parsed
    FunctionBuilder **nodes;  // of the call graph: the builders, then one for each signature
    size_t node_count;
    uint32_t *order; // indices into nodes: callees in front of callers, groups together
    AddressInitializer *address_initializers;
    size_t initial_count, initial_capacity;
    FileName *files;
    size_t file_count, file_capacity;
    Scope *file_names; // by name: the first file with it
    Location *locations;
    size_t location_count, location_capacity;
    IndexTable location_index; // the newest location of each position
    uint32_t location;          // index of the current location + 1; 0: unknown
    bool marked;     // `mark` is a .pragma "heddle scalar" whose instruction is not read yet
    Token mark;
    unsigned depth;  // of nested blocks
    size_t compared; // names, for messages
    uint64_t steps, max_steps; // of the current function's analyses (effort_spend)
};
enum { MAX_DEPTH = 256 };   // of nested blocks, and of nested braces of an initialiser
enum { MAX_ALIGN = 4096 }; // of variables and parameters

static inline bool at_char(const Parser *p, char c)
{
    return p->token.kind == TOKEN_CHAR && p->token.text[0] == c;
}
// `word` has no dot.
static inline bool at_dot(const Parser *p, const char *word)
{
    return token_is_dot(&p->token, word);
}
static inline bool at_name(const Parser *p, const char *word)
{
    return p->token.kind == TOKEN_NAME && token_is(&p->token, word);
}

// ---- types.c ----
// The type with that name (".u32"), or PTX_NONE.
PtxType type_of_word(const Token *word);
bool type_is_float(PtxType type);
bool type_is_signed(PtxType type);
PtxType type_bits(unsigned bytes); // PTX_B8 .. PTX_B64

// ---- parse_module.c ----
bool parse_module(Parser *p);

// ---- parse_mark.c: values that the program marks as equal in all lanes ----
bool parse_pragma(Parser *p);
// Applies the mark to the instruction behind it.
bool mark_apply(Parser *p, Instruction *in);
// Fails if a mark has no instruction, but `what` behind it.
bool mark_expect_none(Parser *p, const char *what);

// ---- locations.c ----
bool parse_file(Parser *p);     // .file
bool parse_location(Parser *p); // .loc, which is skipped already
// Finds what to report for each location, after all texts: .file may be behind its uses.
bool locations_resolve(Parser *p);
// Sets source_file and source_line from a location (index + 1; 0: unknown).
void location_set(const Parser *p, uint32_t number, UOpTiming *timing);

// ---- parse_variable.c ----
// Parses a variable declaration after its space (.global, .const, .shared, .local, .param).
bool parse_variables(Parser *p, PtxSpace space, Linkage linkage);
// The beginning of declarations of variables and parameters:
// [".align" n] [".attribute(...)"] [".v2"] type
typedef struct DeclaredType {
    PtxType type;
    uint32_t align, elements; // elements: 2 or 4 for a vector, else 1
    bool texture; // .texref, .surfref
    Token at;
} DeclaredType;
bool parse_declared_type(Parser *p, DeclaredType *type);
// dimensions = ("[" n? "]")*: *count elements; *open: the first dimension has no size.
bool parse_dimensions(Parser *p, uint64_t *count, bool *open);

// ---- parse_function.c ----
bool parse_function(Parser *p, bool entry, Linkage linkage);
// parameters = "(" (parameter ("," parameter)*)? ")"
// `variadic`: the last one may be name[].
bool parse_parameters(Parser *p, Param **params, size_t *count, bool variadic);
// Assigns offsets to the parameters, and then to the results, which are at most `max` bytes in all.
bool place_parameters(Parser *p, const Signature *s, uint32_t max);
enum { MAX_FRAME_BYTES = 1 << 24 }; // of .param or .local variables of a function
static inline Signature signature_of(const FunctionBuilder *b)
{
    return (Signature){b->params, b->results, b->param_count, b->result_count};
}
// Whether parameters and results have the same places and sizes.
bool same_signature(const Signature *a, const Signature *b);
// Gives a function that was left out the signature of another declaration of its name.
bool adopt_signature(Parser *p, FunctionBuilder *b, const FunctionBuilder *declared);

// ---- parse_directives.c ----
// Parses the directives between a function's parameters and its body or ";".
bool parse_directives(Parser *p, PtxFunction *f);
// Parses one of the directives that functions and prototypes have. false: there is none. *ok: its
// number is right.
bool parse_abi_directive(Parser *p, bool *ok);
// Skips "( ... )" with nested parentheses, if the current token is "(".
bool skip_parentheses(Parser *p);
// Skips ".attribute(...)", if it is the current token.
bool skip_attribute(Parser *p);

// ---- stack_pointer.c ----
// Adds an instruction that saves the stack pointer at the start of a function's body.
bool stack_save(Parser *p, FunctionBuilder *b, const Token *body);
// Adds an instruction that restores the stack pointer in front of a return.
bool stack_restore(Parser *p, FunctionBuilder *b, const Instruction *ret);

// ---- parse_instruction.c ----
// An instruction without operands.
Instruction instruction_start(UopCode code, const Token *at);
// Appends it to the function.
bool instruction_add(Parser *p, FunctionBuilder *b, const Instruction *in);
// Parses modifiers, operands and ";" after the opcode; the guard, if any, is parsed already.
bool parse_instruction(Parser *p, const Token *opcode, const Token *guard, bool negated,
                       Value guard_value);

// An opcode with its modifiers as written: add.sat.s32 has the modifiers .sat and .s32.
enum { MAX_MODIFIERS = 16 };
typedef struct Opcode {
    Token name, words[MAX_MODIFIERS];
    const Keyword *found[MAX_MODIFIERS]; // the keyword of each of `words`, or NULL
    unsigned count;
    PtxType types[3];
    unsigned type_count;
} Opcode;

// ---- parse_pack.c ----
// cvt.pack
bool is_pack(const Opcode *o);
bool parse_pack(Parser *p, const Opcode *o, Instruction *in);

// ---- parse_engine.c ----
// Whether instructions of mechanisms' engines have this opcode.
bool is_engine(const Parser *p, const Token *opcode);
bool parse_engine(Parser *p, const Opcode *o, Instruction *in);
// Adds their names.
void engines_add_nearest(Parser *p, const Token *opcode, Nearest *n);

// ---- parse_video.c ----
bool is_video(const Token *opcode);
// Parses the operands of a video instruction, and applies its types and modifiers.
bool parse_video(Parser *p, const Opcode *o, Instruction *in);

// ---- parse_operand.c ----
bool parse_operands(Parser *p, const OpcodeForm *row, Instruction *in);
// immediate = "-"? (INTEGER | FLOAT | DOUBLE), as a constant of that type
bool parse_immediate(Parser *p, PtxType type, Value *value);
// Parses a register name and gives its virtual register number. Fails if it is not a register, or
// its type does not match; `wider`: its type may be wider.
bool parse_register(Parser *p, PtxType type, bool wider, Value *value, PtxType *declared);
// Adds a virtual register, also one that the text does not declare.
bool register_new(Parser *p, PtxType type, const Token *name, uint32_t *number);
bool parse_predicate_source(Parser *p, Value *value, bool *negated);
// source = register | immediate | "WARP_SZ"
bool parse_source(Parser *p, PtxType type, bool wider, Value *value, PtxType *declared);
// Finds or adds a constant in the current function's pool, and gives its operand.
bool constant_add(Parser *p, uint64_t bits, unsigned slots, uint32_t variable, Value *value);
// Whether the word is the name of a special register, like "%tid".
bool is_special_register(const Token *word);

// ---- parse_move.c ----
bool parse_move(Parser *p, Instruction *in);

// ---- parse_texture.c ----
bool parse_texture(Parser *p, Instruction *in);      // the brackets of a texture fetch
bool parse_surface(Parser *p, Instruction *in);      // the brackets of a surface access
bool parse_texture_name(Parser *p, Instruction *in); // the brackets of a query
bool parse_level(Parser *p, PtxType type, Value *value);
bool parse_gradient(Parser *p);

// ---- parse_control.c ----
bool parse_branch_target(Parser *p, Instruction *in);
bool parse_branch_table(Parser *p, Instruction *in);
bool parse_call(Parser *p, Instruction *in);
bool parse_branchtargets(Parser *p, const Token *name);
bool parse_calltargets(Parser *p, const Token *name);
bool parse_callprototype(Parser *p, const Token *name);
// Resolves branches to labels of the scope that ends.
bool resolve_labels(Parser *p, const Scope *scope);

#include "ptx/analyses.h"

// ---- the end of the file ----
// link.c: finds the one definition of each name that several files share.
bool texts_link(Parser *p);
// Where a definition was searched, for messages.
#define FILES_SEARCHED(p)                                                                          \
    ((p)->relocatable ? "any of the program's files that have PTX"                                 \
                      : "this file: expected a definition, or -rdc=true and a link with the file " \
                        "that has it")
bool layout_shared(Parser *p);     // shared_layout.c: addresses of shared variables
bool layout_variables(Parser *p);  // layout.c: addresses of shared and const variables
// Whether the function has no body and is one that the system defines (*call). In call_graph.c.
bool system_call_of(const FunctionBuilder *callee, SystemCall *call);
bool pointers_resolve(Parser *p);  // function_pointers.c: signatures, the nodes of the call graph
bool calls_resolve(Parser *p);     // call_graph.c: order, recursion, maxima over call chains
// The end of the group that begins at this index of Parser.order.
size_t group_end(const Parser *p, size_t first);
bool module_finish(Parser *p);     // finish.c: PtxModule's arrays

#endif
