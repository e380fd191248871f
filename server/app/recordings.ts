// Recording as the gateway runs it: the recorder between hub, disk and database.

import type { Config } from '../config/variables.ts';
import { channelsOf } from '../device/channels.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { PlanGate } from '../device/usage/planGate.ts';
import { installationPath } from '../installation.ts';
import type { Hub } from '../media/hub.ts';
import { createRecordingFiles } from '../recording/files.ts';
import { registerRecordingMetrics } from '../recording/metrics.ts';
import { GopReader } from '../recording/playback/gopReader.ts';
import { PlaybackSessions } from '../recording/playback/playbackSessions.ts';
import { createSegmentDirectory } from '../recording/playback/segmentDirectory.ts';
import type { RecordedIndex } from '../recording/recordedIndex.ts';
import { type RecordedVideo, Recorder } from '../recording/recorder.ts';
import type { Device } from '../store/devices/devices.ts';
import type { RecordingPolicy } from '../store/recordings/recordingPolicies.ts';
import { type Context, toolsOf } from './context.ts';

const MEGABYTE = 1024 * 1024;

/** Knows what is recorded, and records nothing before it starts. */
export function createRecorder(context: Context, registry: DeviceRegistry): Recorder {
  const { config, stores, bus, metrics, log, onLimit } = context;
  const { runAfter } = toolsOf(context, 'recorder');
  const recorder = new Recorder({
    stores,
    log,
    files: createRecordingFiles(recordingFolder(config)),
    channelsOf: (device) => installedChannels(device, registry),
    ignitionOn: (deviceId) => registry.ignitionOn(deviceId),
    now: Date.now,
    runAfter,
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

interface RecordingParts {
  readonly recorder: Recorder;
  readonly hub: Hub;
  readonly plans: Pick<PlanGate, 'mayStream'>;
}

/** Starts in the background, so that an absent disk doesn't delay live view. */
export function startRecording({ log, closing }: Context, { recorder, hub, plans }: RecordingParts): void {
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
export function createGopReader({ config, onLimit }: Context, recorded: RecordedIndex): GopReader {
  const files = createRecordingFiles(recordingFolder(config));
  return new GopReader({ files, directory: createSegmentDirectory(recorded), onLimit });
}

/** The playback sessions of this gateway's viewers. */
export function startPlayback(context: Context, gopReader: GopReader): PlaybackSessions {
  const { closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'playback');
  const sessions = new PlaybackSessions({
    gopReader,
    now: () => performance.now(),
    wallNow: Date.now,
    runAfter,
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
