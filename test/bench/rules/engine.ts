// The rules alone, in this process: what they add to a position on its way through the engine, and what a device costs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PositionReport } from '../../../server/device/reportFeed.ts';
import { EventEngine } from '../../../server/events/engine/eventEngine.ts';
import { RuleRunner } from '../../../server/events/engine/ruleRunner.ts';
import type { PreparedRule } from '../../../server/events/rules/rule.ts';
import { CustomTypes } from '../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../server/events/signals/observation.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { median, percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { preparedRules } from './twentyRules.ts';

const START_MS = Date.UTC(2026, 10, 23);
const POSITION_MS = 10_000;
const ROUNDS = 30;
const REPETITIONS = 3;

export function benchEngine(devices: number): Row[] {
  const rules = preparedRules();
  const runs = Array.from({ length: REPETITIONS }, () => [run(devices, []), run(devices, rules)] as const);
  const medianOf = (at: 0 | 1, name: keyof Measured): number => median(runs.map((each) => each[at][name]));
  return ([0, 1] as const).map((at) => ({
    devices,
    rules: at === 0 ? 0 : rules.length,
    'µs a position': rounded(medianOf(at, 'meanUs'), 2),
    'p99 µs': rounded(medianOf(at, 'p99Us'), 2),
    'bytes a device': rounded(medianOf(at, 'bytes'), 0),
    events: runs[0]?.[at].events ?? 0,
  }));
}

interface Measured {
  readonly meanUs: number;
  readonly p99Us: number;
  readonly bytes: number;
  readonly events: number;
}

function run(devices: number, rules: readonly PreparedRule[]): Measured {
  let nowMs = START_MS;
  let events = 0;
  const now = (): number => nowMs;
  const fail = (error: Error): never => {
    throw error;
  };
  const before = heapBytes();
  const runner = new RuleRunner({
    rulesOf: () => rules,
    presenceOf: () => ({ isOnline: true, sinceMs: undefined }),
    recordings: () => new Map(),
    onObservation: (device, observation) => engine.observe(device, observation),
    now,
    runAfter: () => () => undefined,
    onFault: fail,
  });
  const customTypes = new CustomTypes([]);
  const engine = new EventEngine({
    store: { write: async () => [], tracked: async () => [], begunBetween: async () => [] },
    observationOf: (report) => observationOf(report, customTypes),
    ruleSignalsOf: (report) => runner.evaluate(report),
    settingsOf: () => ({ severity: 'info', mergeMs: 60_000, eventsAnHour: 30, rule: 0 }),
    localDayOf: () => 20_261_123,
    hasChannel: () => true,
    lastPlaceOf: () => undefined,
    now,
    runAfter: () => () => undefined,
    onChanged: () => events++,
    onStored: () => undefined,
    onFault: fail,
    onLimit: () => undefined,
  });
  const timesUs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    nowMs = START_MS + round * POSITION_MS;
    for (let device = 0; device < devices; device++) {
      const report = reportOf(device, round, nowMs);
      const startedMs = performance.now();
      void engine.handle(report);
      // The first rounds compile, and have the states made.
      if (round >= ROUNDS / 3) timesUs.push((performance.now() - startedMs) * 1_000);
    }
  }
  const meanUs = timesUs.reduce((sum, each) => sum + each, 0) / timesUs.length;
  const p99Us = percentile(timesUs, 0.99);
  timesUs.length = 0;
  const bytes = (heapBytes() - before) / devices;
  // Still needed, so that it was still there when its memory was counted.
  if (rules.length > 0 && runner.deviceCount !== devices) throw new Error('not every device has its rules');
  return { meanUs, p99Us, bytes, events };
}

/** A vehicle that drives through a town. */
function reportOf(device: number, round: number, atMs: number): PositionReport {
  const key = { deviceId: `D${device}`, incarnation: device + 1, archiveNumber: device + 1 };
  const position = {
    ...key,
    deviceTimeMs: wallMs(atMs),
    receivedAtMs: wallMs(atMs),
    latitude: 25 + round * 0.001,
    longitude: 121,
    altitudeM: 10,
    speedKmh: 40 + ((device + round) % 8),
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
  };
  return { kind: 'position', device: key, edition: '2019', position, items: [], details: {}, isLive: true };
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
