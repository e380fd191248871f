import { type ChannelKey, channelKeyText } from '../stream/channelKey.ts';
import type { ChannelSource } from '../stream/hub.ts';
import { LiveStream, type LiveStreamDeps } from './liveStream.ts';

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

  start(key: ChannelKey): void {
    this.#streams.set(channelKeyText(key), { key, stream: new LiveStream(key, this.#deps) });
  }

  stop(key: ChannelKey): void {
    const text = channelKeyText(key);
    this.#streams.get(text)?.stream.close();
    this.#streams.delete(text);
  }

  close(): void {
    this.#unsubscribe();
    for (const { stream } of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  #restart(deviceId: string): void {
    for (const { key, stream } of this.#streams.values()) if (key.deviceId === deviceId) stream.deviceOnline();
  }
}
