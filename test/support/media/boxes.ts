// Reads the boxes of MP4 files (ISO/IEC 14496-12), so that tests see what was written as a reader sees it.

export interface BoxView {
  readonly type: string;
  /** Offset of the box in the bytes that were read. */
  readonly start: number;
  readonly size: number;
  /** The bytes after the header of 8 bytes. */
  readonly body: Uint8Array;
  readonly children: readonly BoxView[];
}

const CONTAINERS = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl', 'mvex', 'moof', 'traf', 'mfra']);

/** The boxes of a file. Throws where sizes do not fit. */
export function readBoxes(bytes: Uint8Array, from = 0): BoxView[] {
  const boxes: BoxView[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = viewOf(bytes).getUint32(at);
    if (size < 8 || at + size > bytes.length) throw new Error(`a box of ${size} bytes at ${from + at}`);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + size);
    const children = CONTAINERS.has(type) ? readBoxes(body, from + at + 8) : [];
    boxes.push({ type, start: from + at, size, body, children });
    at += size;
  }
  return boxes;
}

/** The one box at a path of types. */
export function boxAt(boxes: readonly BoxView[], ...path: readonly string[]): BoxView {
  const [type, ...rest] = path;
  const [found, another] = boxes.filter((box) => box.type === type);
  if (found === undefined || another !== undefined) throw new Error(`not one box ${String(type)}`);
  return rest.length === 0 ? found : boxAt(found.children, ...rest);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface ReadSample {
  readonly trackId: number;
  readonly decodeTime: number;
  readonly duration: number;
  readonly offset: number;
  readonly flags: number;
  readonly bytes: Uint8Array;
}

/** The samples of all fragments of a file, each track's in order. */
export function readSamples(file: Uint8Array): ReadSample[] {
  const boxes = readBoxes(file);
  return boxes
    .filter(({ type }) => type === 'moof')
    .flatMap((moof) =>
      moof.children.filter(({ type }) => type === 'traf').flatMap((traf) => readRun(file, moof, traf)),
    );
}

function readRun(file: Uint8Array, moof: BoxView, traf: BoxView): ReadSample[] {
  const header = new Fields(boxAt(traf.children, 'tfhd').body);
  const has = header.u32() & 0xff_ffff;
  const trackId = header.u32();
  if ((has & 0x2_0000) === 0) throw new Error('offsets are not counted from the fragment');
  const defaults = {
    duration: has & 0x8 ? header.u32() : undefined,
    size: has & 0x10 ? header.u32() : undefined,
    flags: has & 0x20 ? header.u32() : undefined,
  };
  header.end();
  let decodeTime = Number(viewOf(boxAt(traf.children, 'tfdt').body).getBigUint64(4));
  const run = new Fields(boxAt(traf.children, 'trun').body);
  const given = run.u32() & 0xff_ffff;
  const count = run.u32();
  let at = moof.start + (given & 0x1 ? run.i32() : 0);
  const firstFlags = given & 0x4 ? run.u32() : undefined;
  const samples: ReadSample[] = [];
  for (let index = 0; index < count; index++) {
    const duration = given & 0x100 ? run.u32() : defaults.duration;
    const size = given & 0x200 ? run.u32() : defaults.size;
    const own = given & 0x400 ? run.u32() : defaults.flags;
    const flags = index === 0 ? (firstFlags ?? own) : own;
    const offset = given & 0x800 ? run.i32() : 0;
    if (duration === undefined || size === undefined || flags === undefined)
      throw new Error('a sample is not described');
    samples.push({ trackId, decodeTime, duration, offset, flags, bytes: file.subarray(at, at + size) });
    at += size;
    decodeTime += duration;
  }
  run.end();
  return samples;
}

class Fields {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = viewOf(bytes);
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4);
  }

  i32(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4);
  }

  end(): void {
    if (this.#at !== this.#view.byteLength) throw new Error(`${this.#view.byteLength - this.#at} bytes are left over`);
  }
}
