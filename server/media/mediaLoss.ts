// What is lost of terminals' media on its way to viewers, counted since the gateway started.

import { type ChannelLoss, MEDIA_LOSS_KINDS, type MediaLossKind } from '../../shared/protocol/api/connectionTest.ts';

export type { MediaLossKind } from '../../shared/protocol/api/connectionTest.ts';

interface LossPlace {
  readonly deviceId: string;
  readonly channel: number;
}

/** `place` is undefined if no channel was requested, or if it isn't known which of several lost the data. */
export type OnMediaLoss = (kind: MediaLossKind, count: number, place: LossPlace | undefined) => void;

type Counts = Record<MediaLossKind, number>;

/** Counts for requested channels only, so for at most as many as devices have. */
export class MediaLoss {
  readonly #totals = noCounts();
  readonly #devices = new Map<string, Map<number, Counts>>();

  get totals(): ChannelLoss['counts'] {
    return this.#totals;
  }

  readonly note: OnMediaLoss = (kind, count, place) => {
    this.#totals[kind] += count;
    if (place === undefined) return;
    const channels = this.#devices.get(place.deviceId) ?? new Map<number, Counts>();
    const counts = channels.get(place.channel) ?? noCounts();
    counts[kind] += count;
    channels.set(place.channel, counts);
    this.#devices.set(place.deviceId, channels);
  };

  /** Channels that have lost something, in order. */
  of(deviceId: string): ChannelLoss[] {
    const channels = [...(this.#devices.get(deviceId) ?? [])].map(([channel, counts]) => ({ channel, counts }));
    return channels.sort((left, right) => left.channel - right.channel);
  }

  forget(deviceId: string): void {
    this.#devices.delete(deviceId);
  }
}

function noCounts(): Counts {
  return Object.fromEntries(MEDIA_LOSS_KINDS.map((kind) => [kind, 0])) as Counts;
}
