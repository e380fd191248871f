// IMA ADPCM: four bits a sample. Each frame stands for itself: four bytes of state come first (sample, step index, and one
// byte that means nothing), then two samples a byte, the lower half first.

const HEADER_BYTES = 4;
const INDEX_CHANGES = [-1, -1, -1, -1, 2, 4, 6, 8] as const;
const STEP_COUNT = 89;
/** Each step is about a tenth larger than the one before; the standard's own list, which rounds as it likes. */
const STEPS = Int16Array.of(
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  16,
  17,
  19,
  21,
  23,
  25,
  28,
  31,
  34,
  37,
  41,
  45,
  50,
  55,
  60,
  66,
  73,
  80,
  88,
  97,
  107,
  118,
  130,
  143,
  157,
  173,
  190,
  209,
  230,
  253,
  279,
  307,
  337,
  371,
  408,
  449,
  494,
  544,
  598,
  658,
  724,
  796,
  876,
  963,
  1060,
  1166,
  1282,
  1411,
  1552,
  1707,
  1878,
  2066,
  2272,
  2499,
  2749,
  3024,
  3327,
  3660,
  4026,
  4428,
  4871,
  5358,
  5894,
  6484,
  7132,
  7845,
  8630,
  9493,
  10_442,
  11_487,
  12_635,
  13_899,
  15_289,
  16_818,
  18_500,
  20_350,
  22_385,
  24_623,
  27_086,
  29_794,
  32_767,
);

/** Total: a frame too short for its state gives no sample. */
export function decodeImaAdpcm(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  if (bytes.length < HEADER_BYTES) return new Float32Array(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sample = view.getInt16(0, true);
  let index = clamp(view.getUint8(2), 0, STEP_COUNT - 1);
  const samples = new Float32Array((bytes.length - HEADER_BYTES) * 2);
  for (let at = 0; at < samples.length; at++) {
    const byte = bytes[HEADER_BYTES + (at >> 1)] ?? 0;
    const code = at % 2 === 0 ? byte & 15 : byte >> 4;
    const step = STEPS[index] ?? 0;
    const size = (step >> 3) + (code & 4 ? step : 0) + (code & 2 ? step >> 1 : 0) + (code & 1 ? step >> 2 : 0);
    sample = clamp(sample + (code & 8 ? -size : size), -32_768, 32_767);
    index = clamp(index + (INDEX_CHANGES[code & 7] ?? 0), 0, STEP_COUNT - 1);
    samples[at] = sample / 32_768;
  }
  return samples;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
