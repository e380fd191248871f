const HEADER_BYTES = 4;
const MAX_SAMPLES_BYTES = 2 * 0xff;

/**
 * Terminals built on HiSilicon's chips put `00 01 xx 00` before each audio frame, where xx is half the length of the
 * samples. Only a header that states the right length counts as one.
 */
export function hasHiSiliconHeader(frame: Uint8Array): boolean {
  return (
    frame.length > HEADER_BYTES &&
    frame[0] === 0 &&
    frame[1] === 1 &&
    frame[3] === 0 &&
    frame[2] === (frame.length - HEADER_BYTES) / 2
  );
}

export function stripHiSiliconHeader(frame: Uint8Array): Uint8Array {
  return hasHiSiliconHeader(frame) ? frame.subarray(HEADER_BYTES) : frame;
}

/** Leaves the samples without a header where it cannot state their length. */
export function addHiSiliconHeader(samples: Uint8Array): Uint8Array {
  if (samples.length > MAX_SAMPLES_BYTES || samples.length % 2 === 1) return samples;
  return Uint8Array.from([0, 1, samples.length / 2, 0, ...samples]);
}
