// Trips, stops and days of devices, as the gateway works them out of what terminals report.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeviceMessages } from '../../tracks/deviceMessages.ts';
import { createPositionReader } from '../../tracks/engine/positionReader.ts';
import { TrackEngine } from '../../tracks/engine/trackEngine.ts';
import { registerTrackMetrics } from '../../tracks/metrics.ts';
import type { TrackReader } from '../../tracks/trackReader.ts';
import { type Context, toolsOf } from '../context.ts';
import { createTrackThread } from './trackThread.ts';

export interface Tracks {
  readonly reader: TrackReader;
}

interface TracksParts {
  readonly board: { timeZoneOf(deviceId: string): string };
}

/** Runs before terminals are admitted, so that the first report is noticed. */
export async function startTracks(context: Context, { board }: TracksParts): Promise<Tracks> {
  const { config, stores, database, meters, onDamagedBlock, feed, bus, metrics, closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'tracks');
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
    runAfter,
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
