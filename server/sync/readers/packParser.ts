// MPEG program streams (ISO/IEC 13818-1, 2.5): packs, the map of streams, PES packets. Pure except for its own state.

export interface ElementaryPart {
  /** 0xC0 to 0xDF: sound; 0xE0 to 0xEF: pictures. */
  readonly streamId: number;
  /** Type of the stream in the map; undefined where no map came. */
  readonly streamType: number | undefined;
  /** 90 kHz, 33 bits. */
  readonly pts: number | undefined;
  readonly bytes: Uint8Array;
  /** Bytes before it were left out. */
  readonly isBehindLoss: boolean;
}

const Start = { EndOfProgram: 0xb9, Pack: 0xba, System: 0xbb, Map: 0xbc } as const;
const FIRST_STREAM = 0xbc;
/** A packet has its length in 16 bits; one of pictures may leave it out. */
const MAX_OPEN_BYTES = 4 * 1024 * 1024;
const LENGTH_AT = 4;
const BODY_AT = 6;

export class PackParser {
  #bytes: Uint8Array = new Uint8Array();
  readonly #types = new Map<number, number>();
  #isDamaged = false;
  /** Streams with a packet since the last damage: each may have lost something in it. */
  readonly #resumed = new Set<number>();

  push(chunk: Uint8Array): ElementaryPart[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    return this.#read(false);
  }

  end(): ElementaryPart[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): ElementaryPart[] {
    const parts: ElementaryPart[] = [];
    let at = 0;
    for (;;) {
      const size = this.#take(at, isEnd, parts);
      if (size === undefined) break;
      at += size;
    }
    this.#bytes = this.#bytes.subarray(at);
    return parts;
  }

  /** Number of bytes read from a place on; undefined where more must come first. */
  #take(at: number, isEnd: boolean, parts: ElementaryPart[]): number | undefined {
    const bytes = this.#bytes;
    if (bytes.length - at < BODY_AT) return undefined;
    if (!isStart(bytes, at)) return this.#skip(at);
    const code = bytes[at + 3] ?? 0;
    if (code === Start.Pack) return packBytes(bytes, at);
    if (code === Start.EndOfProgram) return 4;
    if (code !== Start.System && code < FIRST_STREAM) return this.#skip(at);
    const said = ((bytes[at + LENGTH_AT] ?? 0) << 8) | (bytes[at + LENGTH_AT + 1] ?? 0);
    const isOpen = said === 0 && isPicture(code);
    const size = isOpen ? this.#openSize(at, isEnd) : BODY_AT + said;
    if (size === undefined) return undefined;
    const isWhole = bytes.length - at >= size;
    if (!isWhole && !isEnd) return undefined;
    // A wrong length leads into the middle of something: nothing of the packet can be trusted.
    const next = at + size;
    if (isWhole && bytes.length - next >= 4 && !isStart(bytes, next)) return this.#skip(at);
    if (!isWhole && !isOpen) return undefined;
    this.#note(code, bytes.subarray(at + BODY_AT, next), parts);
    return size;
  }

  /** Size up to the next pack or packet. */
  #openSize(at: number, isEnd: boolean): number | undefined {
    const bytes = this.#bytes;
    for (let one = bytes.indexOf(1, at + BODY_AT + 2); one >= 0; one = bytes.indexOf(1, one + 1)) {
      const code = bytes[one + 1];
      const isNext = bytes[one - 1] === 0 && bytes[one - 2] === 0 && code !== undefined && code >= Start.EndOfProgram;
      if (isNext) return one - 2 - at;
    }
    if (isEnd || bytes.length - at > MAX_OPEN_BYTES) return bytes.length - at;
    return undefined;
  }

  #skip(at: number): number {
    this.#isDamaged = true;
    this.#resumed.clear();
    const bytes = this.#bytes;
    for (let one = bytes.indexOf(1, at + 3); one >= 0; one = bytes.indexOf(1, one + 1)) {
      const code = bytes[one + 1];
      if (code === Start.Pack && bytes[one - 1] === 0 && bytes[one - 2] === 0) return one - 2 - at;
    }
    return Math.max(1, bytes.length - at - 3);
  }

  #note(code: number, body: Uint8Array, parts: ElementaryPart[]): void {
    if (code === Start.Map) this.#learn(body);
    if (!isPicture(code) && !isSound(code)) return;
    const packet = readPes(body);
    if (packet === undefined) {
      this.#isDamaged = true;
      this.#resumed.delete(code);
      return;
    }
    const isBehindLoss = this.#isDamaged && !this.#resumed.has(code);
    this.#resumed.add(code);
    parts.push({ streamId: code, streamType: this.#types.get(code), ...packet, isBehindLoss });
  }

  /** program_stream_map: 2.5.4. */
  #learn(body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    if (view.byteLength < 6) return;
    const listAt = 4 + view.getUint16(2) + 2;
    if (listAt > view.byteLength) return;
    const listEnd = Math.min(listAt + view.getUint16(listAt - 2), view.byteLength);
    for (let at = listAt; at + 4 <= listEnd; at += 4 + view.getUint16(at + 2)) {
      this.#types.set(view.getUint8(at + 1), view.getUint8(at));
    }
  }
}

function isStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1;
}

const isPicture = (code: number): boolean => code >= 0xe0 && code <= 0xef;
const isSound = (code: number): boolean => code >= 0xc0 && code <= 0xdf;

/** Undefined where more must come first. */
function packBytes(bytes: Uint8Array, at: number): number | undefined {
  // MPEG-1 marks its packs by other bits.
  if (((bytes[at + 4] ?? 0) & 0xf0) === 0x20) return bytes.length - at < 12 ? undefined : 12;
  const stuffing = bytes[at + 13];
  return stuffing === undefined ? undefined : 14 + (stuffing & 7);
}

/** PES_packet from its flags on: 2.4.3.6. */
function readPes(body: Uint8Array): Pick<ElementaryPart, 'pts' | 'bytes'> | undefined {
  const [marks = 0, flags = 0, headerBytes = 0] = body;
  if ((marks & 0xc0) !== 0x80) return readOldPes(body);
  const from = 3 + headerBytes;
  if (from > body.length) return undefined;
  const hasPts = (flags & 0x80) !== 0 && headerBytes >= 5;
  return { pts: hasPts ? readPts(body, 3) : undefined, bytes: body.subarray(from) };
}

/** ISO/IEC 11172-1, 2.4.3.3. */
function readOldPes(body: Uint8Array): Pick<ElementaryPart, 'pts' | 'bytes'> | undefined {
  let at = 0;
  while (at < 16 && body[at] === 0xff) at++;
  if (((body[at] ?? 0) & 0xc0) === 0x40) at += 2;
  const mark = (body[at] ?? 0) >> 4;
  if (mark === 2 && at + 5 <= body.length) return { pts: readPts(body, at), bytes: body.subarray(at + 5) };
  if (mark === 3 && at + 10 <= body.length) return { pts: readPts(body, at), bytes: body.subarray(at + 10) };
  return body[at] === 0x0f ? { pts: undefined, bytes: body.subarray(at + 1) } : undefined;
}

function readPts(body: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = body.subarray(at, at + 5);
  return ((a >> 1) & 7) * 2 ** 30 + (((b << 8) | c) >> 1) * 2 ** 15 + (((d << 8) | e) >> 1);
}
