import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def matmul_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = a.load([m, k])
        y = b.load([n, k])
        acc = tl.dot(x, y.T, acc)
    c.store([m, n], acc.to(tl.float16))


M, N, K = 256, 192, 160
torch.manual_seed(1)
a = torch.randn((M, K), device="cuda", dtype=torch.float16)
b = torch.randn((N, K), device="cuda", dtype=torch.float16)
c = torch.zeros((M, N), device="cuda", dtype=torch.float16)
da = TensorDescriptor.from_tensor(a, [128, 64])
db = TensorDescriptor.from_tensor(b, [64, 64])
dc = TensorDescriptor.from_tensor(c, [128, 64])
k = matmul_tma[(2, 3)](da, db, dc, M, N, K, 128, 64, 64, num_warps=4, num_stages=3)
torch.cuda.synchronize()
print("worst", (c.float() - a.float() @ b.float().T).abs().max().item())
