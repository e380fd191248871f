// What a FLAC frame is checked by (RFC 9639, 9.1.8 and 9.3): CRC-8 over its header, CRC-16 over all of it.

const CRC8_POLYNOMIAL = 0x07;
const CRC16_POLYNOMIAL = 0x8005;

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => divided(byte, CRC8_POLYNOMIAL, 8));
/** Of a byte with 0, 1, 2 and 3 zeros behind it: four bytes then take one step. */
const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => divided(byte << 8, CRC16_POLYNOMIAL, 16));
const CRC16_1 = behindZero(CRC16);
const CRC16_2 = behindZero(CRC16_1);
const CRC16_3 = behindZero(CRC16_2);

/** What is left of the value's first byte, divided bit by bit. */
function divided(value: number, polynomial: number, width: number): number {
  let rest = value;
  for (let bit = 0; bit < 8; bit++) {
    const isSet = (rest >> (width - 1)) & 1;
    rest = ((rest << 1) & (2 ** width - 1)) ^ (isSet * polynomial);
  }
  return rest;
}

function behindZero(table: Uint16Array): Uint16Array {
  return table.map((rest) => ((rest << 8) & 0xffff) ^ (CRC16[rest >> 8] ?? 0));
}

export function crc8(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = 0; at < end; at++) crc = CRC8[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}

export function crc16(bytes: Uint8Array, end: number): number {
  let crc = 0;
  let at = 0;
  for (; at + 4 <= end; at += 4) {
    crc =
      (CRC16_3[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0) ^
      (CRC16_2[(crc & 0xff) ^ (bytes[at + 1] ?? 0)] ?? 0) ^
      (CRC16_1[bytes[at + 2] ?? 0] ?? 0) ^
      (CRC16[bytes[at + 3] ?? 0] ?? 0);
  }
  for (; at < end; at++) crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  return crc;
}
