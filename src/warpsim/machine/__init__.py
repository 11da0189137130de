"""What the assembler makes of the accesses of a PTX text."""
