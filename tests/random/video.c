// Video instructions on one element: making, writing and computing them (PTX ISA, "Scalar Video
// Instructions").
#include "generate.h"
#include "print.h"
#include "values.h"

static const char *const names[] = {"vadd", "vsub",  "vabsdiff", "vmin",
                                    "vmax", "vshl", "vshr",     "vset"};
enum { VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET, VIDEO_OPERATIONS };
static const char *const selectors[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
enum { SELECTORS = 7, FIRST_HALF = 5 };
static const char *const seconds[] = {"", ".add", ".min", ".max"};

Statement *make_video(Context *x)
{
    Statement *s = new_statement(x, VIDEO);
    Choices *c = x->c;
    if (!s) return NULL;
    s->mode = choose(c, VIDEO_OPERATIONS);
    VideoForm *v = &s->video;
    s->type = choose_chance(c, 50) ? T_S32 : T_U32;
    v->a = choose_chance(c, 50) ? T_S32 : T_U32;
    v->b = choose_chance(c, 50) && s->mode != VSHL && s->mode != VSHR ? T_S32 : T_U32;
    v->wraps = choose_chance(c, 50);
    if (s->mode == VSET) s->type = T_U32;
    s->comparison = (Comparison)choose(c, GE + 1);
    s->saturate = s->mode != VSET && choose_chance(c, 40);
    v->select_a = (uint8_t)choose(c, SELECTORS);
    v->select_b = (uint8_t)choose(c, SELECTORS);
    unsigned third = choose(c, 3); // none, a second operation, a field of c is replaced
    if (third == 1) v->second = (uint8_t)(1 + choose(c, 3));
    if (third == 2) v->select_to = (uint8_t)(1 + choose(c, SELECTORS - 1));
    for (unsigned i = 0; i < 3; i++) s->from[i] = choose_register(x, T_B32);
    s->to[0] = choose_target(x, T_B32);
    choose_guard(x, s);
    return s;
}

void print_video(Printer *w, const Statement *s)
{
    const VideoForm *v = &s->video;
    fprintf(w->out, "    %s%s", guard_name(s).text, names[s->mode]);
    if (s->mode != VSET) fprintf(w->out, ".%s", types[s->type].name);
    fprintf(w->out, ".%s.%s", types[v->a].name, types[v->b].name);
    if (s->mode == VSET) fputs(comparison_names[s->comparison], w->out);
    if (s->saturate) fputs(".sat", w->out);
    if (s->mode == VSHL || s->mode == VSHR) fputs(v->wraps ? ".wrap" : ".clamp", w->out);
    fprintf(w->out, "%s %s%s, %s%s, %s%s", seconds[v->second],
            register_name(BANK_32, s->to[0]).text, selectors[v->select_to],
            source_name(&s->from[0], T_B32).text, selectors[v->select_a],
            source_name(&s->from[1], T_B32).text, selectors[v->select_b]);
    if (v->second || v->select_to)
        fprintf(w->out, ", %s", source_name(&s->from[2], T_B32).text);
    fputs(";\n", w->out);
}

// The selected field, extended by the type's sign.
static int64_t field(uint64_t value, Type type, unsigned selector)
{
    unsigned bits = !selector ? 32 : selector < FIRST_HALF ? 8 : 16;
    if (selector)
        value >>= selector < FIRST_HALF ? 8 * (selector - 1) : 16 * (selector - FIRST_HALF);
    return type == T_S32 ? as_signed(value, bits) : (int64_t)low_bits(value, bits);
}

static int64_t clamped(int64_t value, Type type, unsigned selector)
{
    unsigned bits = !selector ? 32 : selector < FIRST_HALF ? 8 : 16;
    int64_t least = type == T_S32 ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (bits - (type == T_S32))) - 1;
    return value < least ? least : value > most ? most : value;
}

static int64_t compute(const Statement *s, int64_t a, int64_t b)
{
    static const bool results[][3] = { // by comparison: less, equal, greater
        {0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    if (s->mode == VSHL || s->mode == VSHR) b = s->video.wraps ? b & 31 : b > 32 ? 32 : b;
    switch (s->mode) {
    case VADD: return a + b;
    case VSUB: return a - b;
    case VABSDIFF: return a < b ? b - a : a - b;
    case VMIN: return a < b ? a : b;
    case VMAX: return a < b ? b : a;
    case VSHL: return b == 32 ? (a < 0 ? INT64_MIN : a > 0 ? INT64_MAX - UINT32_MAX : 0)
                              : a * (INT64_C(1) << b);
    case VSHR: return a >> b;
    default: return results[s->comparison][a < b ? 0 : a == b ? 1 : 2];
    }
}

uint32_t video_value(const Statement *s, const uint64_t *from)
{
    const VideoForm *v = &s->video;
    int64_t a = field(from[0], v->a, v->select_a), b = field(from[1], v->b, v->select_b);
    int64_t value = compute(s, a, b);
    int64_t c = field(from[2], s->type, 0);
    if (s->saturate) value = clamped(value, s->type, v->select_to);
    int64_t word = field((uint64_t)value, s->type, 0);
    if (v->second == 1) return (uint32_t)(word + c);
    if (v->second == 2) return (uint32_t)(word < c ? word : c);
    if (v->second == 3) return (uint32_t)(word < c ? c : word);
    if (!v->select_to) return (uint32_t)word;
    bool byte = v->select_to < FIRST_HALF;
    unsigned at = byte ? 8u * (v->select_to - 1u) : 16u * (v->select_to - (unsigned)FIRST_HALF);
    uint32_t mask = (byte ? 0xffu : 0xffffu) << at;
    return ((uint32_t)c & ~mask) | ((uint32_t)word << at & mask);
}
