// The hub: one source, many viewers. It knows channels and packets, and nothing of sockets, terminals or disks:
// a recorder is a viewer like any other, and a terminal is asked for its stream through ChannelSource.
import type { OnLimit } from '../limits/limit.ts';
import { type ChannelKey, channelKeyText } from './channelKey.ts';
import { GopCache } from './gopCache.ts';
import type { HubPacket } from './hubPacket.ts';
import type { OnMediaLoss } from './mediaLoss.ts';

/** `event`: recorded because of an event, whatever else is recorded. */
export type ViewerPurpose = 'viewer' | 'recorder' | 'event';

/** Takes packets in decoding order. Called on the thread that relays: it must return at once and must not throw. */
export interface Viewer {
  /** Left out: somebody watches. */
  readonly purpose?: ViewerPurpose;
  deliver(packet: HubPacket): void;
}

/** Where a source's packets go to. */
export interface ChannelOutput {
  /** Relays one packet. What nobody asked for is dropped. */
  publish(key: ChannelKey, packet: HubPacket): void;
  /** The source's stream broke off: what is cached no longer leads to what comes next. */
  interrupt(key: ChannelKey): void;
  /** What the channel is wanted for now; none while its source is kept for a moment longer. */
  purposes?(key: ChannelKey): readonly ViewerPurpose[];
}

/** Where a channel's packets come from. The hub says when they are wanted; the source sees to the rest, retries included. */
export interface ChannelSource {
  start(key: ChannelKey, output: ChannelOutput): void;
  stop(key: ChannelKey): void;
  /** A viewer of a started channel can decode nothing before the next key frame. */
  keyAwaited?(key: ChannelKey): void;
  /** What a started channel is wanted for is otherwise than before. */
  purposesChanged?(key: ChannelKey): void;
}

export interface Subscription {
  /** Hands the viewer the current group of pictures again, from its key frame on; nothing where none is held. */
  resendGroup(): void;
  /** Safe to call twice. */
  close(): void;
}

export interface HubDeps {
  readonly source: ChannelSource;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit | undefined;
  readonly onMediaLoss?: OnMediaLoss | undefined;
}

/** A page reload leaves and comes back within a second or two; asking the terminal anew each time would cost it a dial. */
const RELEASE_DELAY_MS = 5_000;

interface LiveChannel {
  readonly key: ChannelKey;
  readonly viewers: Set<Viewer>;
  readonly group: GopCache;
  /** What the sound is now; undefined before the first. */
  format: HubPacket | undefined;
  cancelRelease: (() => void) | undefined;
}

/** Counted up since the start. */
export interface Traffic {
  /** Packets of live channels, from terminals. */
  inBytes: number;
  /** What went to viewers' sockets. */
  outBytes: number;
  /** Those sockets, now. */
  viewers: number;
}

export class Hub implements ChannelOutput {
  readonly traffic: Traffic = { inBytes: 0, outBytes: 0, viewers: 0 };
  readonly #deps: HubDeps;
  readonly #channels = new Map<string, LiveChannel>();

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Adds a viewer and hands it the format of the sound and the current group of pictures at once. */
  watch(key: ChannelKey, viewer: Viewer): Subscription {
    const known = this.#known(key);
    const channel = known ?? this.#add(key);
    channel.viewers.add(viewer);
    // The source asks what it is for.
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

  /** Whether somebody looks at a camera of the device; the recorder is nobody. */
  isWatched(deviceId: string): boolean {
    return [...this.#channels.values()].some(
      ({ key, viewers }) =>
        key.deviceId === deviceId && [...viewers].some(({ purpose = 'viewer' }) => purpose === 'viewer'),
    );
  }

  /** A viewer's purpose is another one than before. */
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
