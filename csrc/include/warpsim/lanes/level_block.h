/* What is compiled for each level: included by levels.h. */
#include "rows_block.h"

#include "move_block.h"
#include "compare_block.h"
#include "convert_block.h"
#include "integer_block.h"
#include "float_block.h"
