// What the demo's microphones hear: an engine's hum and a short pip on every full second, a function of the clock alone.
import { encodeALaw, encodeMuLaw } from '../../server/device/audio/g711.ts';

export const SAMPLE_RATE_HZ = 8_000;
/** 40 ms, the rhythm of the pictures. */
export const SAMPLES_PER_CHUNK = 320;
const PIP_MS = 60;
const PIP_HZ = 1_000;
const HUM_HZ = 90;

/** The chunk that begins at a moment. */
export function toneChunk(wallMs: number, codec: 'A-law' | 'µ-law' = 'A-law'): Uint8Array {
  const encode = codec === 'A-law' ? encodeALaw : encodeMuLaw;
  const chunk = new Uint8Array(SAMPLES_PER_CHUNK);
  for (let index = 0; index < chunk.length; index++) {
    chunk[index] = encode(Math.round(sampleAt(wallMs + (index * 1000) / SAMPLE_RATE_HZ)));
  }
  return chunk;
}

function sampleAt(wallMs: number): number {
  const intoSecondMs = wallMs % 1000;
  const phase = (2 * Math.PI * intoSecondMs) / 1000;
  // Whole numbers of waves fit a second, so the hum has no step where the second begins.
  const hum = 700 * Math.sin(HUM_HZ * phase) + 300 * Math.sin(2 * HUM_HZ * phase);
  return intoSecondMs < PIP_MS ? hum + 5_000 * Math.sin(PIP_HZ * phase) : hum;
}
