// Trips, stops and days of devices, as the gateway works them out of what terminals report.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { ReportFeed } from '../../device/reportFeed.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { ThreadMeters } from '../../health/threads/threadMeters.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { OnDamagedBlock } from '../../store/fleet/blocks/damagedBlocks.ts';
import type { Stores } from '../../store/stores.ts';
import { DeviceMessages } from '../../tracks/deviceMessages.ts';
import { createPositionReader } from '../../tracks/engine/positionReader.ts';
import { TrackEngine } from '../../tracks/engine/trackEngine.ts';
import { registerTrackMetrics } from '../../tracks/metrics.ts';
import type { TrackReader } from '../../tracks/trackReader.ts';
import { createTrackThread } from './trackThread.ts';

export interface Tracks {
  readonly reader: TrackReader;
}

interface TracksDeps {
  readonly stores: Pick<Stores, 'tracks' | 'positions' | 'driverSessions' | 'passengerCounts'>;
  /** The thread of tracks opens it by itself. */
  readonly database: DatabaseLocation;
  readonly meters: Pick<ThreadMeters, 'tracks'>;
  readonly onDamagedBlock: OnDamagedBlock;
  readonly feed: ReportFeed;
  readonly bus: Pick<ChangeBus, 'deviceRemoved'>;
  readonly board: { timeZoneOf(deviceId: string): string };
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

/** Runs before terminals are admitted, so that the first report is noticed. */
export async function startTracks(config: Config, deps: TracksDeps): Promise<Tracks> {
  const { stores, database, meters, onDamagedBlock, feed, bus, board, metrics, log, closing, onLimit } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'tracks');
  const engine = new TrackEngine({
    store: stores.tracks,
    reader: createPositionReader(stores.positions),
    rules: {
      minMeters: config.tripMinMeters,
      minMs: config.tripMinSeconds * 1_000,
      stopMs: config.tripStopMinutes * 60_000,
    },
    timeZoneOf: (deviceId) => board.timeZoneOf(deviceId),
    now: Date.now,
    runAfter: createRunAfter(onFault),
    nextTurn,
    onFault,
    onLimit,
  });
  registerTrackMetrics(metrics, engine);
  closing.add('tracks', () => engine.close());
  await engine.start();
  const messages = new DeviceMessages({
    ...stores,
    gatewayTime: (device, deviceMs) => engine.gatewayTime(device, deviceMs),
    mayReport: (device) => engine.mayReport(device),
  });
  const unsubscribe = feed.subscribe('tracks', (report) =>
    report.kind === 'message' ? messages.handle(report) : engine.handle(report),
  );
  closing.add('feed of tracks', unsubscribe);
  bus.deviceRemoved.subscribe('tracks', ({ deviceId }) => engine.forget(deviceId));
  const reader = createTrackThread({ database, onDamagedBlock, onFault, watch: meters.tracks });
  closing.add('thread of tracks', () => reader.close());
  return { reader };
}
