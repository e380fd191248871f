// The channels that are recorded now: subscribed at the hub, written in rounds, closed when no longer wanted.
import type { ChannelKey } from '../stream/channelKey.ts';
import { channelKeyText } from '../stream/channelKey.ts';
import type { Hub, Subscription } from '../stream/hub.ts';
import { ChannelRecorder, type ChannelRecorderDeps, type OpenSegment } from './channelRecorder.ts';
import { Lane } from './lane.ts';

interface Recorded {
  readonly recorder: ChannelRecorder;
  readonly subscription: Subscription;
}

/** One of the four threads that the process has for files is left to the others. */
const WRITES_AT_A_TIME = 3;

export class ChannelSet {
  readonly #hub: Pick<Hub, 'watch'>;
  readonly #deps: ChannelRecorderDeps;
  readonly #lane = new Lane(WRITES_AT_A_TIME);
  readonly #channels = new Map<string, Recorded>();
  /** No longer wanted, not closed yet. */
  readonly #leaving = new Set<ChannelRecorder>();

  constructor(hub: Pick<Hub, 'watch'>, deps: ChannelRecorderDeps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  get size(): number {
    return this.#channels.size;
  }

  /** Begins those that are missing, ends those that are too many. */
  want(keys: readonly ChannelKey[]): void {
    const wanted = new Map(keys.map((key) => [channelKeyText(key), key]));
    for (const [text, recorded] of this.#channels) if (!wanted.has(text)) this.#end(text, recorded);
    for (const [text, key] of wanted) if (!this.#channels.has(text)) this.#begin(text, key);
  }

  openSegments(): OpenSegment[] {
    const recorders = [...this.#leaving, ...[...this.#channels.values()].map(({ recorder }) => recorder)];
    return recorders.flatMap(({ open }) => (open === undefined ? [] : [open]));
  }

  /** Writes what has come for all of them. */
  async flush(): Promise<void> {
    const recorders = [...this.#channels.values()].map(({ recorder }) => recorder);
    await Promise.all(recorders.map((recorder) => this.#lane.run(() => recorder.flush())));
  }

  /** Writes what has come and makes every segment whole. */
  async close(): Promise<void> {
    this.want([]);
    await Promise.all([...this.#leaving].map((recorder) => recorder.close()));
  }

  /** Lets go of all files as they are: the disk takes nothing. */
  async abandon(): Promise<void> {
    const recorders = [...this.#channels.values()];
    this.#channels.clear();
    for (const { subscription } of recorders) subscription.close();
    await Promise.all([...recorders.map(({ recorder }) => recorder), ...this.#leaving].map((each) => each.abandon()));
  }

  #begin(text: string, key: ChannelKey): void {
    const recorder = new ChannelRecorder(key, this.#deps);
    this.#channels.set(text, { recorder, subscription: this.#hub.watch(key, recorder) });
  }

  #end(text: string, { recorder, subscription }: Recorded): void {
    subscription.close();
    this.#channels.delete(text);
    this.#leaving.add(recorder);
    // Never rejects: what fails is told to the recorder's `onFailed`.
    void this.#lane.run(() => recorder.close()).then(() => this.#leaving.delete(recorder));
  }
}
