// The codes of baseline JPEG pictures: the example tables for luminance of ITU-T T.81, annex K.3, which have every symbol.

export interface HuffmanTable {
  /** Number of codes of each length from 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** Ordered by the length of their codes. */
  readonly symbols: Uint8Array;
  /** Codes by symbol; a length of 0 bits means that there is no code. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** Codes for a block's first coefficient: the number of bits by which it differs from that of the block before. */
export const DC_TABLE = huffmanTable('00010501010101010100000000000000', '000102030405060708090a0b');

/** Codes for all other coefficients: the number of zeros before one, in the high half, and its number of bits. */
export const AC_TABLE = huffmanTable(
  '0002010303020403050504040000017d',
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a' +
    '434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7' +
    'a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
);

/** Codes count up; where the next one is longer, a zero is appended (annex C). */
function huffmanTable(countsHex: string, symbolsHex: string): HuffmanTable {
  const counts = Uint8Array.from(Buffer.from(countsHex, 'hex'));
  const symbols = Uint8Array.from(Buffer.from(symbolsHex, 'hex'));
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let at = 0;
  for (const [index, count] of counts.entries()) {
    for (const symbol of symbols.subarray(at, at + count)) {
      codes[symbol] = code++;
      lengths[symbol] = index + 1;
    }
    at += count;
    code *= 2;
  }
  return { counts, symbols, codes, lengths };
}
