// Reading scripts: what is read, and each message about wrong syntax.
#include "harness/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void test_read(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "# a comment\r\n"
                               "\n"
                               "  repeat 2+1 i # three\r\n"
                               "\tload 0x1000 i*4KiB pc=i lanes=1\r\n"
                               "end\n"
                               "expect evicted none";
    HdError err;
    Script s;
    // Without the mark of UTF-8, which file_read_text takes away.
    assert_true(script_read(&s, "s", text + 3, sizeof text - 4, &err));
    assert_int_equal(s.count, 4);
    assert_int_equal(s.commands[0].kind, SCRIPT_REPEAT);
    assert_int_equal(s.commands[0].partner, 2);
    assert_int_equal(s.commands[2].partner, 0);
    assert_string_equal(s.commands[0].word.text, "repeat 2+1 i");
    assert_int_equal(s.commands[0].word.line, 3);
    assert_int_equal(s.commands[0].word.column, 3);
    const ScriptCommand *load = &s.commands[1];
    assert_int_equal(load->kind, SCRIPT_LOAD);
    assert_int_equal(load->operand_count, 2);
    assert_int_equal(load->option_count, 2);
    assert_int_equal(load->options[0].name, OPTION_PC);
    assert_int_equal(load->options[1].value.word.column, 32);
    assert_int_equal(s.commands[3].operand_count, 0);
    script_free(&s);
}

static void test_expressions(void **state)
{
    (void)state;
    static const struct { const char *text; uint64_t value; } cases[] = {
        {"7", 7}, {"0x1F", 31}, {"0Xff", 255}, {"2KiB", 2048}, {"0x2MiB", 2 << 20},
        {"1GiB", 1 << 30}, {"1+2*3", 7}, {"(1+2)*3", 9}, {"10-3-2", 5}, {"100/7%4", 2},
        {"3*(4-(2+1))", 3}, {"line", 128}, {"2*line+line/4", 288},
        {"18446744073709551615", UINT64_MAX}, {"((((((((((((((((5))))))))))))))))", 5},
        {"1+(2*(3+(4*(5+6))))", 95},
    };
    const uint64_t variables[] = {128};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        HdError err;
        Script s;
        uint64_t value;
        int length = snprintf(text, sizeof text, "wait %s", cases[i].text);
        assert_true(script_read(&s, "s", text, (size_t)length, &err));
        const ScriptValue *read = &s.commands[0].operands[0];
        assert_true(expression_value(&read->number, &read->word, variables, &value, &err));
        assert_true(value == cases[i].value);
        script_free(&s);
    }
}

static void test_messages(void **state)
{
    (void)state;
    static const struct { const char *text, *message; } cases[] = {
        {"laod 1", "s:1:1: there is no command 'laod': expected one that `heddle mechanism script` "
                   "lists; did you mean 'load'?"},
        {"frobnicate", "s:1:1: there is no command 'frobnicate': expected one that `heddle "
                       "mechanism script` lists"},
        {"kernel bgin", "s:1:1: there is no command 'kernel': expected one that `heddle mechanism "
                        "script` lists; did you mean 'kernel begin'?"},
        {"load", "s:1:5: an operand is missing: expected load ADDRESS... [OPTION=VALUE...]"},
        {"\nallocation 0", "s:2:13: an operand is missing: expected allocation ADDRESS BYTES"},
        {"wait 1 2", "s:1:8: '2' is one word too many: expected wait CYCLES"},
        {"call a", "s:1:7: an operand is missing: expected call MECHANISM VERB [NUMBER...]"},
        {"call a b 1 c", "s:1:12: 'c': expected a number, line, or a name that let or repeat has "
                         "given"},
        {"end 2", "s:1:5: '2' is one word too many: expected end"},
        {"load 0 pcc=5", "s:1:8: load has no option 'pcc': expected one that `heddle mechanism "
                         "script` lists; did you mean 'pc'?"},
        {"fill pc=5", "s:1:6: fill has no option 'pc': expected one that `heddle mechanism script` "
                      "lists"},
        {"load 0 pc=5 pc=6", "s:1:13: pc is given twice: expected one value"},
        {"load 0 cache=l2", "s:1:14: cache = l2: expected one of l1d, l1i, l1c, l1r"},
        {"load 0 pc=", "s:1:11: '': expected a number, a name or '('"},
        {"load x", "s:1:6: 'x': expected a number, line, or a name that let or repeat has given"},
        {"load 0x", "s:1:7: '0x': expected a whole number, as 64, 0x40 or 4KiB"},
        {"load 1.5", "s:1:7: '1.5': expected a whole number, as 64, 0x40 or 4KiB"},
        {"load 4kB", "s:1:7: '4kB': expected a whole number, as 64, 0x40 or 4KiB"},
        {"load 18446744073709551616",
         "s:1:25: '18446744073709551616': expected a number of at most 64 bits"},
        {"load 17179869184GiB", "s:1:17: '17179869184GiB': expected a number of at most 64 bits"},
        {"load (1+2", "s:1:10: '(1+2': expected ')' or an operator: + - * / %"},
        {"load 1)", "s:1:7: '1)': expected an operator: + - * / %"},
        {"load 1+", "s:1:8: '1+': expected a number, a name or '('"},
        {"load (((((((((((((((((1)))))))))))))))))",
         "s:1:22: '(((((((((((((((((1)))))))))))))))))': expected at most 16 parentheses in "
         "each other"},
        {"let 5 5", "s:1:5: '5': expected a name of letters, digits and _"},
        {"let a-b 5", "s:1:5: 'a-b': expected a name of letters, digits and _"},
        {"let line 5", "s:1:5: the name 'line' is used already: expected another"},
        {"repeat 2 i\nrepeat 2 i\nend\nend", "s:2:10: the name 'i' is used already: expected "
                                             "another"},
        {"repeat 2 i\nend\nload i", "s:3:6: 'i': expected a number, line, or a name that let or "
                                    "repeat has given"},
        {"repeat 2", "s:1:1: repeat: expected an end for it"},
        {"load 0\nend", "s:2:1: end: expected a repeat before it"},
        {"load 0\n cache l1", "s:2:2: cache: expected it before all other commands, once"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdError err;
        Script s;
        assert_false(script_read(&s, "s", cases[i].text, strlen(cases[i].text), &err));
        assert_string_equal(err.text, cases[i].message);
        script_free(&s);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    HdError err;
    Script s;
    assert_false(script_read(&s, "s", "load 1\nload \0 1", 15, &err));
    assert_string_equal(err.text, "s:2:6: a byte of value 0: expected text");
    script_free(&s);
    char text[SCRIPT_REPEAT_DEPTH * 9 + 16] = "";
    for (unsigned i = 0; i <= SCRIPT_REPEAT_DEPTH; i++) strcat(text, "repeat 2\n");
    assert_false(script_read(&s, "s", text, strlen(text), &err));
    assert_string_equal(err.text, "s:17:1: repeat: expected at most 16 in each other");
    script_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests_name("scripts", tests, NULL, NULL);
}
