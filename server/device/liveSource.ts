import { type ChannelKey, channelKeyText } from '../media/channelKey.ts';
import type { ChannelOutput, ChannelSource } from '../media/hub.ts';
import { type LiveStatus, LiveStream, type LiveStreamDeps } from './liveStream.ts';

/** The hub's source of live channels: terminals, asked when somebody wants to see. */
export class LiveSource implements ChannelSource {
  readonly #deps: LiveStreamDeps;
  readonly #streams = new Map<string, { readonly key: ChannelKey; readonly stream: LiveStream }>();
  readonly #unsubscribe: () => void;

  constructor(deps: LiveStreamDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.registry.subscribe((deviceId, presence) => {
      if (presence !== undefined) this.#restart(deviceId);
    });
  }

  start(key: ChannelKey, output: ChannelOutput): void {
    this.#streams.set(channelKeyText(key), { key, stream: new LiveStream(key, output, this.#deps) });
  }

  stop(key: ChannelKey): void {
    const text = channelKeyText(key);
    const stopped = this.#streams.get(text)?.stream;
    this.#streams.delete(text);
    // The command names no stream: it would end the channel's other one as well. Closing the socket ends this one.
    stopped?.close(!this.#isChannelWanted(key));
  }

  /** What its terminal sends is not for those who watch the device that has the id now. */
  forget(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.forget();
  }

  /** Undefined for a stream that nobody wants. */
  status(key: ChannelKey): LiveStatus | undefined {
    return this.#streams.get(channelKeyText(key))?.stream.status;
  }

  close(): void {
    this.#unsubscribe();
    for (const { stream } of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  #isChannelWanted({ deviceId, channel }: ChannelKey): boolean {
    return [...this.#streams.values()].some(({ key }) => key.deviceId === deviceId && key.channel === channel);
  }

  #restart(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.deviceOnline();
  }
}
