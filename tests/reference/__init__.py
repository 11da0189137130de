"""What the specification says about one warp, in plain Python and as slowly as it likes.

Every module is written from the PTX text or from measurements of an H200, one concept each, so
that a faster implementation can be compared with it. Nothing here imports that implementation.
The words are PTX's: an instruction is given by its mnemonic and its qualifiers as keywords.

forms        which forms exist, and their sizes
fragments    which element of which matrix every field of every register holds
packing      the elements of one row in memory
memory       bytes at addresses, generic addressing
matrices     ldmatrix, stmatrix, movmatrix
plain        ld, st, cp.async
traffic      wavefronts, conflicts, sectors
cost         cycles of an instruction, of a straight-line program; what a main loop asks for
layouts      padding, swizzle, packed and sub-byte elements in memory
tiles        how warps cover a tile, and which layouts of it are legal and best
undefined    which addresses and masks are undefined behaviour
legality     which target and PTX version take a form
wmma*        the same questions about wmma.load and wmma.store
"""
