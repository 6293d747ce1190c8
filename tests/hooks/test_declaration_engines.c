// Declarations of mechanisms with engines: accepted, or rejected with a message that says what is
// expected.
#include "hooks/declaration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { READS, FROM_LEFT };

static bool take_request(HdPlace *place, const HdEngineRequest *request)
{
    (void)place;
    (void)request;
    return true;
}
static void on_data(HdPlace *place, const HdEngineData *data)
{
    (void)place;
    (void)data;
}
static uint64_t on_cycle(HdPlace *place, uint64_t cycle)
{
    (void)place;
    (void)cycle;
    return UINT64_MAX;
}
static uint32_t execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                        HdEngineReply *reply)
{
    (void)place;
    (void)request;
    (void)reply;
    return lanes;
}

static const HdParameter parameters[] = {
    {.name = "places", .description = "of a queue", .value = 4, .min = 1, .max = 8,
     .kind = HD_WHOLE},
    {0}};
#define ROW_OF_READS {"reads", HD_EACH_L2, 0, HD_READS, HD_READ_BITS(8), sizeof(HdReadEntry)}
#define ROW_OF_LINK {"from the left", HD_EACH_L2, 0, HD_FROM_PREVIOUS, 32, 4}
static const HdStructure structures[] = {ROW_OF_READS, ROW_OF_LINK, {0}};
static const HdEngineInstruction instructions[] = {
    {"ask", "r", 0, "Asks."}, {"ask.twice", "prrr", 64, "Asks twice."}, {0}};

static HdMechanism whole(void)
{
    return (HdMechanism){.name = "asked", .description = "Answers.", .paper = "none",
                         .parameters = parameters, .structures = structures,
                         .instructions = instructions,
                         .engine = {take_request, on_data, on_cycle, execute}};
}

static void refused(HdMechanism mechanism, const char *message)
{
    HdError err = {0};
    if (declaration_check(&mechanism, &err)) fail_msg("not refused: %s", message);
    if (!strstr(err.text, message)) fail_msg("%s\nnot: %s", err.text, message);
}

static void taken(HdMechanism mechanism)
{
    HdError err = {0};
    if (!declaration_check(&mechanism, &err)) fail_msg("%s", err.text);
}

static void test_taken(void **state)
{
    (void)state;
    taken(whole());
    HdMechanism m = whole();
    m.instructions = NULL; // it works without requests
    m.engine = (HdEngineHooks){.on_cycle = on_cycle, .on_data = on_data};
    taken(m);
}

static void refuse_instruction(HdEngineInstruction instruction, const char *message)
{
    HdMechanism m = whole();
    const HdEngineInstruction list[] = {{"ask", "r", 0, "Asks."}, instruction, {0}};
    m.instructions = list;
    refused(m, message);
}

static void test_instructions(void **state)
{
    (void)state;
    const char *name = "expected words of letters, digits and _, with a dot between two";
    refuse_instruction((HdEngineInstruction){"ask me", "r", 0, "Asks."}, name);
    refuse_instruction((HdEngineInstruction){"ask.", "r", 0, "Asks."}, name);
    refuse_instruction((HdEngineInstruction){".ask", "r", 0, "Asks."}, name);
    refuse_instruction((HdEngineInstruction){"ask..me", "r", 0, "Asks."}, name);
    refuse_instruction((HdEngineInstruction){"2ask", "r", 0, "Asks."}, name);
    refuse_instruction((HdEngineInstruction){"ask", "p", 0, "Asks."},
                       "instruction ask is given twice");
    const char *registers = "instruction b: .registers: expected a 'p' or none, and up to 3 'r'";
    refuse_instruction((HdEngineInstruction){"b", NULL, 0, "Asks."}, registers);
    refuse_instruction((HdEngineInstruction){"b", "", 0, "Asks."}, registers);
    refuse_instruction((HdEngineInstruction){"b", "rp", 0, "Asks."}, registers);
    refuse_instruction((HdEngineInstruction){"b", "rrrr", 0, "Asks."}, registers);
    refuse_instruction((HdEngineInstruction){"b", "p", 1025, "Asks."},
                       "instruction b: .request_bits = 1025: expected at most 1024");
    refuse_instruction((HdEngineInstruction){"b", "p", 0, ""},
                       "instruction b: .description is missing: expected a sentence");
    HdEngineInstruction many[34] = {{0}};
    static char names[33][4];
    for (int i = 0; i < 33; i++) {
        memcpy(names[i], "aa", 3);
        names[i][0] = (char)('a' + i % 26);
        names[i][1] = (char)('a' + i / 26);
        many[i] = (HdEngineInstruction){names[i], "r", 0, "Asks."};
    }
    HdMechanism m = whole();
    m.instructions = many;
    refused(m, "it has 33 instructions: expected at most 32");
    many[32] = (HdEngineInstruction){0};
    taken(m);
}

