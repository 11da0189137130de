/* The second translation unit: the header once more, in one program. */
#include "embed.h"

bool ws_embed_b(embed *data) {
#include "embed.inc"
}
