// What terminals say that they have recorded. Remembered, since a vehicle in its garage answers nothing.
import type { RecordingOnDevice } from '../../../shared/protocol/api/recordings.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import {
  RecordedMedia,
  RecordedStorage,
  RecordedStream,
  type ResourceItem,
} from '../jt808/codec/messages/recordings.ts';
import type { DeviceRegistry } from '../registry.ts';
import { askRecordings } from './askRecordings.ts';
import { failureOf } from './failureOf.ts';
import type { RemoteFailure } from './remoteSource.ts';

export interface RecordingRange {
  readonly deviceId: string;
  readonly channel: number;
  readonly from: WallMs;
  readonly to: WallMs;
}

export interface RecordingAnswer {
  readonly recordings: readonly RecordingOnDevice[];
  /** When the device said so. */
  readonly reportedAtMs: WallMs;
  /** Whether the device has just reported this, as opposed to a remembered list. */
  readonly isFresh: boolean;
}

export type RecordingResult =
  | { readonly ok: true; readonly value: RecordingAnswer }
  | { readonly ok: false; readonly code: Exclude<RemoteFailure, 'nothing-recorded'> };

export interface RecordingListDeps {
  readonly registry: DeviceRegistry;
  readonly now: () => number;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Entries of the recording lists of terminals, kept while they are offline. A 1 TB card has some thousand files per camera; one day of a
 * camera has a few hundred. The least recently used list is forgotten.
 */
export const LISTED_RECORDINGS_LIMIT: Limit = { name: 'remote-playback.listed-recordings.process', max: 200_000 };

export class RecordingList {
  readonly #deps: RecordingListDeps;
  /** The longest unused first. */
  readonly #told = new Map<string, RecordingAnswer>();
  readonly #asking = new Map<string, Promise<RecordingResult>>();
  #items = 0;

  constructor(deps: RecordingListDeps) {
    this.#deps = deps;
  }

  /** Asks the device; while it is away or silent, gives what it said last. Two who ask the same wait for one answer. */
  async list(range: RecordingRange): Promise<RecordingResult> {
    const key = `${range.deviceId}/${range.channel}/${range.from}/${range.to}`;
    const asking = this.#asking.get(key) ?? this.#ask(key, range);
    this.#asking.set(key, asking);
    try {
      return await asking;
    } finally {
      if (this.#asking.get(key) === asking) this.#asking.delete(key);
    }
  }

  /** A later device with the same id must not get what an earlier one reported. */
  forget(deviceId: string): void {
    for (const key of [...this.#told.keys()]) if (key.startsWith(`${deviceId}/`)) this.#forget(key);
    for (const key of [...this.#asking.keys()]) if (key.startsWith(`${deviceId}/`)) this.#asking.delete(key);
  }

  async #ask(key: string, range: RecordingRange): Promise<RecordingResult> {
    const { deviceId, channel, from, to } = range;
    const session = this.#deps.registry.session(deviceId);
    if (session === undefined) return this.#remembered(key, 'device-offline');
    const answer = await askRecordings(session, { channel, quality: 'any', start: from, end: to });
    if (!answer.ok) return this.#remembered(key, failureOf(answer));
    const recordings = answer.answer
      .flatMap(readItem)
      .filter(({ startMs, endMs }) => endMs >= from && startMs <= to)
      .toSorted((left, right) => left.startMs - right.startMs);
    const told = { recordings, reportedAtMs: wallMs(this.#deps.now()), isFresh: true };
    if (this.#deps.registry.session(deviceId) === session) this.#remember(key, { ...told, isFresh: false });
    return { ok: true, value: told };
  }

  #remembered(key: string, code: Exclude<RemoteFailure, 'nothing-recorded'>): RecordingResult {
    const told = this.#told.get(key);
    // A device that refuses is online, so what it reported before may be out of date.
    return told === undefined || code === 'device-refused' ? { ok: false, code } : { ok: true, value: told };
  }

  #remember(key: string, told: RecordingAnswer): void {
    this.#forget(key);
    this.#told.set(key, told);
    this.#items += told.recordings.length + 1;
    for (const oldest of this.#told.keys()) {
      if (this.#items <= LISTED_RECORDINGS_LIMIT.max) return;
      this.#deps.onLimit?.(LISTED_RECORDINGS_LIMIT);
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const told = this.#told.get(key);
    if (told === undefined) return;
    this.#told.delete(key);
    this.#items -= told.recordings.length + 1;
  }
}

/** None for an entry without both ends, which can be neither shown nor played. */
export function readItem(item: ResourceItem): RecordingOnDevice[] {
  const { start, end, media, stream, storage, alarms, videoAlarms, sizeBytes } = item;
  if (start === undefined || end === undefined || end < start) return [];
  return [
    {
      startMs: start,
      endMs: end,
      ...streamOf(stream),
      media: mediaOf(media),
      ...storageOf(storage),
      alarms,
      videoAlarms,
      bytes: sizeBytes,
    },
  ];
}

function streamOf(code: number): Pick<RecordingOnDevice, 'stream'> {
  if (code === RecordedStream.Main) return { stream: 'main' };
  return code === RecordedStream.Sub ? { stream: 'sub' } : {};
}

function mediaOf(code: number): RecordingOnDevice['media'] {
  if (code === RecordedMedia.Audio) return 'audio';
  return code === RecordedMedia.Video ? 'video' : 'audio-video';
}

function storageOf(code: number): Pick<RecordingOnDevice, 'storage'> {
  if (code === RecordedStorage.Main) return { storage: 'main' };
  return code === RecordedStorage.Backup ? { storage: 'backup' } : {};
}
