// The cases of contract.txt: what contraction makes of them is what ptxas made of them. Where ptxas
// is there, the file is compared with it too.
#include "sass.h"
#include "support/scratch.h"

#include "base/file.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char module_start[] = ".version 7.5\n.target sm_75\n.address_size 64\n";
static const char kernel_start[] =
    ".visible .entry k%u(.param .u64 p, .param .f32 a)\n"
    "{\n"
    "    .reg .pred %%p<9>;\n"
    "    .reg .b16 %%h<9>;\n"
    "    .reg .b32 %%r<10>;\n"
    "    .reg .f32 %%f<20>;\n"
    "    .reg .b64 %%rd<9>;\n"
    "    .reg .f64 %%fd<9>;\n"
    "    ld.param.u64 %%rd1, [p];\n"
    "    ld.global.v4.f32 {%%f1, %%f2, %%f3, %%f4}, [%%rd1];\n"
    "    ld.global.v2.f64 {%%fd1, %%fd2}, [%%rd1+16];\n"
    "    ld.global.f64 %%fd3, [%%rd1+32];\n"
    "    ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r7}, [%%rd1+48];\n"
    "    ld.global.v4.u16 {%%h1, %%h2, %%h3, %%h4}, [%%rd1+64];\n"
    "    setp.ne.u32 %%p1, %%r7, 0;\n";
static const char kernel_end[] = "    ret;\n}\n";

// The cases as one module with kernels k0, k1, ...
enum { CASES = 128, TEXT = 1 << 17 };
typedef struct Cases {
    char names[CASES][80], expected[CASES][80];
    unsigned count;
    char ptx[TEXT];
} Cases;

static void append(char *text, const char *more)
{
    size_t used = strlen(text);
    assert_true(used + strlen(more) < TEXT);
    memcpy(text + used, more, strlen(more) + 1);
}

static Cases *read_cases(void)
{
    HdError err = {0};
    size_t size;
    Cases *c = calloc(1, sizeof *c);
    char *text = file_read(TEST_DATA "/contract.txt", &size, &err);
    if (!c || !text) fail_msg("%s", err.text);
    append(c->ptx, module_start);
    bool inside = false;
    for (char *line = text, *next; *line; line = next) {
        next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = 0;
        if (*line == '#') continue;
        if (inside) {
            append(c->ptx, line);
            append(c->ptx, "\n");
            if (!*line || !*next) append(c->ptx, kernel_end);
            inside = *line && *next;
            continue;
        }
        if (!*line) continue;
        char start[sizeof kernel_start];
        assert_true(c->count < CASES);
        assert_int_equal(sscanf(line, "%79[^:]: %79[^\n]", c->names[c->count],
                                c->expected[c->count]), 2);
        snprintf(start, sizeof start, kernel_start, c->count++);
        append(c->ptx, start);
        inside = true;
    }
    free(text);
    return c;
}

static double literal_of(const PtxFunction *f, const UOp *op)
{
    for (unsigned k = 0; k < 2; k++) {
        if (!(op->src[k] & OPERAND_CONST)) continue;
        const uint32_t *lanes =
            f->constants + (size_t)(op->src[k] & ~OPERAND_CONST) * HD_MAX_LANES;
        float single;
        double value;
        memcpy(&single, lanes, sizeof single);
        memcpy(&value, lanes, sizeof value);
        return op->type == PTX_F64 ? value : (double)single;
    }
    return 0;
}

static void add_op(const PtxFunction *f, const UOp *op, Ops *ops)
{
    char name[8];
    bool half = op->type >= PTX_F16 && op->type <= PTX_BF16X2;
    const char *what = op->code == UOP_FMA                           ? "FMA"
                       : op->code == UOP_MUL_LO                      ? "MUL"
                       : op->code == UOP_ADD || op->code == UOP_SUB ? "ADD"
                                                                     : NULL;
    if (!what || op->type < PTX_F16 || op->type > PTX_F64) return;
    snprintf(name, sizeof name, "%c%s%s", half ? 'H' : op->type == PTX_F64 ? 'D' : 'F', what,
             half ? "2" : "");
    ops_add(ops, name, op->flags & UF_NEGATE_A, op->flags & UF_NEGATE_C,
            *what == 'A' ? 0 : literal_of(f, op));
}

static void test_heddle(void **state)
{
    (void)state;
    HdError err = {0};
    Cases *c = read_cases();
    PtxModule *m = ptx_parse_with(c->ptx, "contract.txt", (PtxOptions){.contract = true}, &err);
    if (!m) fail_msg("%s", err.text);
    assert_int_equal(m->function_count, c->count);
    for (unsigned i = 0; i < c->count; i++) {
        const PtxFunction *f = &m->functions[i];
        char text[256];
        Ops ops = {0};
        for (uint32_t k = 0; k < f->op_count; k++) add_op(f, &f->ops[k], &ops);
        ops_text(&ops, text, sizeof text);
        if (strcmp(text, c->expected[i]) != 0)
            fail_msg("%s: '%s', expected '%s'", c->names[i], text, c->expected[i]);
    }
    ptx_free(m);
    free(c);
}

static void test_ptxas(void **state)
{
    (void)state;
    HdError err = {0};
    char version[64], cubin[512];
    Cases *c = read_cases();
    snprintf(cubin, sizeof cubin, "%s", scratch_path("contract.cubin"));
    if (!ptxas_run(scratch_text("contract.ptx", c->ptx), cubin, version, sizeof version)) {
        print_message("no ptxas for sm_75 here: contract.txt is not compared with it\n");
        free(c);
        skip();
    }
    size_t size;
    char *bytes = file_read(cubin, &size, &err);
    if (!bytes) fail_msg("%s", err.text);
    for (unsigned i = 0; i < c->count; i++) {
        char kernel[16], text[256];
        Ops ops = {0};
        snprintf(kernel, sizeof kernel, "k%u", i);
        if (!sass_ops((const uint8_t *)bytes, size, kernel, &ops))
            fail_msg("%s: not in the file of ptxas %s", kernel, version);
        ops_text(&ops, text, sizeof text);
        if (strcmp(text, c->expected[i]) != 0)
            fail_msg("%s: ptxas %s makes '%s', the file has '%s'", c->names[i], version, text,
                     c->expected[i]);
    }
    print_message("%u cases compared with ptxas %s\n", c->count, version);
    free(bytes);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heddle),
        cmocka_unit_test(test_ptxas),
    };
    return cmocka_run_group_tests_name("ptx contract sass", tests, scratch_setup, scratch_teardown);
}
