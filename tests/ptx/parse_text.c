// Parses small modules.
#include "parse_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PtxOptions parse_options;

static const char kernel_header[] =
    MODULE_HEADER
    ".visible .entry k(.param .u64 p, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<9>;\n"
    "    .reg .b16 %rs<9>;\n"
    "    .reg .b32 %r<99>;\n"
    "    .reg .f32 %f<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    .reg .f64 %fd<9>;\n";

static char *joined(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static PtxModule *parse_joined(const char *a, const char *b, const char *c, HdError *err)
{
    char *text = joined(a, b, c);
    PtxModule *module = ptx_parse_with(text, "test.ptx", parse_options, err);
    free(text); // a module keeps what it needs
    return module;
}

PtxModule *module_of(const char *text)
{
    HdError err = {0};
    PtxModule *module = parse_joined(MODULE_HEADER, text, "", &err);
    if (!module) fail_msg("%s", err.text);
    return module;
}

PtxModule *module_of_body(const char *body)
{
    HdError err = {0};
    PtxModule *module = parse_joined(kernel_header, body, "\n}\n", &err);
    if (!module) fail_msg("%s", err.text);
    return module;
}

PtxFunction *kernel_of_body(const char *body, PtxModule **module)
{
    *module = module_of_body(body);
    assert_int_equal((*module)->function_count, 1);
    return &(*module)->functions[0];
}

static void check_error(PtxModule *module, const HdError *err, int line, int column,
                        const char *words)
{
    char place[64];
    snprintf(place, sizeof place, "test.ptx:%d:%d: ", line, column);
    assert_null(module);
    assert_true(err->set);
    if (strncmp(err->text, place, strlen(place)) || !strstr(err->text, words))
        fail_msg("wanted \"%s... %s\", got \"%s\"", place, words, err->text);
}

void expect_error(const char *body, int line, int column, const char *words)
{
    HdError err = {0};
    PtxModule *module = parse_joined(kernel_header, body, "\n}\n", &err);
    check_error(module, &err, line, column, words);
}

void expect_module_error(const char *text, int line, int column, const char *words)
{
    HdError err = {0};
    PtxModule *module = parse_joined(MODULE_HEADER, text, "", &err);
    check_error(module, &err, line, column, words);
}

static const uint32_t *constant_words(const PtxFunction *f, Operand operand)
{
    assert_true(operand & OPERAND_CONST && operand != OPERAND_NONE);
    return f->constants + (size_t)(operand & ~OPERAND_CONST) * HD_MAX_LANES;
}

uint64_t constant64(const PtxFunction *f, Operand operand)
{
    uint64_t lanes[HD_MAX_LANES];
    memcpy(lanes, constant_words(f, operand), sizeof lanes);
    for (int i = 1; i < HD_MAX_LANES; i++) assert_true(lanes[i] == lanes[0]);
    return lanes[0];
}

uint32_t constant32(const PtxFunction *f, Operand operand)
{
    const uint32_t *lanes = constant_words(f, operand);
    for (int i = 1; i < HD_MAX_LANES; i++) assert_true(lanes[i] == lanes[0]);
    return lanes[0];
}
