// Numbers in a script, by recursive descent.
#include "harness/expression.h"

#include "base/text.h"

enum { NAME_TEXT = 64 };

typedef struct Reader {
    const ExpressionReader *outer;
    const ScriptWord *word;
    const char *at;
    ExpressionNode *nodes; // room for each character of the word
    size_t count;
    unsigned depth;
    HdError *err;
} Reader;

static int column_of(const Reader *r, const char *at)
{
    return r->word->column + (int)(at - r->word->text);
}

static bool fail_here(const Reader *r, const char *expected)
{
    return hd_fail_at(r->err, r->word->file, r->word->line, column_of(r, r->at),
                      "'%.64s': expected %s", r->word->text, expected);
}

static void add(Reader *r, char operation, const char *start, uint64_t number)
{
    r->nodes[r->count++] = (ExpressionNode){operation, column_of(r, start), number};
}

// ---- values ----

static unsigned digit_of(char c)
{
    return text_is_digit(c) ? (unsigned)(c - '0') : (unsigned)(text_lower(c) - 'a') + 10;
}

// KiB, MiB, GiB behind a number.
static unsigned unit_bits(const char *at)
{
    static const char letters[] = "KMG";
    for (unsigned i = 0; letters[i]; i++)
        if (at[0] == letters[i] && at[1] == 'i' && at[2] == 'B') return 10 * (i + 1);
    return 0;
}

static bool read_number(Reader *r)
{
    const char *start = r->at;
    bool hex = start[0] == '0' && text_lower(start[1]) == 'x' && text_is_hex_digit(start[2]);
    unsigned base = hex ? 16 : 10;
    uint64_t number = 0;
    if (hex) r->at += 2;
    for (; hex ? text_is_hex_digit(*r->at) : text_is_digit(*r->at); r->at++)
        if (__builtin_mul_overflow(number, base, &number) ||
            __builtin_add_overflow(number, digit_of(*r->at), &number))
            return fail_here(r, "a number of at most 64 bits");
    unsigned bits = unit_bits(r->at);
    if (bits && number >> (64 - bits)) return fail_here(r, "a number of at most 64 bits");
    if (bits) r->at += 3;
    if (text_is_alphanumeric(*r->at) || *r->at == '_' || *r->at == '.')
        return fail_here(r, "a whole number, as 64, 0x40 or 4KiB");
    add(r, 'n', start, number << bits);
    return true;
}

static bool read_variable(Reader *r)
{
    char name[NAME_TEXT];
    size_t length = 0, index;
    while (text_is_alphanumeric(r->at[length]) || r->at[length] == '_') length++;
    bool fits = length < sizeof name;
    if (fits) {
        memcpy(name, r->at, length);
        name[length] = 0;
    }
    if (!fits || !r->outer->find(r->outer->context, name, &index))
        return fail_here(r, "a number, line, or a name that let or repeat has given");
    add(r, 'v', r->at, index);
    r->at += length;
    return true;
}

static bool read_sum(Reader *r);

static bool read_value(Reader *r)
{
    if (text_is_digit(*r->at)) return read_number(r);
    if (text_is_letter(*r->at)) return read_variable(r);
    if (*r->at != '(') return fail_here(r, "a number, a name or '('");
    if (++r->depth > EXPRESSION_DEPTH) return fail_here(r, "at most 16 parentheses in each other");
    r->at++;
    if (!read_sum(r)) return false;
    if (*r->at != ')') return fail_here(r, "')' or an operator: + - * / %");
    r->at++;
    r->depth--;
    return true;
}

// ---- operators ----

static bool read_product(Reader *r)
{
    if (!read_value(r)) return false;
    while (*r->at == '*' || *r->at == '/' || *r->at == '%') {
        const char *operator= r->at++;
        if (!read_value(r)) return false;
        add(r, *operator, operator, 0);
    }
    return true;
}

static bool read_sum(Reader *r)
{
    if (!read_product(r)) return false;
    while (*r->at == '+' || *r->at == '-') {
        const char *operator= r->at++;
        if (!read_product(r)) return false;
        add(r, *operator, operator, 0);
    }
    return true;
}

bool expression_read(Expression *expression, const ExpressionReader *reader, const ScriptWord *word,
                     HdError *err)
{
    Reader r = {.outer = reader, .word = word, .at = word->text, .err = err};
    r.nodes = hd_arena_new(reader->arena, (strlen(word->text) + 1) * sizeof *r.nodes);
    if (!r.nodes) return hd_fail_memory(err, "reading a script");
    if (!read_sum(&r)) return false;
    if (*r.at) return fail_here(&r, "an operator: + - * / %");
    *expression = (Expression){r.nodes, r.count};
    return true;
}

// ---- values at run time ----

// false: the result is no number of 64 bits.
static bool compute(char operation, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (operation) {
    case '+': return !__builtin_add_overflow(a, b, result);
    case '-': return !__builtin_sub_overflow(a, b, result);
    case '*': return !__builtin_mul_overflow(a, b, result);
    default: break;
    }
    if (b) *result = operation == '/' ? a / b : a % b;
    return b;
}

bool expression_value(const Expression *expression, const ScriptWord *word,
                      const uint64_t *variables, uint64_t *value, HdError *err)
{
    // Each open parenthesis leaves the left side of a sum and of a product on it, at most.
    uint64_t stack[2 * EXPRESSION_DEPTH + 4];
    size_t count = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const ExpressionNode *node = &expression->nodes[i];
        if (node->operation == 'n' || node->operation == 'v') {
            stack[count++] = node->operation == 'n' ? node->number : variables[node->number];
            continue;
        }
        uint64_t b = stack[--count], a = stack[count - 1];
        if (!compute(node->operation, a, b, &stack[count - 1]))
            return hd_fail_at(err, word->file, word->line, node->column,
                              "%.64s: %llu %c %llu: expected a result from 0 to 2^64-1",
                              word->text, (unsigned long long)a, node->operation,
                              (unsigned long long)b);
    }
    *value = stack[0];
    return true;
}
