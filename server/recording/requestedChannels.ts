// Channels that are recorded for a while because of an event.
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { ChannelKey } from '../media/channelKey.ts';

/**
 * Channels of all devices that are recorded for a while because of events: each may bring a stream that nothing else wants. Further ones
 * are not recorded, unless a recording schedule says so.
 */
export const REQUESTED_CHANNELS_LIMIT: Limit = { name: 'recording.requested-channels.all', max: 1_000 };

export interface RequestedChannel extends Omit<ChannelKey, 'quality'> {
  readonly archiveId: string;
}

interface Requested {
  readonly channel: RequestedChannel;
  untilMs: number;
}

export class RequestedChannels {
  readonly #onLimit: OnLimit | undefined;
  readonly #requested = new Map<string, Requested>();

  constructor(onLimit: OnLimit | undefined) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#requested.size;
  }

  /** Requests a channel; the later of two ends applies. */
  add(channel: RequestedChannel, untilMs: number): void {
    const key = `${channel.archiveId}/${channel.channel}`;
    const known = this.#requested.get(key);
    if (known !== undefined) known.untilMs = Math.max(known.untilMs, untilMs);
    else if (this.#requested.size >= REQUESTED_CHANNELS_LIMIT.max) this.#onLimit?.(REQUESTED_CHANNELS_LIMIT);
    else this.#requested.set(key, { channel, untilMs });
  }

  /** The channels to record now; ended requests are dropped. */
  at(nowMs: number): RequestedChannel[] {
    for (const [key, { untilMs }] of this.#requested) if (untilMs <= nowMs) this.#requested.delete(key);
    return [...this.#requested.values()].map(({ channel }) => channel);
  }

  /** Call this when the device was deleted. */
  forget(deviceId: string): void {
    for (const [key, { channel }] of this.#requested) if (channel.deviceId === deviceId) this.#requested.delete(key);
  }
}
