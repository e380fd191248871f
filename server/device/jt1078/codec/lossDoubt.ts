// A gap in a count that several tracks share: whose packets are missing shows only when each of them has sent again.

import type { MediaTrack } from './mediaTrack.ts';
import type { MediaPacket } from './packet.ts';

export interface DoubtVerdict {
  readonly tracks: readonly MediaTrack[];
  /** Whether they have lost something. */
  readonly isLost: boolean;
}

export class LossDoubt {
  /** The connection's packets up to the first gap. */
  readonly startPacket: number;
  /** Have sent nothing since the last gap. */
  readonly #silent = new Set<MediaTrack>();
  /** Pictures whose own packets do not show whether one is missing. */
  readonly #unsure = new Set<MediaTrack>();
  #missing = 0;
  /** Of the missing packets, those whose track is known; undefined: not to be counted. */
  #accounted: number | undefined = 0;

  constructor(startPacket: number) {
    this.startPacket = startPacket;
  }

  get isSettled(): boolean {
    return this.#silent.size === 0 && this.#unsure.size === 0;
  }

  /** Those of whom it is not known whether they have lost something. */
  get openTracks(): readonly MediaTrack[] {
    return [...new Set([...this.#silent, ...this.#unsure])];
  }

  /** Packets are missing, of any of the tracks. */
  add(tracks: readonly MediaTrack[], missing: number): void {
    for (const track of tracks) this.#silent.add(track);
    this.#missing += missing;
  }

  /** Takes a packet before its track does; says whether the track has lost something, where this packet is to show it. */
  hear(track: MediaTrack, packet: MediaPacket): 'lost' | 'unsure' | undefined {
    if (!this.#silent.delete(track)) return undefined;
    const loss = track.lossBefore(packet);
    switch (loss.kind) {
      case 'none':
        return undefined;
      case 'some':
        this.#account(loss.packets);
        this.#unsure.delete(track);
        return 'lost';
      case 'unknown':
        if (track.media === 'video') {
          this.#unsure.add(track);
          return 'unsure';
        }
        // A break in the sound costs nothing but a mark, so nothing is held back for it.
        this.#account(undefined);
        return 'lost';
    }
  }

  /** What is known by now of the tracks that were unsure. */
  settle(): DoubtVerdict | undefined {
    if (this.#unsure.size === 0) return undefined;
    const isExplained = this.#accounted === this.#missing;
    if (!isExplained && this.#accounted !== undefined && this.#silent.size > 0) return undefined;
    const tracks = [...this.#unsure];
    this.#unsure.clear();
    return { tracks, isLost: !isExplained };
  }

  /** The track counts as having lost something, whatever the others would have shown. */
  giveUp(track: MediaTrack): void {
    this.#silent.delete(track);
    this.#unsure.delete(track);
    this.#account(undefined);
  }

  #account(packets: number | undefined): void {
    this.#accounted = this.#accounted === undefined || packets === undefined ? undefined : this.#accounted + packets;
  }
}
