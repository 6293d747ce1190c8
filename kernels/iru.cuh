// Loads of elements that the mechanism `iru` has reordered: segura2022iru, section 4.
//
// The host has configured an array of indices, and perhaps a secondary array beside it. Each thread
// with an index below their length executes one of these loads once, and gets any element, which no
// other thread gets. false: there is no element for it, because elements were merged, and it must
// skip what it would do with one; the other results are then undefined. The position is that of
// the element in the arrays.
//
// An asm statement has no operands that are predicates: hence selp.
#ifndef HEDDLE_IRU_CUH
#define HEDDLE_IRU_CUH

#include "heddle.cuh"

// The text of a load whose destinations are the operands of the asm statement from %1 on.
#define HEDDLE_LOAD_IRU(name, destinations)                                                        \
    "{\n\t.reg .pred %%p;\n\t" name " %%p, " destinations ";\n\tselp.u32 %0, 1, 0, %%p;\n\t}"

HEDDLE_INLINE bool load_iru(int &index)
{
    unsigned has;
    asm volatile(HEDDLE_LOAD_IRU("load_iru", "%1") : "=r"(has), "=r"(index));
    return has;
}

// The same with the element of the secondary array, a number of this type.
#define HEDDLE_LOAD_IRU_SECONDARY(type, constraint)                                                \
    HEDDLE_INLINE bool load_iru(int &index, type &secondary)                                       \
    {                                                                                              \
        unsigned has;                                                                              \
        asm volatile(HEDDLE_LOAD_IRU("load_iru.secondary", "%1, %2")                               \
                     : "=r"(has), "=r"(index), constraint(secondary));                             \
        return has;                                                                                \
    }                                                                                              \
    HEDDLE_INLINE bool load_iru(int &index, type &secondary, unsigned &position)                   \
    {                                                                                              \
        unsigned has;                                                                              \
        asm volatile(HEDDLE_LOAD_IRU("load_iru.secondary.position", "%1, %2, %3")                  \
                     : "=r"(has), "=r"(index), constraint(secondary), "=r"(position));             \
        return has;                                                                                \
    }

HEDDLE_LOAD_IRU_SECONDARY(int, "=r")
HEDDLE_LOAD_IRU_SECONDARY(unsigned, "=r")
HEDDLE_LOAD_IRU_SECONDARY(float, "=f")

HEDDLE_INLINE bool load_iru_position(int &index, unsigned &position)
{
    unsigned has;
    asm volatile(HEDDLE_LOAD_IRU("load_iru.position", "%1, %2")
                 : "=r"(has), "=r"(index), "=r"(position));
    return has;
}

#endif
