// A gap in a count that several tracks share. Which track lost packets is known only when each of them has sent again.

import type { MediaTrack } from './mediaTrack.ts';
import type { MediaPacket } from './packet.ts';

export interface DoubtVerdict {
  readonly tracks: readonly MediaTrack[];
  /** Whether the tracks have lost something. */
  readonly isLost: boolean;
}

export class LossDoubt {
  /** Number of the connection's packets up to the first gap. */
  readonly startPacket: number;
  /** Tracks that have sent nothing since the last gap. */
  readonly #silent = new Set<MediaTrack>();
  /** Video tracks whose own packets don't show whether one is missing. */
  readonly #unsure = new Set<MediaTrack>();
  #missing = 0;
  /** How many of the missing packets are attributed to a track; undefined if that can't be counted. */
  #accounted: number | undefined = 0;

  constructor(startPacket: number) {
    this.startPacket = startPacket;
  }

  get isSettled(): boolean {
    return this.#silent.size === 0 && this.#unsure.size === 0;
  }

  /** Tracks of which it isn't known whether they have lost something. */
  get openTracks(): readonly MediaTrack[] {
    return [...new Set([...this.#silent, ...this.#unsure])];
  }

  /** Packets are missing, of any of the tracks. */
  add(tracks: readonly MediaTrack[], missing: number): void {
    for (const track of tracks) this.#silent.add(track);
    this.#missing += missing;
  }

  /** Takes a packet before its track does. Says whether the track has lost something, if this is the packet that shows it. */
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
        // A gap in the sound only needs a mark, so sound frames aren't held until more is known.
        this.#account(undefined);
        return 'lost';
    }
  }

  /** What is known by now of the unsure tracks. */
  settle(): DoubtVerdict | undefined {
    if (this.#unsure.size === 0) return undefined;
    const isExplained = this.#accounted === this.#missing;
    if (!isExplained && this.#accounted !== undefined && this.#silent.size > 0) return undefined;
    const tracks = [...this.#unsure];
    this.#unsure.clear();
    return { tracks, isLost: !isExplained };
  }

  /** Counts the track as having lost something, whatever the others might still show. */
  giveUp(track: MediaTrack): void {
    this.#silent.delete(track);
    this.#unsure.delete(track);
    this.#account(undefined);
  }

  #account(packets: number | undefined): void {
    this.#accounted = this.#accounted === undefined || packets === undefined ? undefined : this.#accounted + packets;
  }
}
