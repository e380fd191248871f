/** A JPEG in its structure: size, tables, and coded data of so many bytes. */
export function jpegBytes(codedBytes = 100): Uint8Array {
  const frame = [0xff, 0xc0, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 1, 0x11, 0];
  const table = [0xff, 0xdb, 0, 4, 0, 1];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
  const coded = Array.from({ length: codedBytes }, (_, at) => at % 251);
  return Uint8Array.from([0xff, 0xd8, ...table, ...frame, ...scan, ...coded, 0xff, 0xd9]);
}
