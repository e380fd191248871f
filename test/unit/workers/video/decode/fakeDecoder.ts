import type { Decoder } from '../../../../../workers/video/decode/streamDecoder.ts';

/** A frame that knows whether it was closed. */
export class FakeFrame {
  readonly timestamp: number;
  readonly displayWidth: number;
  readonly displayHeight: number;
  closeCount = 0;

  constructor(timestamp: number, size = { width: 640, height: 360 }) {
    this.timestamp = timestamp;
    this.displayWidth = size.width;
    this.displayHeight = size.height;
  }

  close(): void {
    this.closeCount++;
  }
}

/** A decoder that does what the test says; it gives pictures only when asked for them. */
export class FakeDecoder implements Decoder {
  state: CodecState = 'unconfigured';
  readonly configs: VideoDecoderConfig[] = [];
  readonly chunks: EncodedVideoChunkInit[] = [];
  readonly #init: VideoDecoderInit;
  decodeError: Error | undefined;

  constructor(init: VideoDecoderInit) {
    this.#init = init;
  }

  configure(config: VideoDecoderConfig): void {
    this.configs.push(config);
    this.state = 'configured';
  }

  decode(chunk: EncodedVideoChunk): void {
    if (this.decodeError !== undefined) throw this.decodeError;
    this.chunks.push(chunk as unknown as EncodedVideoChunkInit);
  }

  flushes = 0;
  #endFlush = (): void => {};

  /** Ends with `endFlush`. */
  flush(): Promise<void> {
    this.flushes++;
    return new Promise((resolve) => {
      this.#endFlush = resolve;
    });
  }

  endFlush(): void {
    this.#endFlush();
  }

  resets = 0;

  reset(): void {
    this.resets++;
    this.state = 'unconfigured';
  }

  close(): void {
    this.state = 'closed';
  }

  output(frame: FakeFrame): void {
    this.#init.output(frame as unknown as VideoFrame);
  }

  fail(name: string): void {
    this.state = 'closed';
    this.#init.error(new DOMException('the decoder gave up', name));
  }
}

/** In place of an EncodedVideoChunk: its init, readable. */
export const fakeChunk = (init: EncodedVideoChunkInit): EncodedVideoChunk => init as unknown as EncodedVideoChunk;
