// A second place where a stream's pictures are shown: a media track of the page, such as picture-in-picture wants.

/** Owns the stream that it writes to; the pictures belong to the caller. */
export class PictureMirror {
  readonly #writer: WritableStreamDefaultWriter<VideoFrame>;
  #isBroken = false;

  constructor(writable: WritableStream<VideoFrame>) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {
      this.#isBroken = true;
    });
  }

  /** Whoever reads slower than pictures come misses some: none is kept for later. */
  show(frame: VideoFrame): void {
    if (this.#isBroken || (this.#writer.desiredSize ?? 0) <= 0) return;
    const copy = frame.clone();
    // What is written belongs to the reader, who closes it; a refused one comes back.
    this.#writer.write(copy).catch(() => copy.close());
  }

  /** Safe to call twice. */
  close(): void {
    this.#isBroken = true;
    this.#writer.close().catch(() => undefined); // the reader has gone already
  }
}
