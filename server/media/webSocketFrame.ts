// The header of a WebSocket message from a server (RFC 6455, 5.2): one unmasked, uncompressed binary frame.

const FINAL_BINARY = 0x82;
/** A length byte of 126 or 127 says that the length stands in the next two or eight bytes. */
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

export function frameHeaderBytes(payloadBytes: number): number {
  if (payloadBytes < LENGTH_IN_TWO_BYTES) return 2;
  return payloadBytes < 2 ** 16 ? 4 : 10;
}

/** Writes the header to the start of `target`. */
export function writeFrameHeader(target: Uint8Array, payloadBytes: number): void {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  view.setUint8(0, FINAL_BINARY);
  switch (frameHeaderBytes(payloadBytes)) {
    case 2:
      view.setUint8(1, payloadBytes);
      return;
    case 4:
      view.setUint8(1, LENGTH_IN_TWO_BYTES);
      view.setUint16(2, payloadBytes);
      return;
    default:
      view.setUint8(1, LENGTH_IN_EIGHT_BYTES);
      view.setUint32(2, Math.floor(payloadBytes / 2 ** 32));
      view.setUint32(6, payloadBytes % 2 ** 32);
  }
}
