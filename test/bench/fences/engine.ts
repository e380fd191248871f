// The geofences in this process, on one core: by themselves, and as the engine of events asks them.
import type { PositionReport } from '../../../server/device/reportFeed.ts';
import { EventEngine } from '../../../server/events/engine/eventEngine.ts';
import { CustomTypes } from '../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../server/events/signals/observation.ts';
import { devicePlacesOf } from '../../../server/fences/directory/devicePlaces.ts';
import { FenceSet } from '../../../server/fences/directory/fenceSet.ts';
import { prepareFence } from '../../../server/fences/directory/preparedFence.ts';
import { FenceEngine } from '../../../server/fences/engine/fenceEngine.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { drivenAt } from './driving.ts';
import { storedGeofences, VERTICES } from './geofences.ts';

const START_MS = Date.UTC(2026, 10, 23);
const POSITION_MS = 10_000;
/** Number of positions of each vehicle, which cover ten minutes. */
const ROUNDS = 60;
const WARM_UP_ROUNDS = 10;
const REPETITIONS = 3;

export async function benchFenceEngine(devices: number): Promise<Record<string, readonly Row[]>> {
  const geofences = fenceSet(devices);
  const none = new FenceSet([], new Map());
  const runs = { alone: [] as Measured[], without: [] as Measured[], withThem: [] as Measured[] };
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    runs.alone.push(await runAlone(devices, geofences));
    runs.without.push(await runEvents(devices, none));
    runs.withThem.push(await runEvents(devices, geofences));
  }
  const row = ({ size }: FenceSet, measured: readonly Measured[]): Row => {
    const us = median(measured.map(({ cpuUs }) => cpuUs));
    const said = measured[0]?.said ?? 0;
    return {
      vehicles: devices,
      geofences: size,
      vertices: VERTICES,
      'points/CPU s': Math.round(1_000_000 / us),
      'CPU µs a point': rounded(us, 2),
      'entered, left': said,
      'points to one of them': said === 0 ? '' : Math.round((ROUNDS * devices) / said),
    };
  };
  return {
    'geofences on one core': [row(geofences, runs.alone)],
    'events without and with geofences': [row(none, runs.without), row(geofences, runs.withThem)],
  };
}

interface Measured {
  readonly cpuUs: number;
  readonly said: number;
}

function fenceSet(devices: number): FenceSet {
  const places = devicePlacesOf({
    devices: Array.from({ length: devices }, (_, at) => ({ ...keyOf(at), name: '', deviceGroup: 1, timeZone: '' })),
    parents: new Map(),
    owners: new Map([[1, new Set([1])]]),
  });
  return new FenceSet(
    storedGeofences().flatMap((fence) => prepareFence(fence) ?? []),
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

function runAlone(devices: number, set: FenceSet): Promise<Measured> {
  let nowMs = START_MS;
  const engine = engineOf(set, () => nowMs);
  return measure(devices, (report) => {
    nowMs = report.position.receivedAtMs;
    return engine.evaluate(report).length;
  });
}

/** Runs the geofences as the gateway gives them to the engine of events, with a database that takes everything. */
function runEvents(devices: number, set: FenceSet): Promise<Measured> {
  let nowMs = START_MS;
  let [begun, stored] = [0, 0];
  const now = (): number => nowMs;
  const fences = engineOf(set, now);
  const customTypes = new CustomTypes([]);
  const engine = new EventEngine({
    store: {
      write: async ({ added }) => added.map(() => ++stored),
      tracked: async () => [],
      begunBetween: async () => [],
    },
    observationOf: (report) => observationOf(report, customTypes),
    ruleSignalsOf: (report) => fences.evaluate(report),
    settingsOf: () => ({ severity: 'info', mergeMs: 60_000, eventsAnHour: 30, rule: 0 }),
    localDayOf: () => 20_261_123,
    hasChannel: () => true,
    lastPlaceOf: () => undefined,
    now,
    runAfter: (_, run) => {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    },
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

/** Reports that are timed together, like those just read from sockets; then waiting work gets its turn. */
const AT_ONCE = 100;

/** The reports of a round overwrite those of the round before it, so that all garbage that is collected comes from what is measured. */
async function measure(devices: number, take: (report: PositionReport) => number): Promise<Measured> {
  const reports = Array.from({ length: devices }, (_, device) => reportOf(device));
  let [cpuUs, points, said] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    for (let first = 0; first < devices; first += AT_ONCE) {
      const some = reports.slice(first, first + AT_ONCE);
      for (const [at, { position }] of some.entries()) drive(position, first + at, round);
      const before = process.cpuUsage();
      for (const report of some) said += take(report);
      await new Promise((resolve) => setImmediate(resolve));
      if (round < WARM_UP_ROUNDS) continue;
      const { user, system } = process.cpuUsage(before);
      cpuUs += user + system;
      points += some.length;
    }
  }
  return { cpuUs: cpuUs / points, said };
}

type Driving = { -readonly [Name in keyof PositionReport['position']]: PositionReport['position'][Name] };

function drive(position: Driving, device: number, round: number): void {
  position.deviceTimeMs = wallMs(START_MS + round * POSITION_MS);
  position.receivedAtMs = position.deviceTimeMs;
  const { direction, ...driven } = drivenAt(device, round * POSITION_MS);
  Object.assign(position, driven, { headingDeg: direction });
}

function reportOf(device: number): PositionReport {
  const key = keyOf(device);
  const position = {
    ...key,
    deviceTimeMs: wallMs(START_MS),
    receivedAtMs: wallMs(START_MS),
    latitude: 0.5,
    longitude: 0.5,
    altitudeM: 10,
    speedKmh: 0,
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
