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

/** Made by x264 with the profile, level and options named. */
export const X264_SETS: Readonly<Record<string, { hex: string; pocType: number; reorder: number }>> = {
  'baseline 3.0, CIF': {
    hex: '6742c01ed9016096c044000003000400000300c83c58b920',
    pocType: 2,
    reorder: 0,
  },
  'main 4.0, 720p': {
    hex: '674d4028d9005005bb011000000300100000030320f1832480',
    pocType: 2,
    reorder: 0,
  },
  'high 5.1, 1080p, B pictures': {
    hex: '67640033acd940780227e5c044000003000400000300c83c60c658',
    pocType: 0,
    reorder: 2,
  },
  'high 3.1, four references': {
    hex: '6764001facb281405ff2e022000003000200000300641e3064b0',
    pocType: 2,
    reorder: 0,
  },
  'main 3.0, HRD': {
    hex: '674d401ed900b0126c0440000003004000000c992000c3500186b930c01e2c5c90',
    pocType: 2,
    reorder: 0,
  },
  'high 3.0, aspect ratio, colours, overscan, B pictures': {
    hex: '6764001eacd940b0126c069c040405000003000100000300320f162d96',
    pocType: 0,
    reorder: 2,
  },
  'high 3.0, interlaced': {
    hex: '6764001eace402c0936022000003000200000300643e285490',
    pocType: 0,
    reorder: 0,
  },
  'high 3.0, cropped': {
    hex: '6764001eacb2016824f11580880000030008000003019078b17240',
    pocType: 2,
    reorder: 0,
  },
  'high 10, scaling matrices': {
    hex: '676e000da6cb202c12d808800000030080000019078a1524',
    pocType: 2,
    reorder: 0,
  },
  'high 4:4:4, B pictures': {
    hex: '67f4000d919b282c12d808800000030080000019078a14cb',
    pocType: 0,
    reorder: 2,
  },
};

export const SETS_BY_X264 = Object.entries(X264_SETS).map(([name, set]) => ({ name, ...set, bytes: fromHex(set.hex) }));
