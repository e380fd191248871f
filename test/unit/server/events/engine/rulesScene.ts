// The engine with the rules of a device, on a clock that the test moves; nothing is stored.
import type { PositionReport, Report } from '../../../../../server/device/reportFeed.ts';
import { EventEngine } from '../../../../../server/events/engine/eventEngine.ts';
import { type RecordingBits, RuleRunner, type WatchedDevice } from '../../../../../server/events/engine/ruleRunner.ts';
import type { TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import type { PreparedRule } from '../../../../../server/events/rules/rule.ts';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../../../server/events/signals/observation.ts';
import type { StoredEvent } from '../../../../../server/store/events/eventLog.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { positionReport, type ReportOptions } from '../signals/reports.ts';

/** Monday, midnight in UTC. */
export const START_MS = Date.UTC(2026, 10, 23);
export const BUS: WatchedDevice = {
  deviceId: 'BUS1',
  incarnation: 1,
  archiveNumber: 1,
  wasSeen: true,
  disabled: false,
};
const NO_CUSTOM_TYPES = new CustomTypes([]);

export interface PositionOptions extends ReportOptions {
  readonly status?: number;
  /** Time of the device's clock, in seconds from the start; the gateway's where it is left out. */
  readonly deviceAt?: number;
}

export class RulesScene {
  readonly timers = new ManualTimers();
  readonly events: TrackedEvent[] = [];
  readonly faults: Error[] = [];
  readonly engine: EventEngine;
  readonly runner: RuleRunner;
  rules: readonly PreparedRule[] = [];
  stored: StoredEvent[] = [];
  devices: readonly WatchedDevice[] = [BUS];
  isOnline = true;
  onlineSinceMs: number | undefined;
  recordings = new Map<string, RecordingBits>();

  constructor() {
    const runAfter = this.timers.runAfter;
    const onFault = (error: Error): number => this.faults.push(error);
    let lastId = 0;
    this.engine = new EventEngine({
      store: {
        write: async ({ added }) => added.map(() => ++lastId),
        tracked: async () => this.stored,
        begunBetween: async () => [],
      },
      observationOf: (report) => observationOf(report, NO_CUSTOM_TYPES),
      ruleSignalsOf: (report) => this.runner.evaluate(report),
      settingsOf: () => ({ severity: 'major', mergeMs: 60_000, eventsAnHour: 30, rule: 7 }),
      localDayOf: () => 20_261_123,
      hasChannel: (_, channel) => channel <= 4,
      lastPlaceOf: () => ({ latitude: 24, longitude: 121, speedKmh: 0, headingDeg: 0 }),
      now: this.now,
      runAfter,
      onChanged: (event) => {
        if (!this.events.includes(event)) this.events.push(event);
      },
      onStored: () => undefined,
      onFault,
      onLimit: () => undefined,
    });
    this.runner = new RuleRunner({
      rulesOf: () => this.rules,
      presenceOf: () => ({ isOnline: this.isOnline, sinceMs: this.onlineSinceMs }),
      recordings: () => this.recordings,
      onObservation: (device, observation) => this.engine.observe(device, observation),
      now: this.now,
      runAfter,
      onFault,
    });
  }

  readonly now = (): number => START_MS + this.timers.now();

  async start(): Promise<void> {
    await this.engine.start(() => BUS);
    this.runner.start(this.engine.lasting(), () => this.devices);
  }

  /** Lets time pass until this many seconds from the start. */
  goTo(seconds: number): void {
    this.timers.advance(START_MS + seconds * 1_000 - this.now());
  }

  say(report: Report): void {
    void this.engine.handle(report);
  }

  /** Sends a position this many seconds from the start; time passes until then. */
  position(seconds: number, options: PositionOptions = {}): void {
    this.goTo(seconds);
    this.say(this.positionReport(options));
  }

  presence(seconds: number, isOnline: boolean): void {
    this.goTo(seconds);
    this.isOnline = isOnline;
    this.say({ kind: 'presence', device: BUS, isOnline, atMs: this.now() });
  }

  /** `speeding 20-50, 120 of 100`: seconds from the start; an event that lasts has no end. */
  lines(): string[] {
    return this.events.map((event) => {
      const { type, unit, beginAtMs, endAtMs, value, limit, count, isLate } = event;
      const times = `${secondsOf(beginAtMs)}-${endAtMs === 0 ? '' : secondsOf(endAtMs)}`;
      const measured = value === undefined ? '' : `, ${value}${limit === undefined ? '' : ` of ${limit}`}`;
      return `${type}${unit > 0 ? ` ${unit}` : ''} ${times}${measured}${count > 1 ? ` x${count}` : ''}${isLate ? ' late' : ''}`;
    });
  }

  positionReport({ status = 3, deviceAt, ...options }: PositionOptions): PositionReport {
    const report = positionReport(options);
    const receivedAtMs = wallMs(this.now());
    const deviceTimeMs = deviceAt === undefined ? receivedAtMs : wallMs(START_MS + deviceAt * 1_000);
    const position = { ...report.position, receivedAtMs, deviceTimeMs, statusBits: status };
    return { ...report, device: BUS, position };
  }
}

function secondsOf(atMs: number): number {
  return (atMs - START_MS) / 1_000;
}
