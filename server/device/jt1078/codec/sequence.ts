/** Which packets a gap may have cost: the standard does not say whether channels and media share one count. */
export type GapScope = 'connection' | 'channel' | 'track';

interface Counted {
  readonly channel: number;
  readonly sequence: number;
}

/**
 * Watches the packet counts of one connection. A packet that follows its predecessor in any count is no gap;
 * how far a real gap reaches is learned where the connection changes from one track to another.
 */
export class SequenceWatch {
  readonly #channels = new Map<number, number>();
  readonly #tracks = new Map<string, number>();
  #connection: number | undefined;
  #lastTrack: string | undefined;
  #scope: GapScope = 'track';

  /** The scope of the packets that are missing before this one, undefined where none is. `track` is any key. */
  observe(packet: Counted, track: string): GapScope | undefined {
    const { channel, sequence } = packet;
    const isFirst = this.#connection === undefined;
    const inConnection = follows(this.#connection, sequence);
    const inChannel = follows(this.#channels.get(channel), sequence);
    const inTrack = follows(this.#tracks.get(track), sequence);
    if (track !== this.#lastTrack) {
      if (inConnection && !inTrack) this.#scope = 'connection';
      else if (inChannel && !inTrack) this.#scope = 'channel';
      else if (inTrack && !inConnection) this.#scope = 'track';
    }
    // The first packet of a track has a predecessor only where the count is shared.
    const isNew = !this.#tracks.has(track) && (this.#scope === 'track' || isFirst);
    this.#connection = sequence;
    this.#channels.set(channel, sequence);
    this.#tracks.set(track, sequence);
    this.#lastTrack = track;
    return isNew || inConnection || inChannel || inTrack ? undefined : this.#scope;
  }
}

/** A count that stands still is that of a terminal that does not count; TCP delivers nothing twice. */
function follows(before: number | undefined, sequence: number): boolean {
  return before !== undefined && ((sequence - before) & 0xffff) <= 1;
}
