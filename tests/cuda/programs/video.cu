// Video intrinsics: functions of the two half-words or four bytes of a word (__vadd4, __vcmpgtu2,
// ...), on extreme and random words, compared with plain arithmetic of the elements.
#include "check.h"

#include <algorithm>

enum { WORDS = 512 };

// Each function with an expression of its element: s and t are the signed elements of the
// arguments, u and v the unsigned ones, and TOP is the largest unsigned one.
#define BINARY(X)                                                                                  \
    X(add, s + t) X(addss, clip(s + t)) X(addus, std::min(u + v, TOP)) X(sub, s - t)               \
    X(subss, clip(s - t)) X(subus, std::max(u - v, 0)) X(maxs, std::max(s, t))                     \
    X(maxu, std::max(u, v)) X(mins, std::min(s, t)) X(minu, std::min(u, v))                        \
    X(avgu, (u + v + 1) / 2) X(haddu, (u + v) / 2) X(avgs, (s + t + (s + t >= 0)) >> 1)            \
    X(absdiffs, std::abs(s - t)) X(absdiffu, std::abs(u - v)) X(cmpeq, -(u == v))                  \
    X(cmpne, -(u != v)) X(cmpges, -(s >= t)) X(cmpgeu, -(u >= v)) X(cmpgts, -(s > t))              \
    X(cmpgtu, -(u > v)) X(cmples, -(s <= t)) X(cmpleu, -(u <= v)) X(cmplts, -(s < t))              \
    X(cmpltu, -(u < v)) X(seteq, u == v) X(setne, u != v) X(setges, s >= t) X(setgeu, u >= v)      \
    X(setgts, s > t) X(setgtu, u > v) X(setles, s <= t) X(setleu, u <= v) X(setlts, s < t)         \
    X(setltu, u < v)
#define UNARY(X) X(abs, std::abs(s)) X(absss, clip(std::abs(s))) X(neg, -s) X(negss, clip(-s))
// Sums over the elements.
#define SUMS(X) X(sads, std::abs(s - t)) X(sadu, std::abs(u - v))

struct Results {
#define MEMBER(name, value) unsigned name[2]; // of half-words and of bytes
    BINARY(MEMBER) UNARY(MEMBER) SUMS(MEMBER)
#undef MEMBER
};

__global__ void run(const uint2 *words, Results *results)
{
    unsigned a = words[threadIdx.x].x, b = words[threadIdx.x].y;
    Results *r = results + threadIdx.x;
#define CALL(name, value)                                                                          \
    r->name[0] = __v##name##2(a, b);                                                               \
    r->name[1] = __v##name##4(a, b);
    BINARY(CALL) SUMS(CALL)
#undef CALL
#define CALL(name, value)                                                                          \
    r->name[0] = __v##name##2(a);                                                                  \
    r->name[1] = __v##name##4(a);
    UNARY(CALL)
#undef CALL
}

static int wrong;
static void expect(const char *name, unsigned is, unsigned expected, uint2 of)
{
    if (is != expected && wrong++ < 20)
        printf("%s(%08x, %08x) = %08x: expected %08x\n", name, of.x, of.y, is, expected);
}

template <int BITS> static void check(uint2 of, const Results &r)
{
    constexpr int TOP = (1 << BITS) - 1;
    constexpr int which = BITS == 8;
    auto part = [](unsigned word, int i) { return (int)(word >> i * BITS) & TOP; };
    auto negative = [](int value) { return value > TOP / 2 ? value - TOP - 1 : value; };
    auto clip = [](int value) { return std::max(-TOP / 2 - 1, std::min(value, TOP / 2)); };
#define CHECK(name, value, combined)                                                               \
    {                                                                                              \
        unsigned word = 0;                                                                         \
        for (int i = 0; i < 32 / BITS; i++) {                                                      \
            int u = part(of.x, i), v = part(of.y, i), s = negative(u), t = negative(v);            \
            (void)u, (void)v, (void)s, (void)t;                                                    \
            unsigned element = (unsigned)(value);                                                  \
            word = combined;                                                                       \
        }                                                                                          \
        expect("__v" #name, r.name[which], word, of);                                              \
    }
#define CHECK_ELEMENTS(name, value) CHECK(name, value, word | (element & TOP) << i * BITS)
#define CHECK_SUM(name, value) CHECK(name, value, word + element)
    BINARY(CHECK_ELEMENTS) UNARY(CHECK_ELEMENTS) SUMS(CHECK_SUM)
    (void)clip;
}

int main()
{
    static const unsigned extreme[] = {0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080,
                                       0x7f7f7f7f, 0x01010101, 0x80017ffe, 0xff00ff00};
    std::vector<uint2> words;
    for (unsigned a : extreme)
        for (unsigned b : extreme) words.push_back(make_uint2(a, b));
    Random random(3);
    while (words.size() < WORDS) words.push_back(make_uint2(random.next(), random.next()));
    Buffer<uint2> in(words);
    Buffer<Results> out(WORDS);
    run<<<1, WORDS>>>(in, out);
    LAUNCHED();
    std::vector<Results> results = out.get();
    for (int i = 0; i < WORDS; i++) {
        check<16>(words[i], results[i]);
        check<8>(words[i], results[i]);
    }
    return verdict(!wrong, "%d words, %d wrong", WORDS, wrong);
}
