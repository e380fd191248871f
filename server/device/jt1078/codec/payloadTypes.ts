/** Codecs by the payload type of a media packet and of 0x1003 (JT/T 1078, table 12). */
export const PayloadType = {
  G721: 1,
  G722: 2,
  G723: 3,
  G728: 4,
  G729: 5,
  G711A: 6,
  G711U: 7,
  G726: 8,
  G729A: 9,
  Dvi4Type3: 10,
  Dvi4Type4: 11,
  Dvi4At8kHz: 12,
  Dvi4At16kHz: 13,
  Lpc: 14,
  S16BeStereo: 15,
  S16BeMono: 16,
  MpegAudio: 17,
  Lpcm: 18,
  Aac: 19,
  Wma9: 20,
  HeAac: 21,
  PcmVoice: 22,
  PcmAudio: 23,
  AacLc: 24,
  Mp3: 25,
  /** IMA ADPCM in the terminals described. */
  Adpcma: 26,
  Mp4Audio: 27,
  Amr: 28,
  Passthrough: 91,
  H264: 98,
  H265: 99,
  Avs: 100,
  Svac: 101,
} as const;
export type PayloadType = (typeof PayloadType)[keyof typeof PayloadType];

const NAMES = new Map<number, string>(Object.entries(PayloadType).map(([name, value]) => [value, name]));

/** The codec's name, or its number where the table has none. */
export function payloadTypeName(payloadType: number): string {
  return NAMES.get(payloadType) ?? String(payloadType);
}
