// What looks after devices: firmware that goes to them, and recordings that are fetched from them.
import type { Registry } from 'prom-client';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { ReportFeed } from '../device/reportFeed.ts';
import { UploadRequests } from '../device/uploads/uploadRequests.ts';
import { createRunAfter } from '../faults/timers.ts';
import type { FtpServer } from '../ftp/ftpServer.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Stores } from '../store/stores.ts';
import type { Events } from './events.ts';
import { type Firmware, startFirmware } from './firmware/firmware.ts';
import type { Fleet } from './fleet.ts';
import { countedLogins, startFtp } from './ftp.ts';
import type { Netflow } from './netflow/netflow.ts';
import { startIngest } from './sync/ingest.ts';
import { forSync, type Sync, startSync } from './sync/sync.ts';
import { freeBytesOf, UploadDisk } from './sync/uploadDisk.ts';
import { createSyncUploads } from './sync/uploads.ts';
import type { Video } from './video.ts';
import { servesTls } from './webServer.ts';

export interface UpkeepDeps {
  readonly stores: Stores;
  readonly registry: DeviceRegistry;
  readonly feed: ReportFeed;
  readonly bus: ChangeBus;
  readonly fleet: Fleet;
  readonly events: Events;
  readonly video: Video;
  readonly recorder: Recorder;
  readonly netflow: Netflow;
  /** Port where the gateway listens for browsers; read when an address is given out. */
  readonly webPort: () => number;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

export interface Upkeep {
  readonly firmware: Firmware;
  readonly sync: Sync;
  readonly ftp: Pick<FtpServer, 'port' | 'isListening' | 'passiveRange'>;
  readonly forCalls: Firmware['forCalls'] & { readonly sync: Sync['forCalls'] };
}

/** After the device side and the recorder, and ended before them: what is on its way then ends in an orderly way. */
export async function startUpkeep(config: Config, { video, netflow, ...deps }: UpkeepDeps): Promise<Upkeep> {
  const { registry, fleet, events, recorder, feed, log, closing, onLimit } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'uploads of devices');
  const ftp = await startFtp(config, { ...deps, owners: fleet.owners });
  const logins = countedLogins(ftp, netflow.meter);
  const firmware = await startFirmware(config, {
    ...deps,
    ...netflow,
    ftpLogins: logins,
    isWatched: (deviceId) => video.hub.isWatched(deviceId) || video.remotePlayback.isBusy(deviceId),
    engine: events.engine,
    isTls: servesTls(config),
  });
  const requests = new UploadRequests({
    feed,
    sessionOf: (deviceId) => registry.session(deviceId),
    runAfter: createRunAfter(onFault),
    onLimit,
    onFault,
  });
  closing.add('uploads of devices', async () => requests.close());
  const freeBytes = (): Promise<number> => freeBytesOf(config.dataDir);
  const uploadDisk = new UploadDisk({ freeBytes, now: Date.now, onFault });
  const sync = await startSync(config, {
    ...deps,
    ...forSync(video),
    ...createSyncUploads({ logins, requests, registry, uploadDisk }),
    ingest: startIngest({ recorder, owners: fleet.owners, log, onLimit }),
    planGate: netflow.plans,
    clipOf: events.evidence.clipOf,
    eventTopics: events.topics,
    onEventFetched: (clip) => events.evidence.clips.recordingFetched(clip),
  });
  return { firmware, sync, ftp, forCalls: { ...firmware.forCalls, sync: sync.forCalls } };
}
