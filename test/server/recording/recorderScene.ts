// A recorder on a real folder and a real database, fed through a real hub, its clock and timers in the test's hands.
import { setImmediate as turn } from 'node:timers/promises';
import type { ChannelKey } from '../../../server/media/channelKey.ts';
import { Hub } from '../../../server/media/hub.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import type { RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import { type RecordedVideo, Recorder, type RecorderDeps } from '../../../server/recording/recorder.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { gopReaderOf, readTrack } from '../../support/media/readGroups.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';
import { createFaultyFiles, type FaultyFiles } from './faultyFiles.ts';
import { NOON, PICTURE_MS, type PlacedPicture, picture, placedPictures } from './recordingScene.ts';

export const FLOOR_BYTES = 1_000_000;
/** Timers that long are no rounds: they tell of one that hangs. */
const STALL_MS = 10_000;

export interface RecorderScene {
  readonly stores: Stores;
  readonly folder: TempFolder;
  readonly files: FaultyFiles;
  readonly hub: Hub;
  readonly sources: Set<string>;
  readonly log: string[];
  readonly clock: { now: number };
  readonly ignition: Map<string, boolean>;
  /** The one that runs now. */
  recorder(): Recorder;
  startRecorder(
    settings?: Partial<RecorderDeps['settings']>,
    more?: Partial<RecorderDeps & RecordedVideo>,
  ): Promise<Recorder>;
  /** Lets the clock run, pictures of every watched channel delivered on time and due timers run. */
  run(seconds: number, payloadBytes?: number): Promise<void>;
  /** Every picture of a channel, by what index and files say. */
  pictures(archiveId?: string, channel?: number): Promise<PlacedPicture[]>;
  close(): Promise<void>;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

export async function createRecorderScene(): Promise<RecorderScene> {
  const folder = await createTempFolder();
  const database: TestDatabase = await openTestDatabase('sqlite');
  const stores = createStores(database.db, undefined, database.reading);
  const files = createFaultyFiles(createRecordingFiles(`${folder.path}/recordings`));
  const clock = { now: NOON };
  const timers = new Set<Timer>();
  const log: string[] = [];
  const ignition = new Map<string, boolean>();
  const watched = new Map<string, ChannelKey>();
  const runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueMs: clock.now + delayMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  /** The recorder's rounds that were begun and have not ended: each arms its timer again when it ends. */
  const rounds = new Set<number>();
  const recorderAfter = (delayMs: number, run: () => void): (() => void) => {
    rounds.delete(delayMs);
    return runAfter(delayMs, () => {
      if (delayMs < STALL_MS) rounds.add(delayMs);
      run();
    });
  };
  const textOf = (key: ChannelKey): string => `${key.deviceId}/${key.channel}/${key.quality}`;
  const source = {
    start: (key: ChannelKey) => void watched.set(textOf(key), key),
    stop: (key: ChannelKey) => void watched.delete(textOf(key)),
  };
  const hub = new Hub({ source, runAfter });
  const note = (fields: unknown, text?: string): void => void log.push(text ?? String(fields));
  let recorder: Recorder | undefined;
  const running = (): Recorder => {
    if (recorder === undefined) throw new Error('no recorder was started');
    return recorder;
  };
  let number = 0;
  return {
    stores,
    folder,
    files,
    hub,
    log,
    clock,
    ignition,
    recorder: running,
    get sources() {
      return new Set(watched.keys());
    },
    startRecorder: async (settings = {}, { isWithheld, ...more } = {}) => {
      recorder = new Recorder({
        files,
        stores,
        runAfter: recorderAfter,
        channelsOf: ({ chn }) => Array.from({ length: chn }, (_, at) => at + 1),
        ignitionOn: (deviceId) => ignition.get(deviceId),
        now: () => clock.now,
        log: { info: note, warn: note, error: note },
        settings: {
          syncIntervalMs: 5_000,
          floorBytes: FLOOR_BYTES,
          maximumBytes: 0,
          preset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
          ...settings,
        },
        ...more,
      });
      await recorder.start({ hub, isWithheld });
      return recorder;
    },
    run: async (seconds, payloadBytes = 200) => {
      const endMs = clock.now + seconds * 1_000;
      for (; clock.now < endMs; clock.now += PICTURE_MS) {
        number = Math.round((clock.now - NOON) / PICTURE_MS);
        for (const key of watched.values()) hub.publish(key, picture(number, { payloadBytes }));
        const due = [...timers].filter(({ dueMs }) => dueMs <= clock.now);
        for (const timer of due) {
          timers.delete(timer);
          timer.run();
        }
        // Files and database are real: the test's clock waits for them.
        while (rounds.size > 0 || files.underWay() > 0) await turn();
      }
    },
    pictures: async (archiveId = 'BUS1', channel = 1) => {
      const window = { archiveId, channel, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
      const { index } = running();
      const read: RecordedPacket[] = [];
      for (const segment of await index.find(window)) {
        const packets = await readTrack(gopReaderOf(files, [segment], index.openIndex), segment);
        if (packets.length === 0) throw new Error(`nothing to read of ${JSON.stringify(segment)}`);
        read.push(...packets);
      }
      return placedPictures(read);
    },
    close: async () => {
      files.anyError = undefined;
      files.writeError = undefined;
      await recorder?.close();
      hub.close();
      await database.close();
      await folder.remove();
    },
  };
}
