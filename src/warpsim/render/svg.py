def fragment(c): return str(c)
def bank_report(c): return str(c)
