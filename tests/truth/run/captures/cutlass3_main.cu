#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "cutlass/cutlass.h"
#include "cute/tensor.hpp"
#include "cutlass/epilogue/collective/default_epilogue.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/util/packed_stride.hpp"
using namespace cute;
using InA = cutlass::half_t; using InB = cutlass::half_t; using OutC = cutlass::half_t; using Acc = float;
#ifndef SCHED
#define SCHED cutlass::gemm::KernelTmaWarpSpecializedPingpong
#define EPI cutlass::epilogue::TmaWarpSpecialized
#endif
#ifndef CLUSTER
#define CLUSTER Shape<_2,_1,_1>
#endif
using TileMNK = Shape<_64,_128,_64>;
using Clu = CLUSTER;
using Epi = typename cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TileMNK, Clu,
  cutlass::epilogue::collective::EpilogueTileAuto, Acc, Acc, OutC, cutlass::layout::RowMajor, 8, OutC, cutlass::layout::RowMajor, 8, EPI>::CollectiveOp;
using Main = typename cutlass::gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, InA, cutlass::layout::RowMajor, 8,
  InB, cutlass::layout::ColumnMajor, 8, Acc, TileMNK, Clu, cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epi::SharedStorage))>, SCHED>::CollectiveOp;
using Kern = cutlass::gemm::kernel::GemmUniversal<Shape<int,int,int,int>, Main, Epi>;
using G = cutlass::gemm::device::GemmUniversalAdapter<Kern>;
int main() {
  int m = 256, n = 256, k = 256;
  std::vector<InA> a(m*k), b(n*k); std::vector<OutC> c(m*n);
  unsigned s = 1;
  auto next = [&] { s = s * 1664525u + 1013904223u; return float(int(s >> 28) - 8) / 4; };
  for (auto &x : a) x = InA(next());
  for (auto &x : b) x = InB(next());
  for (auto &x : c) x = OutC(next());
  InA *da; InB *db; OutC *dc, *dd;
  cudaMalloc(&da, a.size()*2); cudaMalloc(&db, b.size()*2); cudaMalloc(&dc, c.size()*2); cudaMalloc(&dd, c.size()*2);
  cudaMemcpy(da, a.data(), a.size()*2, cudaMemcpyHostToDevice); cudaMemcpy(db, b.data(), b.size()*2, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), c.size()*2, cudaMemcpyHostToDevice);
  cudaMemset(dd, 0, c.size()*2);
  auto sa = cutlass::make_cute_packed_stride(typename Kern::StrideA{}, {m,k,1});
  auto sb = cutlass::make_cute_packed_stride(typename Kern::StrideB{}, {n,k,1});
  auto sc = cutlass::make_cute_packed_stride(typename Kern::StrideC{}, {m,n,1});
  typename G::Arguments args{cutlass::gemm::GemmUniversalMode::kGemm, {m,n,k,1}, {da, sa, db, sb}, {{1.5f, 0.5f}, dc, sc, dd, sc}};
  cutlass::KernelHardwareInfo hw; hw.device_id = 0; hw.sm_count = 4; args.hw_info = hw;
  G g; size_t w = G::get_workspace_size(args); void *ws = nullptr; if (w) cudaMalloc(&ws, w);
  auto st = g.can_implement(args); if (st != cutlass::Status::kSuccess) { printf("cannot implement\n"); return 1; }
  st = g.initialize(args, ws); if (st != cutlass::Status::kSuccess) { printf("init %d\n", int(st)); return 1; }
  st = g.run(); cudaError_t e = cudaDeviceSynchronize();
  std::vector<OutC> d(m*n); cudaMemcpy(d.data(), dd, d.size()*2, cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < 64; i++) for (int j = 0; j < n; j++) { double t = 0; for (int q = 0; q < k; q++) t += double(float(a[i*k+q])) * double(float(b[j*k+q]));
    t = 1.5*t + 0.5*double(float(c[i*n+j])); double x = fabs(t - double(float(d[i*n+j]))); if (x > worst) worst = x; }
  printf("run %d cuda %s worst %g workspace %zu\n", int(st), cudaGetErrorString(e), worst, w);
}
