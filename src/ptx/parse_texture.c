// Parses the brackets of texture fetches, surface accesses and queries: an object's handle in a
// register, or a texture reference of the module; and coordinates.
#include "ptx/internal.h"

enum { TUPLE = 4 }; // the most elements in braces; those after the coordinates are ignored

// name = register | NAME
static bool parse_name(Parser *p, Instruction *in)
{
    Token name = p->token;
    const Symbol *symbol =
        name.kind == TOKEN_NAME ? scope_find(p->scope, name.text, name.length) : NULL;
    bool variable = symbol && symbol->kind == SYMBOL_VARIABLE;
    if (!variable) return parse_register(p, PTX_U64, false, &in->src[0], NULL);
    if (!p->variables[symbol->number].v.texture)
        return ptx_fail(p, &name, "'%s': expected a texture reference", symbol->name);
    lex_next(p);
    return constant_add(p, 0, 2, symbol->number, &in->src[0]);
}

// query = "[" name "]"
bool parse_texture_name(Parser *p, Instruction *in)
{
    return expect_char(p, '[') && parse_name(p, in) && expect_char(p, ']');
}

// tuple = coordinate | "{" coordinate ("," coordinate)* "}"
// For layers, the first coordinate is the layer's index.
static bool parse_coordinates(Parser *p, unsigned shape, PtxType type, Value *values)
{
    bool layers = shape == TEX_LAYERS_1D || shape == TEX_LAYERS_2D || shape == TEX_CUBES;
    unsigned needed = texture_coordinates(shape), count = 0;
    Token at = p->token;
    bool braces = accept_char(p, '{');
    do {
        Value value;
        PtxType declared;
        if (count == TUPLE)
            return ptx_fail(p, &p->token, "expected at most %d coordinates", TUPLE);
        if (!parse_source(p, layers && !count ? PTX_U32 : type, false, &value, &declared))
            return false;
        if (count < needed) values[count] = value;
        count++;
    } while (braces && accept_char(p, ','));
    if (count < needed)
        return ptx_fail(p, &at, "%u coordinates: expected %u", count, needed);
    return !braces || expect_char(p, '}');
}

// fetch = "[" name "," tuple "]"
bool parse_texture(Parser *p, Instruction *in)
{
    const UOp *op = &in->op;
    bool flat = op->modifier == TEX_2D || op->modifier == TEX_LAYERS_2D ||
                op->modifier == TEX_CUBE || op->modifier == TEX_CUBES;
    if (op->vec != 4)
        return ptx_fail(p, &in->at, "a fetch of %u values: expected four, .v4 {a, b, c, d}",
                        op->vec);
    if (op->flags & UF_GATHER && !flat)
        return ptx_fail(p, &in->at, "wrong geometry of tld4: expected .2d, .a2d, .cube or .acube");
    bool cube = op->modifier == TEX_CUBE || op->modifier == TEX_CUBES;
    if (cube && op->type2 != PTX_F32)
        return ptx_fail(p, &in->at, "a cube with coordinates of type .%s: expected .f32",
                        ptx_type_name((PtxType)op->type2));
    in->op.space = SPACE_GLOBAL;
    return expect_char(p, '[') && parse_name(p, in) && expect_char(p, ',') &&
           parse_coordinates(p, op->modifier, (PtxType)op->type2, in->src + 1) &&
           expect_char(p, ']');
}

// access = "[" name "," tuple "]"
bool parse_surface(Parser *p, Instruction *in)
{
    unsigned shape = surface_shape(&in->op);
    if (shape == TEX_CUBE || shape == TEX_CUBES)
        return ptx_fail(p, &in->at,
                        "wrong geometry of a surface: expected .1d, .2d, .3d, .a1d or .a2d");
    for (unsigned i = 0; i < SURFACE_COORDINATES; i++) in->coordinates[i] = VALUE_NONE;
    in->op.space = SPACE_GLOBAL;
    return expect_char(p, '[') && parse_name(p, in) && expect_char(p, ',') &&
           parse_coordinates(p, shape, PTX_S32, in->coordinates) && expect_char(p, ']');
}

// Parses a level of detail. It is dropped for .acube, whose coordinates use all operands; textures
// have one level only.
bool parse_level(Parser *p, PtxType type, Value *value)
{
    Value level;
    PtxType declared;
    if (!parse_source(p, type, false, &level, &declared)) return false;
    if (*value == VALUE_NONE) *value = level;
    return true;
}

// gradient = value | "{" value ("," value)* "}"
// Ignored, because textures have one level only.
bool parse_gradient(Parser *p)
{
    Value value;
    PtxType declared;
    bool braces = accept_char(p, '{');
    do {
        if (!parse_source(p, PTX_F32, false, &value, &declared)) return false;
    } while (braces && accept_char(p, ','));
    return !braces || expect_char(p, '}');
}
