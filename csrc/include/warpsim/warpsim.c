/* The compiled unit: the one file of a program whose other files are compiled with WARPSIM_COMPILED. C, and valid C++. */
#define WARPSIM_IMPLEMENTATION
#include <warpsim/mma.h>
#include <warpsim/warpsim.h>
