// The verifier's messages, whole. Each is about one number of this module, set out of bounds.
#include "parse_text.h"

#include "ptx/verify.h"

#include <string.h>

static const char text[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"       // line 5
    ".extern .func free(.param .b64 a);\n"
    ".func leaf(.param .b32 p) { ret; }\n"
    ".func deep(.param .b32 p, .param .b8 more[])\n"
    "{ .reg .b64 %rd<2>; alloca.u64 %rd1, 16, 32; ret; }\n"
    ".global .b64 g = g;\n"                                                        // 10
    ".const .b32 c[4] = {1};\n"
    ".shared .b32 s[4];\n"
    ".visible .entry k(.param .u64 p)\n"
    "{\n"
    "    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .b16 %h<9>;\n"
    "    .param .b32 a; .param .b64 b; .param .b8 more[8];\n"                      // 16
    "    ld.param.u64 %rd1, [p];\n"
    "    add.s32 %r1, %r2, 3;\n"
    "    @%p1 add.s64 %rd1, %rd2, 5;\n"
    "    mov.b64 {%h1, %h2, %h3, %h4}, %rd1;\n"                                    // 20
    "    sust.b.1d.b32.trap [%rd1, {%r1}], %r2;\n"
    "    atom.shared.add.u32 %r1, [%r2], %r3;\n"
    "    cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;\n"
    "    call leaf, (a);\n"
    "    call deep, (a, more);\n"                                                  // 25
    "    call (a), vprintf, (b, b);\n"
    "    call free, (b);\n"
    "    mov.u64 %rd2, leaf;\n"
    "P: .callprototype _ (.param .b32 _);\n"
    "    call %rd2, (a), P;\n"                                                     // 30
    "T: .branchtargets L;\n"
    "    brx.idx %r1, T;\n"
    "L: ret;\n"
    "}\n";

typedef struct Module {
    PtxModule *m;
    PtxFunction *leaf, *deep, *k;
    UOp *ld, *add, *guarded, *unpack, *store, *atom, *pack, *call, *variadic, *print, *free,
        *pointer, *table, *last, *alloca;
    PtxCall *calls[5];
} Module;

static void expect_message(const Module *module, const char *message)
{
    HdError err = {0};
    assert_false(ptx_verify(module->m, &err));
    assert_true(err.set);
    assert_string_equal(err.text, message);
}

#define MESSAGE(field, value, message)                                                             \
    do {                                                                                           \
        __typeof__(field) before = (field);                                                        \
        (field) = (__typeof__(field))(value);                                                      \
        expect_message(&x, message);                                                               \
        (field) = before;                                                                          \
    } while (0)

static Module make(void)
{
    Module x = {.m = module_of(text)};
    x.leaf = &x.m->functions[0];
    x.deep = &x.m->functions[1];
    x.k = &x.m->functions[2];
    x.alloca = &x.deep->ops[1];
    UOp **ops[] = {&x.ld, &x.add, &x.guarded, &x.unpack, &x.store, &x.atom, &x.pack, &x.call,
                   &x.variadic, &x.print, &x.free, NULL, &x.pointer, &x.table, &x.last};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i]) *ops[i] = &x.k->ops[i];
    for (unsigned i = 0; i < 5; i++) x.calls[i] = &x.m->calls[i];
    return x;
}

