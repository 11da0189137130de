"""Inputs of every case, by rule.  Pure NumPy; used by the device program and by the reference.

An operand has a class (a name such as "f32" or "sh").  A form has a signature: its classes joined by commas,
e.g. "f32,f32,f32p".  All forms of one signature get the same tuples:

    specials   the cross product of the operands' special values (list by arity: long, mid, short)
    random     words of the SplitMix stream (tests/truth/README.md): operand k of the signature s has the
               seed crc32(s) * 8 + k; tuple i takes word 2i (w, the value) and word 2i+1 (t, what to do with it)

tuples(sig) -> list of uint64 arrays, one per operand; length a multiple of 128.  Values narrower than 64 bits
are in the low bits, the rest is zero, except class i8 (a 32-bit register whose upper 24 bits are garbage).
"""
import itertools, zlib
import numpy as np

U = np.uint64
M64 = (1 << 64) - 1


def words(seed, n):
    with np.errstate(over='ignore'):
        z = U(seed & M64) + np.arange(1, n + 1, dtype=U) * U(0x9E3779B97F4A7C15)
        z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
        return z ^ (z >> U(31))


# ---------------------------------------------------------------- formats: exponent bits, mantissa bits
FMT = {'f16': (5, 10), 'bf16': (8, 7), 'f32': (8, 23), 'f64': (11, 52)}


def enc(fmt, v):
    """bits of the Python float v in fmt, truncated toward zero (only used for constants)."""
    eb, mb = FMT[fmt]
    b = int(np.array(abs(v), np.float64).view(np.uint64))
    s = 1 if np.signbit(v) else 0
    e, m = b >> 52, b & ((1 << 52) - 1)
    bias = (1 << (eb - 1)) - 1
    if e == 0:
        return s << (eb + mb)
    ee = e - 1023 + bias
    m |= 1 << 52
    if ee >= (1 << eb) - 1:
        return s << (eb + mb) | (((1 << eb) - 1) << mb) - 1          # largest finite
    if ee <= 0:
        m >>= 52 - mb + 1 - ee if 52 - mb + 1 - ee < 64 else 63
        return s << (eb + mb) | m
    return s << (eb + mb) | ee << mb | (m >> (52 - mb)) & ((1 << mb) - 1)


