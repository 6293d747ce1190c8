// Machine code of ptxas: runs it, reads its file and decodes instructions. The encoding is not
// documented; the fields needed here were found from programs with known operations.
#include "sass.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ops_add(Ops *ops, const char *name, bool minus_product, bool minus_addend, double literal)
{
    if (ops->count == OPS_WORDS) return;
    char *word = ops->words[ops->count++], number[16] = "";
    if (literal != 0) snprintf(number, sizeof number, "(%g)", literal);
    snprintf(word, OPS_WORD, "%s%s%s%s", name, minus_product ? ".-ab" : "",
             minus_addend ? ".-c" : "", number);
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

void ops_text(Ops *ops, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    qsort(ops->words, ops->count, OPS_WORD, by_text);
    for (unsigned i = 0; i < ops->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", ops->words[i]);
}

bool ptxas_run(const char *ptx, const char *cubin, char *version, size_t size)
{
    char command[2048];
    snprintf(command, sizeof command,
             "P=$(command -v ptxas || command -v /usr/local/cuda/bin/ptxas) || exit 1\n"
             "\"$P\" -arch sm_75 -o '%s' '%s' || exit 1\n"
             "\"$P\" --version | sed -n 's/.*release.*, V//p'", cubin, ptx);
    FILE *out = popen(command, "r");
    if (!out) return false;
    version[0] = 0;
    if (fgets(version, (int)size, out)) version[strcspn(version, "\n")] = 0;
    return pclose(out) == 0;
}

// ---- instructions of 128 bits ----

static uint64_t bits(const uint64_t word[2], unsigned at, unsigned count)
{
    return word[at / 64] >> (at % 64) & ((UINT64_C(1) << count) - 1);
}

static void decode(const uint64_t word[2], Ops *ops)
{
    static const struct {
        unsigned opcode;
        const char *name;
        unsigned minus_c; // the bit that negates the addend; 0: there is none
    } known[] = {
        {0x20, "FMUL", 0}, {0x21, "FADD", 0}, {0x23, "FFMA", 75}, {0x28, "DMUL", 0},
        {0x29, "DADD", 0}, {0x2b, "DFMA", 75}, {0x30, "HADD2", 0}, {0x31, "HFMA2", 84},
        {0x32, "HMUL2", 0},
    };
    enum { REGISTERS = 1, LITERAL_B = 4 }; // where operand b is
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].opcode != bits(word, 0, 9)) continue;
        unsigned form = (unsigned)bits(word, 9, 3);
        bool fused = known[i].minus_c, minus_product = false;
        double literal = 0;
        if (fused) minus_product = bits(word, 72, 1) ^ (form == REGISTERS ? bits(word, 63, 1) : 0);
        if (form == LITERAL_B && (fused || strstr(known[i].name, "MUL"))) {
            uint32_t half = (uint32_t)bits(word, 32, 31);
            uint64_t whole = (uint64_t)half << 32;
            float single;
            memcpy(&single, &half, sizeof single);
            memcpy(&literal, &whole, sizeof literal);
            if (known[i].name[0] == 'F') literal = (double)single;
            if (fused) minus_product ^= bits(word, 63, 1);
        }
        ops_add(ops, known[i].name, minus_product, fused && bits(word, known[i].minus_c, 1),
                literal);
    }
}

bool sass_ops(const uint8_t *cubin, size_t size, const char *kernel, Ops *ops)
{
    Elf64_Ehdr file;
    Elf64_Shdr section, names;
    char wanted[64];
    snprintf(wanted, sizeof wanted, ".text.%s", kernel);
    if (size < sizeof file) return false;
    memcpy(&file, cubin, sizeof file);
    if (memcmp(file.e_ident, ELFMAG, SELFMAG) || file.e_shoff > size ||
        (uint64_t)file.e_shnum * sizeof section > size - file.e_shoff ||
        file.e_shstrndx >= file.e_shnum)
        return false;
    memcpy(&names, cubin + file.e_shoff + file.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 0; i < file.e_shnum; i++) {
        memcpy(&section, cubin + file.e_shoff + i * sizeof section, sizeof section);
        uint64_t name = names.sh_offset + section.sh_name;
        if (name + strlen(wanted) >= size || strcmp((const char *)cubin + name, wanted)) continue;
        if (section.sh_offset > size || section.sh_size > size - section.sh_offset) return false;
        for (uint64_t at = 0; at + 16 <= section.sh_size; at += 16) {
            uint64_t word[2];
            memcpy(word, cubin + section.sh_offset + at, sizeof word);
            decode(word, ops);
        }
        return true;
    }
    return false;
}
