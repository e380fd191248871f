/** The buffers that held views keep in memory. Each counts as a whole, and once: frames of one socket chunk share its buffer. */
export class HeldBuffers {
  readonly #views = new Map<ArrayBufferLike, number>();

  /** Returns the bytes that the view adds to what is held. */
  add({ buffer }: Uint8Array): number {
    const views = this.#views.get(buffer) ?? 0;
    this.#views.set(buffer, views + 1);
    return views === 0 ? buffer.byteLength : 0;
  }

  /** Takes back one `add` of a view of this buffer. Returns the bytes that are no longer held. */
  remove({ buffer }: Uint8Array): number {
    const views = this.#views.get(buffer) ?? 0;
    if (views > 1) this.#views.set(buffer, views - 1);
    else this.#views.delete(buffer);
    return views === 1 ? buffer.byteLength : 0;
  }
}
