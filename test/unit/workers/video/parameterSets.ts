// Sequence parameter sets as encoders wrote them, and what ffprobe says of their streams.

export interface KnownSet {
  readonly name: string;
  readonly hex: string;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced?: boolean;
  /** Undefined where the set has no bitstream restriction. */
  readonly maxReorderFrames: number | undefined;
}

export const PARAMETER_SETS: readonly KnownSet[] = [
  {
    name: 'constrained baseline, CIF',
    hex: '6742c00dd9016096c044000003000400000300c83c50a920',
    codec: 'avc1.42c00d',
    width: 352,
    height: 288,
    maxReorderFrames: 0,
  },
  {
    name: 'main, height cropped from 368',
    hex: '674d401eeca05017fcb808800000030080000019078b16cb',
    codec: 'avc1.4d401e',
    width: 640,
    height: 360,
    maxReorderFrames: 2,
  },
  {
    name: 'high without B pictures, height cropped from 1088',
    hex: '67640028acb200f0044fcb80880000030008000003019078c19240',
    codec: 'avc1.640028',
    width: 1920,
    height: 1080,
    maxReorderFrames: 0,
  },
  {
    name: 'interlaced PAL',
    hex: '6764001eacd940b424d8088000000300800000190f8a14cb',
    codec: 'avc1.64001e',
    width: 720,
    height: 576,
    isInterlaced: true,
    maxReorderFrames: 2,
  },
  {
    name: 'aspect ratio, colours and a buffer model',
    hex: '6764001eacd940b0126c09a808080a00000300020000030064c900061a800c35c98600f162d960',
    codec: 'avc1.64001e',
    width: 704,
    height: 576,
    maxReorderFrames: 2,
  },
  {
    name: 'high 4:2:2, ten bits',
    hex: '677a001fb6cd9405005bb011000003000100000300320f183196',
    codec: 'avc1.7a001f',
    width: 1280,
    height: 720,
    maxReorderFrames: 2,
  },
  {
    name: 'high 4:4:4, odd size',
    hex: '67f4000b919b2861fc7c7e0220000003002000000641e28532c0',
    codec: 'avc1.f4000b',
    width: 178,
    height: 98,
    maxReorderFrames: 2,
  },
  {
    name: 'monochrome',
    hex: '6764000df3650507ec05b2000003000200000300641e28532c',
    codec: 'avc1.64000d',
    width: 320,
    height: 240,
    maxReorderFrames: 2,
  },
  {
    name: 'scaling lists',
    hex: '6764001eacd940a03db011000003000100000300320f162d96',
    codec: 'avc1.64001e',
    width: 640,
    height: 480,
    maxReorderFrames: 2,
  },
  {
    name: 'width cropped, extended aspect ratio, chroma location',
    hex: '674d4020eca02b030f378294a0000003002000000641e30632c0',
    codec: 'avc1.4d4020',
    width: 1366,
    height: 768,
    maxReorderFrames: 2,
  },
  {
    name: 'a camera without usability information, upright',
    hex: '6742801eda07814640',
    codec: 'avc1.42801e',
    width: 480,
    height: 640,
    maxReorderFrames: undefined,
  },
  {
    name: 'a camera without usability information',
    hex: '6742001f95a814016e40',
    codec: 'avc1.42001f',
    width: 1280,
    height: 720,
    maxReorderFrames: undefined,
  },
];

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** An access unit: each unit behind a start code. */
export function annexB(...units: readonly (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));
}

export const PPS = [0x68, 0xce, 0x06, 0xe2];
export const IDR = [0x65, 0x88, 0x80, 0x10];
export const SLICE = [0x41, 0x9a, 0x10];

/** The bytes of a known set, by the part of its name. */
export function setNamed(part: string): Uint8Array<ArrayBuffer> {
  const found = PARAMETER_SETS.find((set) => set.name.includes(part));
  if (found === undefined) throw new Error(`no parameter set is called ${part}`);
  return fromHex(found.hex);
}