static void test_operands(void **state)
{
    (void)state;
    Module x = make();
    MESSAGE(x.ld->code, 200,
            "test.ptx:17: 'ld.param.u64 %rd1, [p]' in 'k' is the micro-op 'code 200', whose "
            "code is 200: expected less than 102");
    MESSAGE(x.add->dst[0], 99,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s99 = s5, "
            "c0', whose dst[0] is register slot 99: expected less than 10");
    MESSAGE(x.guarded->dst[0], x.k->frame_slots - 1,
            "test.ptx:19: '@%p1 add.s64 %rd1, %rd2, 5' in 'k' is the micro-op '@p0 add.s64 "
            "s9:10 = s2:3, c1:2', whose dst[0] takes register slots 9 and 10: expected less "
            "than 10");
    MESSAGE(x.add->src[1], OPERAND_CONST | 50,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c50', whose src[1] is constant slot 50: expected less than 5");
    MESSAGE(x.add->dst[0], OPERAND_CONST,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 c0 = s5, "
            "c0', whose dst[0] is a constant: expected a register");
    MESSAGE(x.add->dst[0], OPERAND_NONE,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 _ = s5, c0', "
            "which lacks dst[0]: expected a register");
    MESSAGE(x.add->src[3], 0,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, c0, "
            "s0', whose src[3] is 0x0: expected none");
    MESSAGE(x.guarded->guard, 7,
            "test.ptx:19: '@%p1 add.s64 %rd1, %rd2, 5' in 'k' is the micro-op '@p7 add.s64 "
            "s0:1 = s2:3, c1:2', whose guard is predicate 7: expected less than 1");
    MESSAGE(x.guarded->guard, OPERAND_CONST | 2,
            "test.ptx:19: '@%p1 add.s64 %rd1, %rd2, 5' in 'k' is the micro-op '@p2 add.s64 "
            "s0:1 = s2:3, c1:2', whose guard is predicate 2: expected less than 2");
    MESSAGE(x.add->type, PTX_NONE,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add s4 = s5, c0', "
            "whose type has no values: expected one for dst[0]");
    MESSAGE(((PtxOperands *)x.k->operands)[1].dst[0], x.k->virtual_registers,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c0', whose register number is 11: expected less than 11");
    MESSAGE(((PtxOperands *)x.k->operands)[1].dst[1], 0,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c0', with the register '%rd1' in operand 0xffff: expected an operand of type "
            ".b64 in the frame");
    MESSAGE(x.store->imm, (x.store->imm & ~INT64_C(0xffff)) | 99,
            "test.ptx:21: 'sust.b.1d.b32.trap [%rd1, {%r1}], %r2' in 'k' is the micro-op "
            "'sust.global.b32 s0:1, s5, s99', whose coordinates[0] is register slot 99: "
            "expected less than 10");
    ptx_free(x.m);
}

static void test_instructions(void **state)
{
    (void)state;
    Module x = make();
    MESSAGE(x.add->type, PTX_TYPES,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add s4 = s5, c0', "
            "whose type is 22: expected less than 22");
    MESSAGE(x.add->class, CLASS_TEXTURE,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c0', whose latency class is 27: expected 0");
    MESSAGE(x.pack->modifier, 3,
            "test.ptx:23: 'cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4' in 'k' is the "
            "micro-op 'cvt.pack.3.u32 s4 = s5, s6, s7', whose fields have 3 bits: expected "
            "2, 4, 8 or 16");
    MESSAGE(x.add->vec, 2,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.v2.s32 s4 = s5, "
            "c0', of 2 elements: expected 1");
    MESSAGE(x.unpack->vec, 1,
            "test.ptx:20: 'mov.b64 {%h1, %h2, %h3, %h4}, %rd1' in 'k' is the micro-op "
            "'mov.unpack.b64 s6:7, s7, s8, s9 = s0:1', of 1 elements: expected 2 or 4");
    MESSAGE(x.store->vec, 3,
            "test.ptx:21: 'sust.b.1d.b32.trap [%rd1, {%r1}], %r2' in 'k' is the micro-op "
            "'sust.global.v3.b32 s0:1, s5, s4', of 3 elements: expected 1, 2 or 4");
    MESSAGE(x.unpack->type, PTX_B16,
            "test.ptx:20: 'mov.b64 {%h1, %h2, %h3, %h4}, %rd1' in 'k' is the micro-op "
            "'mov.unpack.v4.b16 s6, s7, s8, s9 = s0', of 4 elements in 2 bytes: expected a "
            "byte for each");
    MESSAGE(x.atom->type, PTX_NONE,
            "test.ptx:22: 'atom.shared.add.u32 %r1, [%r2], %r3' in 'k' is the micro-op "
            "'atom.shared.add s4 = [s5], s6', whose type has no values: expected one for "
            "dst[0]");
    MESSAGE(x.ld->imm, 1,
            "test.ptx:17: 'ld.param.u64 %rd1, [p]' in 'k' is the micro-op 'ld.param.u64 s0:1 "
            "= [+1]', which accesses 8 bytes at byte 1 of the kernel parameters: expected "
            "within 8 bytes");
    MESSAGE(x.ld->space, SPACE_NONE,
            "test.ptx:17: 'ld.param.u64 %rd1, [p]' in 'k' is the micro-op 'ld.u64 s0:1 = "
            "[+0]', whose space is 0: expected the space of an access");
    MESSAGE(x.atom->space, SPACE_LOCAL,
            "test.ptx:22: 'atom.shared.add.u32 %r1, [%r2], %r3' in 'k' is the micro-op "
            "'atom.local.add.u32 s4 = [s5], s6', whose space is 4: expected global, shared "
            "or generic memory");
    MESSAGE(x.store->space, SPACE_SHARED,
            "test.ptx:21: 'sust.b.1d.b32.trap [%rd1, {%r1}], %r2' in 'k' is the micro-op "
            "'sust.shared.b32 s0:1, s5, s4', whose space is 3: expected global memory");
    ptx_free(x.m);
}

static void test_numbers(void **state)
{
    (void)state;
    Module x = make();
    MESSAGE(x.store->imm, x.store->imm | INT64_C(1) << 60,
            "test.ptx:21: 'sust.b.1d.b32.trap [%rd1, {%r1}], %r2' in 'k' is the micro-op "
            "'sust.global.b32 s0:1, s5, s4', whose upper bits are 0x100: expected .trap, "
            ".clamp or .zero");
    MESSAGE(x.alloca->imm, 24,
            "test.ptx:9: 'alloca.u64 %rd1, 16, 32' in 'deep' is the micro-op 'alloca.u64 "
            "s2:3 = c0:1, 0x18', whose alignment is 24: expected a power of two");
    MESSAGE(x.deep->allocates, false,
            "test.ptx:9: 'stacksave.u64 ?; // implied by alloca' in 'deep' is the micro-op "
            "'stacksave.u64 s0:1', which uses the stack of alloca: expected a function that "
            "has one");
    MESSAGE(x.add->flags, UF_SYNC,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c0', which waits for lanes, but names none: expected no .sync");
    MESSAGE(x.last->guard, 0,
            "test.ptx:33: 'ret' in 'k' is the micro-op '@p0 ret', the last of its function: "
            "expected an unconditional branch, ret, exit or trap");
    MESSAGE(x.k->source[1], NULL,
            "test.ptx:18: '' in 'k' is the micro-op 'add.s32 s4 = s5, c0', which has no text "
            "in PTX");
    MESSAGE(x.k->timing[1].read_count, 10,
            "test.ptx:18: 'add.s32 %r1, %r2, 3' in 'k' is the micro-op 'add.s32 s4 = s5, "
            "c0', whose number of reads is 10: expected less than 10");
    MESSAGE(x.table->imm, 1,
            "test.ptx:32: 'brx.idx %r1, T' in 'k' is the micro-op 'brx.idx s4, table 1', "
            "whose branch table is 1: expected less than 1");
    MESSAGE(x.m->tables[0].targets[0], 99,
            "test.ptx:32: 'brx.idx %r1, T' in 'k' is the micro-op 'brx.idx s4, table 0', "
            "whose table's largest target is 99: expected less than 15");
    ptx_free(x.m);
}

static void test_calls(void **state)
{
    (void)state;
    Module x = make();
    MESSAGE(x.call->imm, 99,
            "test.ptx:24: 'call leaf, (a)' in 'k' is the micro-op 'call, site 99, function "
            "0', whose call site is 99: expected less than 5");
    MESSAGE(x.variadic->imm, 0,
            "test.ptx:25: 'call deep, (a, more)' in 'k' is the micro-op 'call, site 0, "
            "function 1', whose call site 0 is another instruction's: expected its own");
    MESSAGE(x.call->target, 1,
            "test.ptx:24: 'call leaf, (a)' in 'k' is the micro-op 'call, site 0, function "
            "1', whose target is the function 1, and whose call site has 0: expected one "
            "function below 3");
    MESSAGE(x.leaf->entry, true,
            "test.ptx:7: the function 'leaf' has the signature 1: expected 0 to 0");
    MESSAGE(x.calls[0]->arguments, NULL,
            "test.ptx:24: 'call leaf, (a)' in 'k' is the micro-op 'call, site 0, function "
            "0', which has no list of its arguments");
    MESSAGE(((PtxCopy *)x.calls[0]->arguments)->to, 13,
            "test.ptx:24: 'call leaf, (a)' in 'k' is the micro-op 'call, site 0, function "
            "0', whose argument 0 copies 4 bytes from byte 0 to byte 13: expected within 32 "
            "and 16 bytes, the parameters of the two frames");
    MESSAGE(x.calls[1]->variable.from, 99,
            "test.ptx:25: 'call deep, (a, more)' in 'k' is the micro-op 'call, site 1, "
            "function 1', whose variadic arguments have 8 bytes at byte 99: expected within "
            "32 bytes of the caller's parameters and 512 bytes of the callee's local memory");
    MESSAGE(x.k->allocates, false,
            "test.ptx:25: 'call deep, (a, more)' in 'k' is the micro-op 'call, site 1, "
            "function 1', which calls a function that uses alloca: expected 'k' to have a "
            "stack");
    MESSAGE(x.leaf->max_call_depth, 0,
            "test.ptx:24: 'call leaf, (a)' in 'k' is the micro-op 'call, site 0, function "
            "0', which reaches a recursion: expected 'k' to have no maximum depth of calls, "
            "found 2");
    MESSAGE(x.k->max_call_slots, x.k->frame_slots,
            "test.ptx:25: 'call deep, (a, more)' in 'k' is the micro-op 'call, site 1, "
            "function 1', whose chain of calls needs 14 register slots: expected at most 10, "
            "the maximum of 'k'");
    MESSAGE(x.calls[2]->argument_count, 1,
            "test.ptx:26: 'call (a), vprintf, (b, b)' in 'k' is the micro-op 'call.printf, "
            "site 2', with 1 arguments and 1 results: expected 2 and 1, as vprintf has");
    MESSAGE(((PtxCopy *)x.calls[2]->arguments)->bytes, 16,
            "test.ptx:26: 'call (a), vprintf, (b, b)' in 'k' is the micro-op 'call.printf, "
            "site 2', whose argument 0 has 16 bytes at byte 8: expected 8 bytes within 32, "
            "the parameters of the frame");
    MESSAGE(((PtxCopy *)x.calls[2]->results)->to, 99,
            "test.ptx:26: 'call (a), vprintf, (b, b)' in 'k' is the micro-op 'call.printf, "
            "site 2', whose result 0 has 4 bytes at byte 99: expected 4 bytes within 32, the "
            "parameters of the frame");
    MESSAGE(x.m->heap, false,
            "test.ptx:27: 'call free, (b)' in 'k' is the micro-op 'call.free, site 3', which "
            "uses the heap: expected a module that has one");
    MESSAGE(x.calls[4]->signature, 99,
            "test.ptx:30: 'call %rd2, (a), P' in 'k' is the micro-op 'call s2:3, site 4', "
            "with the signature 99 and the callee 4294967295: expected a signature up to 3 "
            "and no callee");
    ptx_free(x.m);
}

static void test_module(void **state)
{
    (void)state;
    Module x = make();
    MESSAGE(x.leaf->name, NULL,
            "test.ptx: the function 0 has no name or no file");
    MESSAGE(x.leaf->ops, NULL,
            "test.ptx:7: the function 'leaf' lacks instructions, or what belongs to them");
    MESSAGE(((PtxRegister *)x.k->names)->name, NULL,
            "test.ptx:13: the function 'k' has a register 0 without a name or a type");
    MESSAGE(x.leaf->frame_slots, OPERAND_CONST,
            "test.ptx:7: the function 'leaf' has register slots 32768: expected 0 to 32767");
    MESSAGE(((PtxParam *)x.k->params)->name, NULL,
            "test.ptx:13: the function 'k' has a parameter 0 without a name or a type");
    MESSAGE(((PtxParam *)x.k->params)->offset, 1,
            "test.ptx:13: the function 'k' has a parameter 'p' of 8 bytes at byte 1: "
            "expected within 8 bytes");
    MESSAGE(x.m->variables[0].space, SPACE_LOCAL,
            "test.ptx:10: the variable 'g' has the space 4: expected .global, .const or "
            ".shared");
    MESSAGE(x.m->variables[0].initial_bytes, 9,
            "test.ptx:10: the variable 'g' has initial bytes 9: expected at most as many as it "
            "has bytes");
    MESSAGE(x.m->variables[2].initial, text,
            "test.ptx:12: the variable 's' has initial bytes 0: expected no initialiser in "
            ".shared memory");
    MESSAGE(x.m->variables[0].texture, true,
            "test.ptx:10: the variable 'g' has bytes 8: expected a texture reference, which "
            "has none");
    MESSAGE(x.m->variables[1].address, 1,
            "test.ptx:11: the variable 'c' has its last byte in the constant bank at 17: "
            "expected it inside the bank");
    MESSAGE(x.m->variables[2].address, UINT32_MAX,
            "test.ptx:12: the variable 's' has its last byte in shared memory at 4294967311: "
            "expected it below 4 GiB");
    MESSAGE(x.m->variables[2].name, NULL,
            "test.ptx:12: a variable without a name");
    MESSAGE(x.m->const_bytes, 65537,
            "test.ptx: a constant bank of 65537 bytes: expected at most 65536");
    MESSAGE(x.m->relocations[0].variable, 9,
            "test.ptx: the relocation 0 is to the variable 9: expected a .global one below 3");
    MESSAGE(x.m->relocations[0].slot, 1,
            "test.ptx: the relocation 0 of 'g' puts 8 bytes of the address, from bit 0 on, "
            "at byte 1 of 'g': expected within its initialiser");
    MESSAGE(x.m->tables[0].targets, NULL,
            "test.ptx: the branch table 0 has no targets");
    ptx_free(x.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
