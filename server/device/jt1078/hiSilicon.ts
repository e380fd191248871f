const HEADER_BYTES = 4;

/**
 * Terminals built on HiSilicon's chips put `00 01 xx 00` before each audio frame, where xx is half the length of
 * the samples. Only a header that states the right length is taken for one.
 */
export function stripHiSiliconHeader(frame: Uint8Array): Uint8Array {
  const isHeader =
    frame.length > HEADER_BYTES &&
    frame[0] === 0 &&
    frame[1] === 1 &&
    frame[3] === 0 &&
    frame[2] === (frame.length - HEADER_BYTES) / 2;
  return isHeader ? frame.subarray(HEADER_BYTES) : frame;
}