def fspecial(fmt, level):
    eb, mb = FMT[fmt]
    sb = 1 << (eb + mb)
    emax = ((1 << eb) - 1) << mb
    one = ((1 << (eb - 1)) - 1) << mb
    inf, mind, maxd, minn, maxf = emax, 1, (1 << mb) - 1, 1 << mb, emax - 1
    q = 1 << (mb - 1)
    pay = 0x12345 & (q - 1)
    nans = [emax | q, sb | emax | q, emax | 2 * q - 1, sb | emax | 2 * q - 1, emax | q | pay, sb | emax | q | pay,
            emax | 1, sb | emax | 1, emax | q - 1, sb | emax | q - 1, emax | (q >> 1)]
    if level == 'short':
        return [0, sb, mind, sb | maxd, minn, one, sb | one, one + 1, maxf, sb | maxf, inf, sb | inf, emax | q | pay, sb | emax | 1]
    mid = [0, sb, mind, sb | mind, maxd, sb | maxd, minn, sb | minn, minn + 1, one, sb | one, one + 1, sb | (one + 1), one - 1,
           enc(fmt, 2.0), enc(fmt, -2.0), enc(fmt, 0.5), enc(fmt, 1.5), enc(fmt, -1.5), enc(fmt, 3.0), enc(fmt, -3.1415926535),
           enc(fmt, 2.0 ** (mb + 1)), enc(fmt, -2.0 ** -(mb + 1)), maxf, sb | maxf, maxf - 1, inf, sb | inf,
           nans[0], nans[1], nans[3], nans[4], nans[6], nans[7], nans[8], (one >> 1) & ~((1 << mb) - 1)]
    if level == 'mid':
        return mid
    out = list(mid) + nans
    vals = [0.1, 0.25, 0.75, 2.5, 3.5, 4.0, 5.0, 7.0, 8.0, 9.5, 10.0, 100.0, 126.5, 127.0, 127.5, 128.0, 128.5, 254.5, 255.0,
            255.5, 256.0, 256.5, 32767.0, 32767.5, 32768.0, 32768.5, 65535.0, 65535.5, 65536.0, 65504.0, 65519.99, 65520.0,
            65520.01, 448.0, 456.0, 464.0, 463.9, 464.1, 480.0, 57344.0, 61440.0, 61439.9, 61441.0, 2.0 ** -24, 2.0 ** -25,
            2.0 ** -25 * (1 + 2.0 ** -20), 2.0 ** -14, 2.0 ** -14 * (1 - 2.0 ** -12), 2.0 ** -6, 2.0 ** -9, 2.0 ** -10,
            2.0 ** -10 * (1 + 2.0 ** -20), 2.0 ** -16, 2.0 ** -17, 2.0 ** -17 * (1 + 2.0 ** -20), 2.0 ** -15 * 0.75, 1.5 * 2.0 ** -10,
            2.0 ** -126, 2.0 ** -127, 2.0 ** -149, 2.0 ** -150, 2.0 ** -150 * (1 + 2.0 ** -20), 2.0 ** -133, 2.0 ** -134,
            2.0 ** -134 * (1 + 2.0 ** -10), 3.38953139e38, 3.39617752e38, 3.3961776e38, 3.4028235677973366e38, 3.4028235e38,
            2.0 ** 128, 16777216.0, 16777217.0, 16777218.0, 8388607.5, 8388608.0, 4194303.5, 4194303.25, 4194303.75,
            2147483520.0, 2147483647.0, 2147483647.5, 2147483648.0, 2147483648.5, 2147483649.0, 4294967040.0, 4294967295.0,
            4294967295.5, 4294967296.0, 2.0 ** 52, 2.0 ** 52 + 1, 2.0 ** 51 + 0.5, 2.0 ** 53, 2.0 ** 62, 2.0 ** 63, 2.0 ** 63 * (1 - 2.0 ** -24),
            2.0 ** 63 * (1 - 2.0 ** -53), 2.0 ** 63 * (1 + 2.0 ** -52), 2.0 ** 64, 2.0 ** 64 * (1 - 2.0 ** -24), 2.0 ** 64 * (1 - 2.0 ** -53),
            2.0 ** 65, 0.49999997, 0.5000001, 0.9999999, 1e-10, 1e10, 1e20, 1e-30, 1e38]
    for v in vals:
        out += [enc(fmt, v), enc(fmt, -v)]
    return list(dict.fromkeys(out))


