// Splits what comes over a control connection into lines. Total: any bytes become lines, and a long one only a mark.

export type ControlLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Telnet's escape. Clients send it with ABOR: IP (0xf4) and the data mark (0xf2), of which the latter may get lost on the way. */
const INTERPRET = 0xff;
const FIRST_TELNET_COMMAND = 0xf0;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const gbk = new TextDecoder('gbk');

export class ControlLines {
  readonly #maxBytes: number;
  #bytes: number[] = [];
  #isTooLong = false;
  #isInterpreting = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): ControlLine[] {
    const lines: ControlLine[] = [];
    for (const byte of chunk) {
      if (this.#isTelnet(byte)) continue;
      if (byte === LINE_FEED) lines.push(this.#end());
      else this.#add(byte);
    }
    return lines;
  }

  /** A command that isn't one of telnet's belongs to the line: the data mark before it was urgent data, and left out. */
  #isTelnet(byte: number): boolean {
    if (this.#isInterpreting) {
      this.#isInterpreting = false;
      return byte >= FIRST_TELNET_COMMAND;
    }
    this.#isInterpreting = byte === INTERPRET;
    return this.#isInterpreting;
  }

  #add(byte: number): void {
    if (this.#bytes.length < this.#maxBytes) this.#bytes.push(byte);
    else this.#isTooLong = true;
  }

  #end(): ControlLine {
    const bytes = Uint8Array.from(this.#bytes.at(-1) === CARRIAGE_RETURN ? this.#bytes.slice(0, -1) : this.#bytes);
    const isTooLong = this.#isTooLong;
    this.#bytes = [];
    this.#isTooLong = false;
    return isTooLong ? { kind: 'too-long' } : { kind: 'line', text: textOf(bytes) };
  }
}

/** Terminals write names in UTF-8 or in GBK, and don't say which. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return gbk.decode(bytes);
  }
}
