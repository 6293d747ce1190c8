// The C++ library's header writes __attribute__((__noinline__)), which a macro of that name breaks:
// this header undefines the macro meanwhile.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")
