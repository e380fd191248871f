// The hub: one source, many viewers. It knows channels and packets, but no sockets, terminals or disks: a recorder is a viewer like
// any other, and a terminal is asked for its stream through ChannelSource.
import type { OnLimit } from '../limits/limit.ts';
import { type ChannelKey, channelKeyText } from './channelKey.ts';
import { GopCache } from './gopCache.ts';
import type { HubPacket } from './hubPacket.ts';
import type { OnMediaLoss } from './mediaLoss.ts';

/** `event`: recorded because of an event, even if nothing else is recorded. */
export type ViewerPurpose = 'viewer' | 'recorder' | 'event';

/** Takes packets in decoding order. Called on the relaying thread: it must return at once and must not throw. */
export interface Viewer {
  /** Missing: a member watches. */
  readonly purpose?: ViewerPurpose;
  deliver(packet: HubPacket): void;
}

/** The destination of a source's packets. */
export interface ChannelOutput {
  /** Relays one packet. A packet that has no viewer is dropped. */
  publish(key: ChannelKey, packet: HubPacket): void;
  /** The source's stream broke off: the cached pictures do not continue into the next ones. */
  interrupt(key: ChannelKey): void;
  /** The present purposes of the channel; none while its source is kept for a moment longer. */
  purposes?(key: ChannelKey): readonly ViewerPurpose[];
}

/** The source of a channel's packets. The hub decides when they are wanted; the source does the rest, retries included. */
export interface ChannelSource {
  start(key: ChannelKey, output: ChannelOutput): void;
  stop(key: ChannelKey): void;
  /** A viewer of a started channel can decode nothing until the next key frame. */
  keyAwaited?(key: ChannelKey): void;
  /** The purposes of a started channel have changed. */
  purposesChanged?(key: ChannelKey): void;
}

export interface Subscription {
  /** Hands the viewer the current group of pictures again, from its key frame on; nothing if none is cached. */
  resendGroup(): void;
  /** May be called twice. */
  close(): void;
}

export interface HubDeps {
  readonly source: ChannelSource;
  /** Runs something later; returns a function that cancels it. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit | undefined;
  readonly onMediaLoss?: OnMediaLoss | undefined;
}

/** A page reload leaves and comes back within a second or two; asking the terminal again each time would cost it a dial. */
const RELEASE_DELAY_MS = 5_000;

interface LiveChannel {
  readonly key: ChannelKey;
  readonly viewers: Set<Viewer>;
  readonly group: GopCache;
  /** The present sound format; undefined before the first. */
  format: HubPacket | undefined;
  cancelRelease: (() => void) | undefined;
}

/** Totals since the start. */
export interface Traffic {
  /** Packets of live channels, from terminals. */
  inBytes: number;
  /** Bytes sent to viewers' sockets. */
  outBytes: number;
  /** Number of viewers' sockets now. */
  viewers: number;
}

export class Hub implements ChannelOutput {
  readonly traffic: Traffic = { inBytes: 0, outBytes: 0, viewers: 0 };
  readonly #deps: HubDeps;
  readonly #channels = new Map<string, LiveChannel>();

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Adds a viewer and hands it the sound format and the current group of pictures at once. */
  watch(key: ChannelKey, viewer: Viewer): Subscription {
    const known = this.#known(key);
    const channel = known ?? this.#add(key);
    channel.viewers.add(viewer);
    // The source asks for the purposes, so the viewer is added first.
    if (known === undefined) this.#deps.source.start(key, this);
    else this.#deps.source.purposesChanged?.(key);
    if (known !== undefined && channel.format !== undefined) viewer.deliver(channel.format);
    const sendGroup = (): void => {
      const packets = channel.group.packets();
      if (packets.length === 0) this.#deps.source.keyAwaited?.(key);
      for (const packet of packets) viewer.deliver(packet);
    };
    if (known !== undefined) sendGroup();
    let open = true;
    return {
      resendGroup: () => {
        if (open) sendGroup();
      },
      close: () => {
        if (!open) return;
        open = false;
        this.#leave(channel, viewer);
      },
    };
  }

  publish(key: ChannelKey, packet: HubPacket): void {
    const channel = this.#channels.get(channelKeyText(key));
    if (channel === undefined) return;
    this.traffic.inBytes += packet.bytes.byteLength;
    if (packet.isFormat === true) channel.format = packet;
    channel.group.add(packet);
    for (const viewer of channel.viewers) viewer.deliver(packet);
  }

  interrupt(key: ChannelKey): void {
    const channel = this.#channels.get(channelKeyText(key));
    if (channel === undefined) return;
    channel.group.clear();
    channel.format = undefined;
  }

  purposes(key: ChannelKey): readonly ViewerPurpose[] {
    const viewers = this.#channels.get(channelKeyText(key))?.viewers ?? [];
    return [...new Set([...viewers].map(({ purpose = 'viewer' }) => purpose))];
  }

  /** Whether any viewer other than the recorder watches a camera of the device. */
  isWatched(deviceId: string): boolean {
    return [...this.#channels.values()].some(
      ({ key, viewers }) =>
        key.deviceId === deviceId && [...viewers].some(({ purpose = 'viewer' }) => purpose === 'viewer'),
    );
  }

  /** Called when a viewer's purpose has changed. */
  purposesChanged(key: ChannelKey): void {
    if (this.#channels.has(channelKeyText(key))) this.#deps.source.purposesChanged?.(key);
  }

  /** A viewer's connection did not take the rest of a group of pictures. */
  noteViewerLoss(key: ChannelKey): void {
    this.#deps.onMediaLoss?.('viewer-group', 1, key);
    this.#deps.source.keyAwaited?.(key);
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  viewerCount(key: ChannelKey): number {
    return this.#channels.get(channelKeyText(key))?.viewers.size ?? 0;
  }

  /** Releases every source at once. */
  close(): void {
    for (const [text, channel] of this.#channels) {
      channel.cancelRelease?.();
      this.#channels.delete(text);
      this.#deps.source.stop(channel.key);
    }
  }

  #known(key: ChannelKey): LiveChannel | undefined {
    const known = this.#channels.get(channelKeyText(key));
    known?.cancelRelease?.();
    if (known !== undefined) known.cancelRelease = undefined;
    return known;
  }

  #add(key: ChannelKey): LiveChannel {
    const channel: LiveChannel = {
      key,
      viewers: new Set(),
      group: new GopCache(this.#deps.onLimit),
      format: undefined,
      cancelRelease: undefined,
    };
    this.#channels.set(channelKeyText(key), channel);
    return channel;
  }

  #leave(channel: LiveChannel, viewer: Viewer): void {
    channel.viewers.delete(viewer);
    const text = channelKeyText(channel.key);
    if (this.#channels.get(text) !== channel) return;
    if (channel.viewers.size > 0) {
      this.#deps.source.purposesChanged?.(channel.key);
      return;
    }
    channel.cancelRelease = this.#deps.runAfter(RELEASE_DELAY_MS, () => {
      this.#channels.delete(text);
      this.#deps.source.stop(channel.key);
    });
  }
}