static void test_hooks(void **state)
{
    (void)state;
    const char *asks = "instructions ask an engine: expected .instructions, .engine.take_request "
                       "and .engine.execute";
    HdMechanism m = whole();
    m.engine.execute = NULL;
    refused(m, asks);
    m = whole();
    m.engine.take_request = NULL;
    refused(m, asks);
    m = whole();
    m.instructions = NULL;
    refused(m, asks);
    m = whole();
    m.structures = NULL;
    m.engine.on_data = NULL;
    m.engine.on_cycle = NULL;
    refused(m, "it has an engine: expected .engine.on_cycle");
    m = whole();
    m.instrument = true;
    refused(m, "it is an instrument, which must not have an engine");
}

static void refuse_structures(const HdStructure *list, const char *message)
{
    HdMechanism m = whole();
    m.structures = list;
    refused(m, message);
}

static void test_structures(void **state)
{
    (void)state;
    const char *place = "an engine at a slice uses it: expected HD_EACH_L2, and .engine.on_cycle";
    refuse_structures(
        (const HdStructure[]){ROW_OF_READS, {"x", HD_EACH_L1, 0, HD_FROM_NEXT, 32, 4}, {0}}, place);
    refuse_structures(
        (const HdStructure[]){
            {"x", HD_EACH_CACHE, 0, HD_READS, HD_READ_BITS(8), sizeof(HdReadEntry)}, {0}}, place);
    HdMechanism m = whole();
    m.instructions = NULL;
    m.engine = (HdEngineHooks){0};
    refused(m, place);
    refuse_structures(
        (const HdStructure[]){ROW_OF_READS, {"x", HD_EACH_L2, 7, HD_FROM_NEXT, 32, 4}, {0}},
        "structure x: its entries are given by parameter number 7: expected the index of a "
        "parameter");
    const char *reads = "expected one structure of extent HD_READS, of type HdReadEntry and "
                        "HD_READ_BITS(bits of a tag) bits";
    refuse_structures((const HdStructure[]){ROW_OF_READS, ROW_OF_READS, {0}}, reads);
    refuse_structures(
        (const HdStructure[]){{"x", HD_EACH_L2, 0, HD_READS, HD_READ_BITS(0) - 1,
                               sizeof(HdReadEntry)}, {0}}, reads);
    refuse_structures(
        (const HdStructure[]){{"x", HD_EACH_L2, 0, HD_READS, HD_READ_BITS(33),
                               sizeof(HdReadEntry)}, {0}}, reads);
    refuse_structures((const HdStructure[]){{"x", HD_EACH_L2, 0, HD_READS, 64, 8}, {0}}, reads);
    const char *data = ".engine.on_data gets what hd_read_line reads: expected both the hook and a "
                       "structure of extent HD_READS";
    refuse_structures((const HdStructure[]){ROW_OF_LINK, {0}}, data);
    m = whole();
    m.engine.on_data = NULL;
    refused(m, data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken), cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_hooks), cmocka_unit_test(test_structures)};
    return cmocka_run_group_tests_name("declarations of engines", tests, NULL, NULL);
}
