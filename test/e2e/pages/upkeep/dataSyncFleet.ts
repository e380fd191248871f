// The devices of the tests of data sync: what lies on their cards, how they give it away, and what their clocks show.
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import type { RecordingPolicy } from '../../../../server/store/recordings/recordingPolicies.ts';
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import type { Clip } from '../../../../simulator/clip/loadClip.ts';
import type { TerminalQuirks } from '../../../../simulator/quirks.ts';
import type { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import { recordInto } from '../../../support/gateway/recordInto.ts';
import { startOwnVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import { ZONE_MS } from './dataSyncScene.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const FILE_MINUTES = 1;
/** Two, so that what is fetched has a place where items meet. */
const FILES = 2;

export interface Bus extends Vehicle {
  readonly method: SyncItem['method'];
  readonly quirks: TerminalQuirks;
}

/** Their answer to 0x9206. */
const CANT_UPLOAD = { fileUpload: GeneralResult.NotSupported } as const;

function aBus(at: number, name: string, method: Bus['method'], quirks: TerminalQuirks = {}): Bus {
  return { deviceId: `SYNC${at}`, name, number: String(13_900_005_000 + at), method, quirks };
}

export const UPLOADER = aBus(1, 'Uploader', 'ftp');
const PLAYED = { refusals: CANT_UPLOAD, card: { isUnpaced: true } } as const;
/** All of the cards of these is fetched. */
export const FETCHED: readonly Bus[] = [
  UPLOADER,
  aBus(2, 'Player', 'playback', PLAYED),
  aBus(3, 'A year ahead', 'ftp', { clock: 'next-year' }),
  aBus(4, 'Eleven days behind', 'ftp', { clock: { aheadSeconds: -11 * 86_400 }, uploads: { format: 'packets' } }),
  aBus(5, 'Never set', 'playback', { ...PLAYED, clock: 'never-set' }),
];
/** The gateway has recorded a part of it; its files say when they were recorded. */
export const TUNNEL = aBus(6, 'Tunnel line', 'ftp', { uploads: { format: 'packets' } });
/** It plays its card no faster than it was recorded. */
export const STEADY = aBus(7, 'Steady', 'playback', { refusals: CANT_UPLOAD });
const ALL = [...FETCHED, TUNNEL, STEADY];

export interface SyncFleet {
  readonly scene: TrackScene;
  /** What lies on each card. */
  readonly card: TimeRange;
  /** What the gateway itself has recorded of the tunnel line. */
  readonly own: readonly TimeRange[];
  close(): Promise<void>;
}

/** Every card ends more than a minute ago: what a device may still be writing is planned later. */
export async function startSyncFleet(clip: Clip): Promise<SyncFleet> {
  const fileMs = FILE_MINUTES * MINUTE_MS;
  const toMs = Math.floor(Date.now() / fileMs) * fileMs - fileMs;
  const card = { fromMs: toMs - FILES * fileMs, toMs };
  const scene = await startTrackScene({
    vehicles: ALL,
    fillMore: ({ recordingPolicies }) =>
      recordingPolicies.set({ deviceId: TUNNEL.deviceId, channel: 1 }, recordedDuring(card)),
  });
  // The vehicle is away for a while in either file of its card.
  const own = [
    { fromMs: card.fromMs, toMs: card.fromMs + MINUTE_MS / 2 },
    { fromMs: card.toMs - MINUTE_MS / 2, toMs: card.toMs },
  ];
  await recordInto(scene.product, TUNNEL.deviceId, [{ channel: 1, clip, spans: own }]);
  const contents = {
    fileMinutes: FILE_MINUTES,
    gaps: [
      { startMs: 0, endMs: card.fromMs },
      { startMs: card.toMs, endMs: Number.MAX_SAFE_INTEGER },
    ],
  };
  const terminals = ALL.map((bus): SimulatedTerminal => {
    const { quirks, name: model } = bus;
    // The way that worked is remembered for a model.
    return startOwnVehicle(scene, bus, { channels: 1, card: contents, quirks, clip, hardware: { model } });
  });
  const close = async (): Promise<void> => {
    for (const terminal of terminals) terminal.stop();
    await scene.close();
  };
  return { scene, card, own, close };
}

/** The gateway was to record at the time of day of the card, and is not to now. */
function recordedDuring({ fromMs, toMs }: TimeRange): RecordingPolicy {
  const days = [1, 2, 3, 4, 5, 6, 7];
  const minuteOf = (ms: number): number => Math.floor((ms + ZONE_MS) / MINUTE_MS) % DAY_MINUTES;
  const [fromMinute, toMinute] = [minuteOf(fromMs), minuteOf(toMs)];
  const aroundMidnight = [
    { days, fromMinute, toMinute: DAY_MINUTES },
    { days, fromMinute: 0, toMinute },
  ];
  const windows = fromMinute < toMinute ? [{ days, fromMinute, toMinute }] : aroundMidnight;
  const schedule = windows.filter((window) => window.fromMinute < window.toMinute);
  return { mode: 'always', quality: 'main', schedule, retentionDays: 0 };
}
