// The pictures that lie on a terminal's storage.
import type { BasicPosition } from '../../server/device/jt808/codec/messages/position.ts';

export interface StoredPicture {
  readonly mediaId: number;
  readonly channel: number;
  /** Why it was taken, as 0x0800 counts. */
  readonly event: number;
  readonly atMs: number;
  /** Where it was taken, and when by the terminal's clock. */
  readonly position: BasicPosition;
  readonly isSmall: boolean;
  /** 1 to 100. */
  readonly quality: number;
}

/** What 0x8802 and 0x8803 ask for; channel 0: all. */
export interface PictureSearch {
  readonly type: number;
  readonly channel: number;
  readonly event: number;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** Beyond it the oldest is overwritten. */
const MAX_PICTURES = 50;
const PICTURES = 0;

export class StoredPictures {
  readonly #pictures = new Map<number, StoredPicture>();
  #taken = 0;

  add(picture: Omit<StoredPicture, 'mediaId'>): StoredPicture {
    this.#taken++;
    const stored = { ...picture, mediaId: this.#taken };
    this.#pictures.set(stored.mediaId, stored);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > MAX_PICTURES && oldest !== undefined) this.#pictures.delete(oldest);
    return stored;
  }

  get(mediaId: number): StoredPicture | undefined {
    return this.#pictures.get(mediaId);
  }

  remove(mediaId: number): void {
    this.#pictures.delete(mediaId);
  }

  find({ type, channel, event, start = 0, end = Number.POSITIVE_INFINITY }: PictureSearch): StoredPicture[] {
    if (type !== PICTURES) return [];
    return [...this.#pictures.values()].filter((picture) => {
      const { time = 0 } = picture.position;
      const isOfChannel = channel === 0 || picture.channel === channel;
      return isOfChannel && picture.event === event && time >= start && time <= end;
    });
  }
}