def ispecial(bits, level):
    m = (1 << bits) - 1
    s = 1 << (bits - 1)
    if level == 'short':
        base = [0, 1, 2, 7, bits - 1, bits, s - 1, s, s + 1, m - 1, m, 0x5555555555555555, 0x0123456789abcdef]
    else:
        base = [0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000,
                s - 2, s - 1, s, s + 1, m - 2, m - 1, m, 0xaaaaaaaaaaaaaaaa, 0x5555555555555555, 0x0123456789abcdef, 0xfedcba9876543210,
                (1 << (bits // 2)) - 1, 1 << (bits // 2)]
        if level == 'long':
            base += [1 << k for k in range(bits)] + [(1 << k) - 1 for k in range(bits)] + [m ^ ((1 << k) - 1) for k in range(bits)]
            base += [(1 << k) + 1 for k in range(2, bits)] + [m - k for k in range(3, 40)] + [s - 128, s - 64, s - 63, s - 192, s - 191, s - 513, s - 512, s - 511, m - 127, m - 128, m - 1023, m - 1024, m - 1025]
            for p in (8, 11, 24, 53):                                          # halfway cases of int -> float
                for k in range(p + 1, bits):
                    for lo in (0, 1, 2, 3):
                        base.append((1 << k) + (lo << (k - p)) + (1 << (k - p - 1)) if k - p - 1 >= 0 else 0)
                    base.append((1 << k) + (1 << (k - p - 1)) - 1 if k - p - 1 >= 0 else 0)
                    base.append((1 << k) + (1 << (k - p - 1)) + 1 if k - p - 1 >= 0 else 0)
    return list(dict.fromkeys(v & m for v in base))


def pair(lst):
    n = len(lst)
    step = next(s for s in range(5, 99) if np.gcd(s, n) == 1)
    return [lst[i] | lst[(step * i + 3) % n] << 16 for i in range(n)]


SH = [0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 17, 20, 23, 24, 30, 31, 32, 33, 40, 47, 48, 62, 63, 64, 65, 95, 96, 127, 128, 160, 255, 256, 257,
      0x7fff, 0x10000, 0x80000000, 0xffffffff, 0xffffffe0, 0x100 + 31]
SEL = [0x3210, 0x7654, 0x0123, 0x4567, 0xfedc, 0xba98, 0x8888, 0xffff, 0x0000, 0x5410, 0x7632, 0x6420, 0x7531, 0x9c3e, 0xffff3210,
       0x12345678, 0, 1, 2, 3, 4, 5, 6, 7, 0xfffffffc, 0xffffffff]


def special(cls, level):
    """list of special values of a class; level: long (one operand), mid (two), short (three or more)"""
    if cls in FMT:
        return fspecial(cls, level)
    if cls in ('f32p', 'f64p', 'f16p', 'bf16p'):
        return fspecial(cls[:-1], level)
    if cls in ('f16x2', 'bf16x2', 'f16x2p', 'bf16x2p'):
        return pair(fspecial(cls.split('x')[0], level))
    if cls == 'i16x2':
        return pair(ispecial(16, level))
    if cls == 'i8':
        return [v | g for v in ispecial(8, 'long' if level == 'long' else 'short') for g in (0, 0xffffff00, 0x5a5a5a00)]
    if cls[0] == 'i' and cls[1:].isdigit():
        return ispecial(int(cls[1:]), level)
    if cls == 'sh':
        return SH if level != 'short' else [0, 1, 4, 8, 15, 31, 32, 33, 63, 64, 255, 256, 0xffffffff]
    if cls == 'sel':
        return SEL if level != 'short' else SEL[:16]
    if cls == 'few':
        return [0, 1, 0xffffffff, 0x80000000]
    if cls == 'pred':
        return [0, 1]
    if cls == 'all16':
        return list(range(65536))
    if cls in WARP:
        return []                                     # warp classes: random part only
    raise KeyError(cls)


def frandom(fmt, w, t):
    eb, mb = FMT[fmt]
    n = eb + mb + 1
    bias, emask = (1 << (eb - 1)) - 1, (1 << eb) - 1
    w = w & U((1 << n) - 1)
    sign, e, m = w & U(1 << (n - 1)), (w >> U(mb)) & U(emask), w & U((1 << mb) - 1)
    k = t & U(15)
    t8 = t >> U(8)

    def cmb(e, m):
        return sign | (np.clip(e, 0, emask).astype(U) << U(mb)) | m
    span = 32 if eb >= 8 else 16
    mid = cmb((t8 % U(span)).astype(np.int64) + (bias - span // 2), m)
    near = cmb((t8 & U(3)).astype(np.int64) + (bias - 1), m)
    sp = np.array(fspecial(fmt, 'long'), U)
    spec = sp[(t8 % U(len(sp))).astype(np.int64)]
    edge = cmb(np.array([0, 1, 2, bias // 2, bias - mb, bias + mb, emask - 2, emask - 1])[(t8 & U(7)).astype(np.int64)], m)
    lowk = U(1) + (t8 & U(255)) % U(mb)                                     # low bits of the mantissa by pattern
    one = U(1)
    low = (one << lowk) - one
    half = one << (lowk - one)
    pat = np.choose(((t >> U(24)) & U(7)).astype(np.int64), [half, half, half - one, half + (lowk > U(1)), np.zeros_like(w), low, half, one + 0 * w]) & low
    ptn = cmb((t8 >> U(20)).astype(np.int64) % 64 + (bias - 24), (m & ~low) | pat)
    ei = (t8 & U(255)).astype(np.int64) % 67 - 1                              # multiples of one half
    drop = np.clip(mb - 1 - ei, 0, mb).astype(U)
    hint = cmb(ei + bias, (m >> drop) << drop)
    out = w.copy()
    for sel, val in (((k >= 4) & (k < 8), mid), ((k == 8) | (k == 9), near), (k == 10, spec), (k == 11, edge), ((k == 12) | (k == 13), ptn), (k == 14, hint)):
        out = np.where(sel, val, out)
    return out


def irandom(bits, w, t):
    msk = U((1 << bits) - 1)
    w = w & msk
    k = t & U(7)
    t8 = t >> U(8)
    s = (t8 & U(255)) % U(bits)
    small = w >> s
    neg = (~(w >> s)) & msk
    sp = np.array(ispecial(bits, 'mid'), U)
    near = (sp[(t8 % U(len(sp))).astype(np.int64)] + ((t >> U(40)) & U(7)) - U(3)) & msk
    pw = ((U(1) << s) + ((t >> U(40)) & U(3)) - U(1)) & msk
    out = w
    for sel, val in ((k == 3, small), (k == 4, neg), (k == 5, near), (k == 6, pw)):
        out = np.where(sel, val, out)
    return out


def to_float(fmt, x):
    """float64/float32 value arrays of bit arrays, for building correlated inputs only"""
    if fmt == 'f64':
        return x.view(np.float64)
    if fmt == 'f32':
        return x.astype(np.uint32).view(np.float32)
    if fmt == 'f16':
        return x.astype(np.uint16).view(np.float16).astype(np.float64)
    return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)


def minus_product(fmt, a, b):
    """bits of -(a*b), rounded to nearest even (bf16: truncated)"""
    with np.errstate(all='ignore'):
        p = -(to_float(fmt, a) * to_float(fmt, b))
        p = np.where(np.isnan(p), p.dtype.type(np.inf), p)              # no host NaN payloads in the inputs
        if fmt == 'f64':
            return p.view(U)
        if fmt == 'f32':
            return p.view(np.uint32).astype(U)
        if fmt == 'f16':
            return p.astype(np.float16).view(np.uint16).astype(U)
        return (p.view(np.uint32) >> np.uint32(16)).astype(U)


def fproduct(fmt, w, t, a, b):
    """third operand of a fused multiply-add: half of the cases nearly cancel the product"""
    base = frandom(fmt, w, t)
    eb, mb = FMT[fmt]
    m = (minus_product(fmt, a, b) + ((t >> U(44)) & U(7)) * ((t >> U(50)) & U(1)) - U(3) * ((t >> U(50)) & U(1))) & U((1 << (eb + mb + 1)) - 1)
    # or: c far above the product with the product deciding the rounding of c: exponent of the product + mb + 1 or so
    e = ((m >> U(mb)) & U((1 << eb) - 1)).astype(np.int64) + mb + ((t >> U(54)) & U(3)).astype(np.int64) - 1
    far = (base & U(1 << (eb + mb))) | (np.clip(e, 0, (1 << eb) - 2).astype(U) << U(mb)) | (base & U((1 << mb) - 1))
    k = (t >> U(60)) & U(7)
    return np.where(k < U(3), m, np.where(k == U(3), far, base))


def tiny(fmt, w, t, a):
    """second factor that brings the product with a to the smallest normal number, a few units in the last place off"""
    eb, mb = FMT[fmt]
    n = eb + mb + 1
    bias = (1 << (eb - 1)) - 1
    with np.errstate(all='ignore'):
        q = 2.0 ** (1 - bias if fmt != 'f64' else -126) / to_float(fmt, a).astype(np.float64)
        q = np.where(np.isfinite(q), q, 1.0)
        if fmt == 'f64':
            b = q.view(U)
        elif fmt == 'f32':
            b = q.astype(np.float32).view(np.uint32).astype(U)
        elif fmt == 'f16':
            b = q.astype(np.float16).view(np.uint16).astype(U)
        else:
            b = (q.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(U)
    return (b ^ (w & U(1)) << U(n - 1)) + (t & U(7)) - U(4) & U((1 << n) - 1)


def edge(fmt, w, t):
    """addends around the smallest normal number: zeros, denormals, +-2^emin and its neighbours"""
    eb, mb = FMT[fmt]
    minn = (1 << mb) if fmt != 'f64' else enc('f64', 2.0 ** -126)
    pool = np.array([0, 0, 1, minn, minn, minn + 1, minn - 1, 2 * minn if fmt != 'f64' else minn + (1 << 52)], U)
    return pool[(w & U(7)).astype(np.int64)] | ((w >> U(8)) & U(1)) << U(eb + mb)


def random_values(cls, w, t, prev):
    if cls == 'tinyf64':                                    # f64 around the smallest normal f32 and f32 denormals
        e = U(1023 - 126) - ((t >> U(8)) & U(3)) * ((t >> U(16)) & U(1))
        m = np.where(t & U(1) == 0, U((1 << 52) - 1) ^ (w & U((1 << 31) - 1)) , np.where(t & U(2) == 0, w & U((1 << 30) - 1), w & U((1 << 52) - 1)))
        return (w >> U(63)) << U(63) | (e - (t & U(1))) << U(52) | m
    if cls.startswith('tiny'):
        return tiny(cls[4:].rstrip('p') if cls != 'tinyf64p' else 'f64', w, t, prev[0])
    if cls.startswith('edge'):
        return edge(cls[4:], w, t)
    if cls == 'w4':
        return w & U(3)
    if cls in FMT:
        return frandom(cls, w, t)
    if cls in ('f32p', 'f64p', 'f16p', 'bf16p'):
        return fproduct(cls[:-1], w, t, prev[0], prev[1])
    if cls in ('f16x2', 'bf16x2'):
        f = cls[:-2]
        return frandom(f, w & U(0xffff), t) | frandom(f, w >> U(16), t >> U(3)) << U(16)
    if cls in ('f16x2p', 'bf16x2p'):
        f = cls[:-3]
        lo, hi = U(0xffff), U(16)
        return (fproduct(f, w & lo, t, prev[0] & lo, prev[1] & lo) | fproduct(f, w >> hi, t >> U(1), prev[0] >> hi, prev[1] >> hi) << hi)
    if cls == 'i16x2':
        return irandom(16, w, t) | irandom(16, w >> U(16), t >> U(3)) << U(16)
    if cls == 'i8':
        return w & U(0xffffffff)
    if cls[0] == 'i' and cls[1:].isdigit():
        return irandom(int(cls[1:]), w, t)
    if cls == 'sh':
        return np.where(t & U(3) == 0, w & U(0xffffffff), np.where(t & U(3) == 1, w & U(0xff), w % U(70)))
    if cls == 'sel':
        return np.where(t & U(7) == 0, w & U(0xffffffff), w & U(0xffff))
    if cls == 'few':
        return np.array([0, 1, 0xffffffff, 0x80000000], U)[(w & U(3)).astype(np.int64)]
    if cls in ('pred',):
        return w & U(1)
    # ---- warp classes: warp number decides how uniform the values are
    i = np.arange(len(w))
    warp, lane = i // 32, i % 32
    w0, t0 = w[warp * 32], t[warp * 32]                     # one word per warp
    if cls == 'w32':
        return w & U(0xffffffff)
    if cls == 'w64':
        return w
    if cls == 'wuni':
        return np.where(t0 & U(3) == 0, w0 & U(0xff), np.where(t0 & U(3) == 1, U(M64) - (w0 & U(0xf)), w0))
    if cls.startswith('wsmall_'):                           # small integers: every order of addition gives the same sum
        k = (w & U(7)).astype(np.int64) - 3
        k2 = ((w >> U(8)) & U(7)).astype(np.int64) - 3
        f = cls[7:]
        if f == 'f64':
            return k.astype(np.float64).view(U)
        if f == 'f32':
            return k.astype(np.float32).view(np.uint32).astype(U)
        lo, hi = (x.astype(np.float16).view(np.uint16).astype(U) if f.startswith('f16') else x.astype(np.float32).view(np.uint32).astype(U) >> U(16) for x in (k, k2))
        return lo | hi << U(16) if f.endswith('x2') else lo
    if cls == 'lane':                                       # shuffle's second operand
        per = np.where(t & U(7) == 0, w & U(0xffffffff), w % U(40))
        uni = np.where(t0 & U(7) == 0, w0 & U(0xffffffff), w0 % U(33))
        return np.where(warp % 2 == 0, uni, per)
    if cls == 'cseg':                                       # shuffle's third operand
        std = np.array([0x1f, 0x1f, 0x0, 0x181f, 0x1c1f, 0x1e1f, 0x1c03, 0x1800, 0x1e00, 0x0f, 0x07, 0x101f], U)
        per = np.where(t & U(1) == 0, w & U(0x1f1f), np.where(t & U(2) == 0, w & U(0xffffffff), std[(w % U(12)).astype(np.int64)]))
        return np.where(warp % 4 < 3, std[(w0 % U(12)).astype(np.int64)], per)
    if cls == 'wmask':
        std = np.array([0xffffffff, 0x0000ffff, 0x55555555, 0xf0f0f0f0, 0x00000001, 0x80000000, 0x7fffffff, 0xfffffffe], U)
        return np.where(t0 & U(1) == 0, std[(w0 % U(8)).astype(np.int64)], np.where(w0 & U(0xffffffff) == 0, U(1), w0 & U(0xffffffff)))
    if cls == 'wpred':                                      # all, none, one, one missing, random
        k = t0 & U(7)
        one = (lane.astype(U) == (t0 >> U(8)) % U(32)).astype(U)
        return np.where(k == 0, U(0), np.where(k == 1, U(1), np.where(k == 2, one, np.where(k == 3, U(1) - one, w & U(1)))))
    if cls in ('wfew32', 'wfew64'):
        msk = U(0xffffffff) if cls == 'wfew32' else U(M64)
        k = t0 & U(3)                                       # 1, 2, 4 or 32 distinct values in the warp
        idx = np.where(k == 0, U(0), np.where(k == 1, w & U(1), np.where(k == 2, w & U(3), lane.astype(U))))
        base = w[(warp * 32 + idx.astype(np.int64))]
        flip = np.where((t >> U(32)) & U(63) == 0, U(1) << U(32 if cls == 'wfew64' else 31), U(0))
        return (base ^ flip) & msk
    raise KeyError(cls)


NRANDOM = {1: 3072, 2: 2048, 3: 1664, 4: 2048}
WARP = {'w4', 'lane', 'cseg', 'wmask', 'wpred', 'wfew32', 'wfew64', 'w32', 'w64', 'wuni'} | {'wsmall_' + f for f in ('f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64')}


def tuples(sig, salt=0):
    """salt 0: specials and random words; any other number: other random words, no specials (held-out inputs)"""
    cls = sig.split(',') if sig else []
    if not cls:
        return []
    if cls == ['all16']:
        return [np.arange(65536, dtype=U)]
    n = len(cls)
    if salt:
        return random_tuples(sig + '#%d' % salt, cls, 4096, [])
    if any(c in WARP or c[:4] in ('tiny', 'edge') for c in cls):
        spec, nr = [], 4096
    else:
        level = {1: 'long', 2: 'mid'}.get(sum(c != 'pred' for c in cls), 'short')
        lists = [special(c, level) for c in cls]
        if n == 4 and all(c != 'pred' for c in cls):
            lists = [l[::2][:7] for l in lists]
        while np.prod([len(l) for l in lists]) > 2800 and n > 1:          # thin the longest list
            j = max(range(n), key=lambda q: len(lists[q]))
            lists[j] = lists[j][:len(lists[j]) - 1] if len(lists[j]) < 8 else [v for i, v in enumerate(lists[j]) if i % 8 != 7]
        spec = list(itertools.product(*lists))
        nr = NRANDOM[min(n, 4)]
    total = -(-(len(spec) + nr) // 128) * 128
    return random_tuples(sig, cls, total - len(spec), spec)


def random_tuples(key, cls, nr, spec):
    seed = zlib.crc32(key.encode()) * 8
    out = []
    for k, c in enumerate(cls):
        s = words(seed + k, 2 * nr)
        r = random_values(c, s[0::2], s[1::2], [o[len(spec):] for o in out])
        out.append(np.concatenate([np.array([p[k] for p in spec], U), r.astype(U)]))
    return out
