"""The initial contents of the buffers of measured kernels, exactly: part of the data."""

import base64
import zlib

import numpy as np

BYTES = dict(
    u8=1,
    s8=1,
    b8=1,
    e4m3=1,
    e5m2=1,
    u16=2,
    s16=2,
    f16=2,
    bf16=2,
    b16=2,
    u32=4,
    s32=4,
    f32=4,
    b32=4,
    u64=8,
    s64=8,
    f64=8,
    b64=8,
)
STORED = dict(
    u8="u1",
    s8="i1",
    b8="u1",
    e4m3="u1",
    e5m2="u1",
    u16="u2",
    s16="i2",
    f16="f2",
    bf16="u2",
    b16="u2",
    u32="u4",
    s32="i4",
    f32="f4",
    b32="u4",
    u64="u8",
    s64="i8",
    f64="f8",
    b64="u8",
)


def words(seed, count):
    """word i (i = 0..) of the SplitMix stream of shared/truth/README.md, as uint64"""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def decode_fp8(code, exponent_bits):
    """value of an e4m3 / e5m2 code"""
    m = 7 - exponent_bits
    bias = (1 << (exponent_bits - 1)) - 1
    s, e, f = code >> 7, (code >> m) & ((1 << exponent_bits) - 1), code & ((1 << m) - 1)
    if exponent_bits == 5 and e == 31:
        v = np.nan if f else np.inf
    elif exponent_bits == 4 and e == 15 and f == 7:
        v = np.nan
    else:
        v = (f / (1 << m) if e == 0 else 1 + f / (1 << m)) * 2.0 ** (max(e, 1) - bias)
    return -v if s else v


def convert(value, dtype):
    """float64 array -> array of the stored type: integers truncate exactly, floats go to f32 first (RNE), then to the type (RNE)"""
    if dtype[0] in "us" or dtype == "f64":
        return value.astype(STORED[dtype])
    f = value.astype(np.float32)
    if dtype == "f32":
        return f
    if dtype == "f16":
        return f.astype(np.float16)
    if dtype == "bf16":
        u = f.view(np.uint32)
        return ((u + np.uint32(0x7FFF) + ((u >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)).astype(np.uint16)
    if dtype in ("e4m3", "e5m2"):
        table = {decode_fp8(c, int(dtype[1])): c for c in range(256)}
        return np.array([table[float(x)] for x in f.ravel()], np.uint8).reshape(f.shape)  # exact values only
    raise ValueError(dtype)


def content(dtype, count, init):
    """the buffer as a numpy array of the stored type; None if the buffer is left uninitialised"""
    rule = init["rule"]
    stored = STORED[dtype]
    nbytes = count * BYTES[dtype]
    if rule == "uninitialised":
        return None
    if rule == "zeros":
        return np.zeros(count, stored)
    if rule == "byte":
        return np.full(nbytes, init["value"], np.uint8).view(stored)
    if rule == "bits":
        return words(init["seed"], (nbytes + 7) // 8).view(np.uint8)[:nbytes].view(stored)
    if rule == "uniform":
        u = (words(init["seed"], count) >> np.uint64(40)).astype(np.float64) / 2.0**24
        return convert(init["low"] + (init["high"] - init["low"]) * u, dtype)
    if rule == "integers":
        span = init["high"] - init["low"] + 1
        v = init["low"] + (words(init["seed"], count) % np.uint64(span)).astype(np.int64)
        if dtype[0] in "us":
            return v.astype(stored)
        return convert(v.astype(np.float64) * init.get("scale", 1), dtype)
    if rule == "arange":
        v = init.get("start", 0) + init.get("step", 1) * np.arange(count, dtype=np.int64)
        return v.astype(stored) if dtype[0] in "us" else convert(v.astype(np.float64), dtype)
    if rule == "permutation":
        return np.argsort(words(init["seed"], count), kind="stable").astype(stored)
    if rule == "cycle":  # the list again and again; floats may be given as hex bit patterns ('0x...')
        v = init["values"]
        a = (
            np.array([int(x, 16) for x in v], STORED["u%d" % (8 * BYTES[dtype])]).view(stored)
            if isinstance(v[0], str)
            else convert(np.array(v, np.float64), dtype)
        )
        return np.resize(a, count)
    if rule == "data":
        return np.frombuffer(zlib.decompress(base64.b64decode(init["zlib_base64"])), stored)[:count].copy()
    raise ValueError(rule)
