// For programs that include it by this name.
#include <stdint.h>
