import { type ChannelKey, channelKeyText } from '../media/channelKey.ts';
import type { ChannelOutput, ChannelSource } from '../media/hub.ts';
import { type LiveStatus, LiveStream, type LiveStreamDeps } from './liveStream.ts';

/** The hub's source of live channels: terminals, asked when somebody wants to see. */
export class LiveSource implements ChannelSource {
  readonly #deps: LiveStreamDeps;
  readonly #streams = new Map<string, { readonly key: ChannelKey; readonly stream: LiveStream }>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(deps: LiveStreamDeps) {
    this.#deps = deps;
    this.#unsubscribe = [
      deps.registry.subscribe((deviceId, presence) => {
        if (presence !== undefined) this.#restart(deviceId);
      }),
      deps.plans.subscribe((deviceId) => this.#plansChanged(deviceId)),
    ];
  }

  start(key: ChannelKey, output: ChannelOutput): void {
    this.#streams.set(channelKeyText(key), { key, stream: new LiveStream(key, output, this.#deps) });
  }

  purposesChanged(key: ChannelKey): void {
    this.#streams.get(channelKeyText(key))?.stream.planChanged();
  }

  keyAwaited(key: ChannelKey): void {
    this.#streams.get(channelKeyText(key))?.stream.keyAwaited();
  }

  stop(key: ChannelKey): void {
    const text = channelKeyText(key);
    const stopped = this.#streams.get(text)?.stream;
    this.#streams.delete(text);
    // 0x9102 names no stream: it would end the channel's other stream as well. Closing the socket ends only this one.
    stopped?.close(!this.#isChannelWanted(key));
  }

  /** The device was replaced. Media of its terminal must not reach viewers of the device that has its id now. */
  forget(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.forget();
  }

  /** Undefined for a stream that nobody wants. */
  status(key: ChannelKey): LiveStatus | undefined {
    return this.#streams.get(channelKeyText(key))?.stream.status;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const { stream } of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  #isChannelWanted({ deviceId, channel }: ChannelKey): boolean {
    return [...this.#streams.values()].some(({ key }) => key.deviceId === deviceId && key.channel === channel);
  }

  #plansChanged(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.planChanged();
  }

  #restart(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.deviceOnline();
  }
}
