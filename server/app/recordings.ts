// Recording as the gateway runs it: the recorder between hub, disk and database.

import type { Registry } from 'prom-client';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import { channelsOf } from '../device/channels.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { PlanGate } from '../device/usage/planGate.ts';
import { createRunAfter } from '../faults/timers.ts';
import { installationPath } from '../installation.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Hub } from '../media/hub.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import { createRecordingFiles } from '../recording/files.ts';
import { registerRecordingMetrics } from '../recording/metrics.ts';
import { GopReader } from '../recording/playback/gopReader.ts';
import { PlaybackSessions } from '../recording/playback/playbackSessions.ts';
import { createSegmentDirectory } from '../recording/playback/segmentDirectory.ts';
import type { RecordedIndex } from '../recording/recordedIndex.ts';
import { type RecordedVideo, Recorder } from '../recording/recorder.ts';
import type { Device } from '../store/devices/devices.ts';
import type { RecordingPolicy } from '../store/recordings/recordingPolicies.ts';
import type { Stores } from '../store/stores.ts';

interface RecordingDeps {
  readonly stores: Stores;
  readonly registry: DeviceRegistry;
  readonly bus: Pick<ChangeBus, 'deviceRemoved'>;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

const MEGABYTE = 1024 * 1024;

/** Knows what is recorded, and records nothing before it starts. */
export function createRecorder(config: Config, deps: RecordingDeps): Recorder {
  const { stores, registry, bus, metrics, log, onLimit } = deps;
  const recorder = new Recorder({
    stores,
    log,
    files: createRecordingFiles(recordingFolder(config)),
    channelsOf: (device) => installedChannels(device, registry),
    ignitionOn: (deviceId) => registry.ignitionOn(deviceId),
    now: Date.now,
    runAfter: createRunAfter((error) => log.error({ err: error }, 'recorder')),
    onLimit,
    settings: {
      syncIntervalMs: config.recordingSyncSeconds * 1000,
      floorBytes: config.recordingMinFreeMb * MEGABYTE,
      maximumBytes: config.recordingMaxMb * MEGABYTE,
      preset: presetPolicy(config),
    },
  });
  registerRecordingMetrics(metrics, recorder);
  bus.deviceRemoved.subscribe('recorder', ({ deviceId }) => recorder.deviceRemoved(deviceId));
  return recorder;
}

interface RecordingSources {
  readonly hub: Hub;
  readonly plans: Pick<PlanGate, 'mayStream'>;
  readonly log: Log;
  readonly closing: Closing;
}

/** Starts in the background, so that an absent disk doesn't delay live view. */
export function startRecording(recorder: Recorder, { hub, plans, log, closing }: RecordingSources): void {
  const isWithheld: RecordedVideo['isWithheld'] = ({ deviceId, quality, purpose }) =>
    !plans.mayStream(deviceId, quality, purpose ?? 'recorder').ok;
  const started = recorder
    .start({ hub, isWithheld })
    .catch((error: unknown) => log.error({ err: error }, 'the recorder could not start'));
  closing.add('recorder', async () => {
    await recorder.close();
    await started;
  });
}

/** The reader of recordings for playback and export. */
export function createGopReader(config: Config, recorded: RecordedIndex, onLimit: OnLimit): GopReader {
  const files = createRecordingFiles(recordingFolder(config));
  return new GopReader({ files, directory: createSegmentDirectory(recorded), onLimit });
}

/** The playback sessions of this gateway's viewers. */
export function startPlayback(
  gopReader: GopReader,
  { log, closing, onLimit }: Pick<RecordingDeps, 'log' | 'closing' | 'onLimit'>,
): PlaybackSessions {
  const onFault = (error: Error): void => log.error({ err: error }, 'playback');
  const sessions = new PlaybackSessions({
    gopReader,
    now: () => performance.now(),
    wallNow: Date.now,
    runAfter: createRunAfter(onFault),
    onLimit,
    onFault,
  });
  closing.add('playback', async () => sessions.close());
  return sessions;
}

/** Used for devices without a policy until the database has an installation-wide one. */
export function presetPolicy(config: Pick<Config, 'recording' | 'recordingRetentionDays'>): RecordingPolicy {
  return { mode: config.recording, quality: 'main', schedule: [], retentionDays: config.recordingRetentionDays };
}

export function recordingFolder(config: Pick<Config, 'recordingDir' | 'dataDir'>): string {
  return config.recordingDir ?? installationPath(config, 'recordings');
}

function installedChannels(device: Device, registry: DeviceRegistry): number[] {
  const { chn, installchs } = channelsOf(device, registry.facts(device.deviceId).channels);
  const numbers = Array.from({ length: chn }, (_, at) => at + 1);
  return numbers.filter((channel) => installchs === '' || installchs[channel - 1] === '1');
}
