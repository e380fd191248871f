// What looks after devices: firmware that goes to them, and recordings that are fetched from them.
import type { DeviceRegistry } from '../device/registry.ts';
import { UploadRequests } from '../device/uploads/uploadRequests.ts';
import type { FtpServer } from '../ftp/ftpServer.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type Context, toolsOf } from './context.ts';
import type { Events } from './events.ts';
import { type Firmware, startFirmware } from './firmware/firmware.ts';
import type { Fleet } from './fleet.ts';
import { countedLogins, startFtp } from './ftp.ts';
import type { Netflow } from './netflow/netflow.ts';
import { startIngest } from './sync/ingest.ts';
import { type Sync, startSync } from './sync/sync.ts';
import { freeBytesOf, UploadDisk } from './sync/uploadDisk.ts';
import { createSyncUploads } from './sync/uploads.ts';
import type { Video } from './video.ts';
import { servesTls, type WebSide } from './webServer.ts';

interface UpkeepParts {
  readonly registry: DeviceRegistry;
  readonly fleet: Fleet;
  readonly events: Events;
  readonly video: Video;
  readonly recorder: Recorder;
  readonly netflow: Netflow;
  /** Its port is read when an address is given out. */
  readonly web: Pick<WebSide, 'port'>;
}

export interface Upkeep {
  readonly firmware: Firmware;
  readonly sync: Sync;
  readonly ftp: Pick<FtpServer, 'port' | 'isListening' | 'passiveRange'>;
  readonly forCalls: Firmware['forCalls'] & { readonly sync: Sync['forCalls'] };
}

/** After the device side and the recorder, and ended before them: what is on its way then ends in an orderly way. */
export async function startUpkeep(context: Context, parts: UpkeepParts): Promise<Upkeep> {
  const { config, feed, closing, onLimit } = context;
  const { registry, fleet, events, video, recorder, netflow, web } = parts;
  const { runAfter, onFault } = toolsOf(context, 'uploads of devices');
  const ftp = await startFtp(context, fleet.owners);
  const logins = countedLogins(ftp, netflow.meter);
  const firmware = await startFirmware(context, {
    registry,
    ftpLogins: logins,
    meter: netflow.meter,
    plans: netflow.plans,
    isWatched: (deviceId) => video.hub.isWatched(deviceId) || video.remotePlayback.isBusy(deviceId),
    engine: events.engine,
    webPort: () => web.port(config),
    isTls: servesTls(config),
  });
  const sessionOf = (deviceId: string) => registry.session(deviceId);
  const requests = new UploadRequests({ feed, sessionOf, runAfter, onLimit, onFault });
  closing.add('uploads of devices', async () => requests.close());
  const freeBytes = (): Promise<number> => freeBytesOf(config.dataDir);
  const uploadDisk = new UploadDisk({ freeBytes, now: Date.now, onFault });
  const sync = await startSync(context, {
    registry,
    recorder,
    video,
    transfer: createSyncUploads({ logins, requests, registry, uploadDisk }),
    ingest: startIngest(context, recorder, fleet.owners),
    planGate: netflow.plans,
    events,
  });
  return { firmware, sync, ftp, forCalls: { ...firmware.forCalls, sync: sync.forCalls } };
}
