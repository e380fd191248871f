// What geofences cost: alone on one core, and beside the rules of events. Method: docs/bench.md.
import type { PositionReport } from '../../../server/device/reportFeed.ts';
import { EventEngine } from '../../../server/events/engine/eventEngine.ts';
import { CustomTypes } from '../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../server/events/signals/observation.ts';
import { devicePlacesOf } from '../../../server/fences/directory/devicePlaces.ts';
import { FenceSet } from '../../../server/fences/directory/fenceSet.ts';
import { prepareFence } from '../../../server/fences/directory/preparedFence.ts';
import { FenceEngine } from '../../../server/fences/engine/fenceEngine.ts';
import type { LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { storedFence } from '../../support/fences.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const FENCES = 2_000;
const VERTICES = 100;
const START_MS = Date.UTC(2026, 10, 23);
const POSITION_MS = 10_000;
/** So many positions of each vehicle. */
const ROUNDS = 60;
const WARM_UP_ROUNDS = 10;
const REPETITIONS = 3;
/** Fences lie in rows over a region of 5 by 4 degrees, some of them over one another. */
const ROWS = 40;
const SPACING_DEGREES = 0.1;
const REACH_DEGREES = 0.03;

export function benchFences({ devices }: { readonly devices: number }): Record<string, readonly Row[]> {
  const set = fenceSet(devices);
  const alone = Array.from({ length: REPETITIONS }, () => runAlone(devices, set));
  const without = Array.from({ length: REPETITIONS }, () => runEngine(devices, new FenceSet([], new Map())));
  const withFences = Array.from({ length: REPETITIONS }, () => runEngine(devices, set));
  const row = (fences: number, runs: readonly Measured[]): Row => ({
    vehicles: devices,
    fences,
    vertices: VERTICES,
    'points a second': Math.round(median(runs.map(({ perSecond }) => perSecond))),
    'µs a point': rounded(1_000_000 / median(runs.map(({ perSecond }) => perSecond)), 2),
    signals: runs[0]?.signals ?? 0,
  });
  return {
    'geofences on one core': [row(FENCES, alone)],
    'events without and with geofences': [row(0, without), row(FENCES, withFences)],
  };
}

interface Measured {
  readonly perSecond: number;
  readonly signals: number;
}

function fenceSet(devices: number): FenceSet {
  const fences = Array.from({ length: FENCES }, (_, at) => {
    const center: LngLat = [119 + Math.floor(at / ROWS) * SPACING_DEGREES, 21 + (at % ROWS) * SPACING_DEGREES];
    const ring = Array.from({ length: VERTICES }, (_each, vertex): LngLat => {
      const angle = (vertex / VERTICES) * 2 * Math.PI;
      const reach = REACH_DEGREES * (vertex % 2 === 0 ? 1 : 0.7);
      return [center[0] + reach * Math.cos(angle), center[1] + reach * Math.sin(angle)];
    });
    const geometry = { type: 'Polygon', coordinates: [ring] } as const;
    return storedFence({ geometry, rules: { enter: true, leave: true, insideMinutes: 30, speedKmh: 90 } }, at + 1);
  });
  const places = devicePlacesOf({
    devices: Array.from({ length: devices }, (_, at) => ({ ...keyOf(at), name: '', deviceGroup: 1, timeZone: '' })),
    parents: new Map(),
    owners: new Map([[1, new Set([1])]]),
  });
  return new FenceSet(
    fences.flatMap((fence) => prepareFence(fence) ?? []),
    places,
  );
}

function engineOf(set: FenceSet, now: () => number): FenceEngine {
  return new FenceEngine({
    set: () => set,
    write: () => undefined,
    onObservation: () => undefined,
    now,
    nextTurn: async () => undefined,
    runAfter: () => () => undefined,
    onFault: fail,
    onLimit: () => undefined,
  });
}

function runAlone(devices: number, set: FenceSet): Measured {
  let nowMs = START_MS;
  const engine = engineOf(set, () => nowMs);
  return measure(devices, (report) => {
    nowMs = report.position.receivedAtMs;
    return engine.evaluate(report).length;
  });
}

/** As the gateway gives them to the engine of events. */
function runEngine(devices: number, set: FenceSet): Measured {
  let nowMs = START_MS;
  let begun = 0;
  const now = (): number => nowMs;
  const fences = engineOf(set, now);
  const customTypes = new CustomTypes([]);
  const engine = new EventEngine({
    store: { write: async () => [], tracked: async () => [], begunBetween: async () => [] },
    observationOf: (report) => observationOf(report, customTypes),
    ruleSignalsOf: (report) => fences.evaluate(report),
    settingsOf: () => ({ severity: 'info', mergeMs: 60_000, eventsAnHour: 30, rule: 0 }),
    localDayOf: () => 20_261_123,
    hasChannel: () => true,
    lastPlaceOf: () => undefined,
    now,
    runAfter: () => () => undefined,
    onChanged: () => begun++,
    onStored: () => undefined,
    onFault: fail,
    onLimit: () => undefined,
  });
  return measure(devices, (report) => {
    nowMs = report.position.receivedAtMs;
    const before = begun;
    void engine.handle(report);
    return begun - before;
  });
}

/** The reports are made before the time is taken, round by round. */
function measure(devices: number, take: (report: PositionReport) => number): Measured {
  let [tookMs, points, signals] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const reports = Array.from({ length: devices }, (_, device) => reportOf(device, round));
    const startedMs = performance.now();
    for (const report of reports) signals += take(report);
    if (round < WARM_UP_ROUNDS) continue;
    tookMs += performance.now() - startedMs;
    points += reports.length;
  }
  return { perSecond: (points * 1_000) / tookMs, signals };
}

/** Vehicles all over the region, each in a direction of its own, at some 70 km/h. */
function reportOf(device: number, round: number): PositionReport {
  const key = keyOf(device);
  const atMs = wallMs(START_MS + round * POSITION_MS);
  const angle = device * 2.4;
  const position = {
    ...key,
    deviceTimeMs: atMs,
    receivedAtMs: atMs,
    latitude: 21 + (device % 100) * 0.04 + round * 0.0018 * Math.sin(angle),
    longitude: 119 + Math.floor(device / 100) * 0.05 + round * 0.0018 * Math.cos(angle),
    altitudeM: 10,
    speedKmh: 65 + ((device + round) % 30),
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
  };
  return { kind: 'position', device: key, edition: '2019', position, items: [], details: {}, isLive: true };
}

function keyOf(device: number) {
  return { deviceId: `D${device}`, incarnation: device + 1, archiveNumber: device + 1 };
}

function fail(error: Error): never {
  throw error;
}
