import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(z + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


x = torch.arange(1000, device="cuda", dtype=torch.float32)
y = x * 2
z = torch.empty_like(x)
add_kernel[(4,)](x, y, z, 1000, B=256)
torch.cuda.synchronize()
print(z.sum())
