/* What is compiled for each level: included by levels.h. */
#include "rows_block.h"

#include "move_block.h"
#include "f32_block.h"
#include "f64_block.h"
#include "half_block.h"
