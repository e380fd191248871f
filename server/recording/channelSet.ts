// The channels that are recorded now: subscribed at the hub, written in rounds, closed when no longer wanted.
import { inBackground } from '../faults/background.ts';
import { channelKeyText } from '../media/channelKey.ts';
import type { Hub, Subscription } from '../media/hub.ts';
import { ChannelRecorder, type ChannelRecorderDeps, type OpenSegment } from './channelRecorder.ts';
import type { RecordingKey } from './recordingPlan.ts';
import { Semaphore } from './semaphore.ts';

type RecordedHub = Pick<Hub, 'watch'> & Partial<Pick<Hub, 'purposesChanged'>>;

interface Recorded {
  key: RecordingKey;
  readonly recorder: ChannelRecorder;
  readonly subscription: Subscription;
}

/** Node has four threads for file access: one is left for other work, and syncs, which take long, share one. */
const WRITES_AT_A_TIME = 2;
const SYNCS_AT_A_TIME = 1;

export class ChannelSet {
  /** Undefined until the video path is there. */
  #hub: RecordedHub | undefined;
  readonly #deps: ChannelRecorderDeps;
  readonly #semaphore = new Semaphore(WRITES_AT_A_TIME);
  readonly #channels = new Map<string, Recorded>();
  /** Recorders that are no longer wanted and not closed yet. */
  readonly #leaving = new Set<ChannelRecorder>();

  constructor(deps: Omit<ChannelRecorderDeps, 'runSync'>) {
    const syncs = new Semaphore(SYNCS_AT_A_TIME);
    this.#deps = { ...deps, runSync: (job) => syncs.run(job) };
  }

  connect(hub: RecordedHub): void {
    this.#hub = hub;
  }

  get size(): number {
    return this.#channels.size;
  }

  /** Starts the missing channels and ends those no longer wanted. */
  want(keys: readonly RecordingKey[]): void {
    const hub = this.#hub;
    if (hub === undefined) return;
    const wanted = new Map(keys.map((key) => [recordingKeyText(key), key]));
    for (const [text, recorded] of this.#channels) if (!wanted.has(text)) this.#end(text, recorded);
    for (const [text, key] of wanted) {
      const recorded = this.#channels.get(text);
      if (recorded === undefined) this.#begin(text, key, hub);
      else if (recorded.key.purpose !== key.purpose) this.#changePurpose(recorded, key, hub);
    }
  }

  /** The channels that were written to since then. */
  writtenSince(sinceMs: number): RecordingKey[] {
    return [...this.#channels.values()].flatMap(({ key, recorder }) => (recorder.writtenAtMs >= sinceMs ? [key] : []));
  }

  openSegments(): OpenSegment[] {
    const recorders = [...this.#leaving, ...[...this.#channels.values()].map(({ recorder }) => recorder)];
    return recorders.flatMap((recorder) => recorder.openSegments());
  }

  /** Writes the packets that have come for all channels, and waits for recorders that are leaving. */
  async flush(): Promise<void> {
    const recorders = [...this.#channels.values()].map(({ recorder }) => recorder);
    const leaving = [...this.#leaving].map((recorder) => recorder.flush());
    await Promise.all([...recorders.map((recorder) => this.#semaphore.run(() => recorder.flush())), ...leaving]);
  }

  /** Writes the packets that have come and completes every segment. */
  async close(): Promise<void> {
    this.want([]);
    await Promise.all([...this.#leaving].map((recorder) => recorder.close()));
  }

  /** Closes all files as they are, because the disk takes no more writes. */
  async abandon(): Promise<void> {
    const recorders = [...this.#channels.values()];
    this.#channels.clear();
    for (const { subscription } of recorders) subscription.close();
    await Promise.all([...recorders.map(({ recorder }) => recorder), ...this.#leaving].map((each) => each.abandon()));
  }

  #changePurpose(recorded: Recorded, key: RecordingKey, hub: RecordedHub): void {
    recorded.key = key;
    recorded.recorder.purpose = key.purpose ?? 'recorder';
    hub.purposesChanged?.(key);
  }

  #begin(text: string, key: RecordingKey, hub: RecordedHub): void {
    const recorder = new ChannelRecorder(key, this.#deps);
    recorder.purpose = key.purpose ?? 'recorder';
    this.#channels.set(text, { key, recorder, subscription: hub.watch(key, recorder) });
  }

  #end(text: string, { recorder, subscription }: Recorded): void {
    subscription.close();
    this.#channels.delete(text);
    this.#leaving.add(recorder);
    const closed = recorder.close().then(() => this.#leaving.delete(recorder));
    // Failed writes go to the recorder's `onFailed`.
    inBackground('a recorder could not be closed', closed, (error) => this.#deps.onFailed(error, undefined));
  }
}

/** A later device with the same id is recorded separately. */
function recordingKeyText(key: RecordingKey): string {
  return `${channelKeyText(key)}/${key.archiveId}`;
}
