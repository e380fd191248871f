/** Big-endian fields over one growing buffer, and boxes (ISO/IEC 14496-12, 4.2) whose sizes are filled in when they end. */
export class BoxWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** `type` has four letters. */
  box(type: string, write: () => void): void {
    const start = this.#length;
    this.u32(0);
    this.ascii(type);
    write();
    this.setU32(start, this.#length - start);
  }

  fullBox(type: string, { version = 0, flags = 0 }: { version?: number; flags?: number }, write: () => void): void {
    this.box(type, () => {
      this.u32(version * 2 ** 24 + flags);
      write();
    });
  }

  u8(value: number): void {
    const at = this.#claim(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#claim(2);
    this.#view.setUint16(at, value);
  }

  u24(value: number): void {
    this.u8(value >>> 16);
    this.u16(value & 0xffff);
  }

  u32(value: number): void {
    const at = this.#claim(4);
    this.#view.setUint32(at, value);
  }

  i32(value: number): void {
    const at = this.#claim(4);
    this.#view.setInt32(at, value);
  }

  /** Writes a whole number that a double holds exactly. */
  u64(value: number): void {
    this.u32(Math.floor(value / 2 ** 32));
    this.u32(value % 2 ** 32);
  }

  ascii(text: string): void {
    for (let at = 0; at < text.length; at++) this.u8(text.charCodeAt(at));
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#claim(bytes.byteLength);
    this.#bytes.set(bytes, at);
  }

  zeros(count: number): void {
    this.#claim(count);
  }

  /** Fills in a field that was written before its value was known. */
  setU32(at: number, value: number): void {
    this.#view.setUint32(at, value);
  }

  /** The bytes written. The writer must not be used any more. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The offset of the next `count` bytes, which are 0. The buffer may be another one afterwards. */
  #claim(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.byteLength * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}
