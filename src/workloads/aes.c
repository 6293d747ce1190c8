// Encryption by AES: the host program. It expands the key. Every byte of the answer is compared
// with the CPU's.
#include "base/random.h"
#include "workloads/aes_cipher.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

// Stream number of the bytes drawn (base/random.h).
enum { RANDOM_USER_AES = 0x41455331 };

enum { STATES, SEED };
enum { COLUMNS = 4 }; // of a state, each a word

static const HdParameter parameters[] = {
    [STATES] = {.name = "states", .description = "parts of 16 bytes to encrypt", .value = 16448,
                .min = 1, .max = 1 << 27, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the key and the plain text; 0: the key is 00 01 ... 0f, and each "
                           "state 00 11 ... ff, as in FIPS 197, for results known by hand"),
    {0},
};

// Stream 0 is the key, stream 1 the plain text.
static void draw_bytes(uint8_t *bytes, uint64_t count, uint64_t seed, uint32_t which)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t known = i % AES_BYTES * (which ? 0x11 : 1);
        bytes[i] = (uint8_t)(seed ? random_draw(seed, RANDOM_USER_AES, which, i) : known);
    }
}

static void check(Program *program, const AesCipher *aes, const uint8_t *plain,
                  const uint8_t *cipher, uint32_t states)
{
    for (uint64_t at = 0; at < (uint64_t)states * AES_BYTES; at += AES_BYTES) {
        uint8_t expected[AES_BYTES];
        aes_cipher_encrypt(aes, expected, &plain[at]);
        for (uint64_t i = 0; i < AES_BYTES; i++)
            if (cipher[at + i] != expected[i])
                program_mismatch(program, "byte %llu of cipher is 0x%02x: expected 0x%02x",
                                 (unsigned long long)(at + i), cipher[at + i], expected[i]);
    }
}

// The sum of all words, with the first byte of each as the highest.
static uint64_t sum_words(const uint8_t *bytes, uint32_t states)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; bytes && i < (uint64_t)states * AES_BYTES; i++)
        sum += (uint64_t)bytes[i] << 8 * (3 - i % sizeof(uint32_t));
    return sum;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t states = (uint32_t)input->parameters[STATES], block = input->block;
    uint64_t seed = (uint64_t)input->parameters[SEED], bytes = (uint64_t)states * AES_BYTES;
    if (block % COLUMNS)
        program_fail(&program, "blocks of %u threads are not whole states: expected --block to be "
                               "a multiple of %d for this workload", block, COLUMNS);
    uint8_t key[AES_BYTES];
    AesCipher aes;
    draw_bytes(key, AES_BYTES, seed, 0);
    aes_cipher_begin(&aes, key);
    uint8_t *plain = program_scratch(&program, bytes, 1);
    uint8_t *cipher = program_scratch(&program, bytes, 1);
    if (plain) draw_bytes(plain, bytes, seed, 1);
    HdAddress to_plain = program_array(&program, "plain", plain, bytes);
    HdAddress to_key = program_array(&program, "round_key", aes.round_key, AES_KEY_BYTES);
    HdAddress to_cipher = program_array(&program, "cipher", NULL, bytes);
    program.dynamic_shared = 2 * sizeof(uint32_t) * (uint64_t)block;
    PROGRAM_LAUNCH(&program, "aes_encrypt", (uint64_t)states * COLUMNS,
                   (WorkCounters){.active_vertices = states}, hd_buffer(to_plain),
                   hd_buffer(to_cipher), hd_buffer(to_key), hd_i32((int32_t)(states * COLUMNS)));
    if (program_read(&program, cipher, to_cipher, bytes))
        check(&program, &aes, plain, cipher, states);
    program_answer(&program, "sum", sum_words(cipher, states));
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("column", aes, run,
        "GPGPU-Sim (Bakhoda et al., ISPASS 2009), AES (AES of yilmazer2020gw)",
        "one thread per column of a state, with tables of products in shared memory"),
    {0},
};

const Workload workload_aes = {
    .name = "aes",
    .doc = "encrypts a text by AES with a key of 128 bits",
    .answer = "sum: of the words, the first byte of each as the highest",
    .check = "each byte, exactly, with AES after FIPS 197, which shares no table with the kernel",
    .small = "states=300",
    .implementations = implementations,
    .parameters = parameters,
};
