"""Layouts in the words of others: CuTe, Triton and TMA, read and written."""
