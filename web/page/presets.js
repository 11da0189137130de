/* Places to start from: [group, [[name, the link without its "#v=1&"], ...]]. */

const COPY = "fill=cp.async.cg.shared.global+%5Ba%5D,+%5Bb%5D,+16%3B";
const LDMATRIX = "op=ldmatrix.sync.aligned";

const TMA = "fill=&unit=byte&M=4&S=3";

export const PRESETS = [
  [
    "The fifteen questions",
    [
      ["1. All rows start in bank 0", "rows=32"],
      ["2. Swizzle<3,3,4> with .trans", `${LDMATRIX}.m8n8.x4.trans.shared.b16&B=3&M=3&S=4`],
      ["3. x2.trans on a 16x16 tile", `${LDMATRIX}.m8n8.x2.trans.shared.b16&rows=16&cols=16`],
      ["4. 128-bit loads", "op=ld.shared.v4.b32&type=f32&rows=16&cols=32"],
      ["5. Conflicts without a pattern", "op=st.shared.b32&type=f32&rows=16&cols=16&pad=1"],
      ["6. More blocks", "rows=128&B=3&M=3&S=3"],
      ["7. The write side of padding", `rows=128&pad=8&${COPY}&side=fill`],
      ["8. Swizzle parameters", `rows=128&B=3&M=3&S=3&${COPY}&beside=plain`],
      ["9. Elements and bytes", `type=s8&cols=128&B=3&M=3&S=3&${COPY}`],
      ["10. Transpose 8-bit data", `${LDMATRIX}.m16n16.x2.trans.shared.b8&target=sm_90a&type=b8&cols=128`],
      ["11. The map of m16n16", `${LDMATRIX}.m16n16.x1.trans.shared.b8&target=sm_100a&type=b8&rows=32&cols=32`],
      ["12. Unused lanes", `${LDMATRIX}.m8n8.x2.shared.b16&target=sm_75&addresses=lane*16%2Blane//16*3`],
      ["13. A generic address", `${LDMATRIX}.m8n8.x4.b16&addresses=lane*16`],
      ["14. Misaligned after padding", "pad=4"],
      ["15. Which lane holds what", "op=wmma.load.a.sync.aligned.row.m16n16k16.shared.f16&rows=32&cols=32&pad=8"],
    ],
  ],
  [
    "CuTe",
    [
      ["Sw<3,3,3>, 64 halves a row", "B=3&M=3&S=3"],
      ["Sw<2,3,3>, 32 halves a row", "cols=32&B=2&M=3&S=3"],
      ["Layout_K_SW128_Atom", `B=3&${TMA}`],
      ["Layout_K_SW64_Atom", `cols=32&B=2&${TMA}`],
      ["Layout_K_SW32_Atom", `cols=16&B=1&${TMA}`],
      ["Layout_MN_SW128_Atom, .trans", `${LDMATRIX}.m8n8.x4.trans.shared.b16&order=col&B=3&${TMA}`],
    ],
  ],
  [
    "TMA",
    [
      ["SWIZZLE_NONE, 128 bytes", "fill="],
      ["SWIZZLE_32B", `cols=16&B=1&${TMA}`],
      ["SWIZZLE_64B", `cols=32&B=2&${TMA}`],
      ["SWIZZLE_128B", `B=3&${TMA}`],
    ],
  ],
  [
    "Triton",
    [
      ["swizzled_shared, vec 8, maxPhase 8", "B=3&M=3&S=3&beside=plain"],
      ["swizzled_shared, perPhase 2, maxPhase 4", "cols=32&B=2&M=3&S=3&beside=plain"],
      ["nvmma_shared, 128 bytes", `B=3&${TMA}&beside=plain`],
      ["padded_shared, +8", "pad=8&beside=plain"],
    ],
  ],
];
