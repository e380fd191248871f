// What the gateway makes of the demo's scripts, on a clock that the test moves.
import { describe, expect, it } from 'vitest';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import { ReportFeed } from '../../../server/device/reportFeed.ts';
import { handleReport, type ReportDeps } from '../../../server/device/reports.ts';
import { EventTracker } from '../../../server/events/engine/eventTracker.ts';
import { NOWHERE } from '../../../server/events/engine/trackedEvent.ts';
import { CustomTypes } from '../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../server/events/signals/observation.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { DEMO_VEHICLES } from '../../../simulator/demoFleet.ts';
import { ScriptRunner } from '../../../simulator/script/scriptRunner.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';

const STARTED_MS = Date.UTC(2026, 10, 23, 0);
/** The longest step comes again after 71. */
const MINUTES = 90;

interface Begun {
  readonly vehicle: string;
  readonly type: string;
  readonly minute: number;
  readonly isLate: boolean;
  readonly isLasting: boolean;
}

/** The events of one vehicle, as the gateway finds them with its own settings. */
function eventsOf(profile: VehicleProfile): Begun[] {
  const timers = new ManualTimers();
  const begun: (Omit<Begun, 'isLasting'> & { readonly event: { readonly endAtMs: number } })[] = [];
  const tracker = new EventTracker(() => undefined);
  const now = (): number => STARTED_MS + timers.now();
  const feed = new ReportFeed((error) => {
    throw error;
  });
  feed.subscribe('events', (report) => {
    const observation = observationOf(report, new CustomTypes([]));
    if (observation === undefined) return;
    for (const { kind, event } of tracker.observe(observation, CONTEXT)) {
      if (kind !== 'begun') continue;
      const { type, isLate, beginAtMs } = event;
      begun.push({ vehicle: profile.deviceId, type, isLate, minute: (beginAtMs - STARTED_MS) / 60_000, event });
    }
  });
  const session = { deviceId: profile.deviceId, incarnation: 1, archiveNumber: 1, edition: profile.edition };
  const deps: ReportDeps = {
    registry: new DeviceRegistry(now),
    positions: { add: () => true },
    feed,
    now,
    nextTurn: () => Promise.resolve(),
    onLimit: ({ name }) => {
      throw new Error(name);
    },
  };
  let isSignedIn = true;
  const report = (body: MessageBody): number => {
    if (!isSignedIn) throw new Error('a report in an absence');
    if (handleReport(session, body, deps) !== true) throw new Error('a report was not kept');
    return 0;
  };
  const runner = new ScriptRunner({
    profile,
    now,
    runAfter: timers.runAfter,
    areaCrossing: () => undefined,
    masks: () => ({ alarms: 0, videoAlarms: 0 }),
    report,
    sendOnce: report,
    takePicture: () => 1,
    keepFiles: () => undefined,
    onAbsence: (isAbsent) => {
      isSignedIn = !isAbsent;
      if (isAbsent) runner.disconnected();
      else runner.signedIn();
    },
  });
  runner.start();
  runner.signedIn();
  timers.advance(MINUTES * 60_000);
  return begun.map(({ event, ...each }) => ({ ...each, isLasting: event.endAtMs === 0 }));
}

const CONTEXT = {
  device: undefined,
  place: NOWHERE,
  driver: '',
  edition: '',
  settingsOf: (type: string) => {
    const { severity = 'info', isOffAtFirst } = builtInType(type) ?? {};
    return isOffAtFirst === true ? undefined : { severity, mergeMs: 60_000, eventsAnHour: 30, rule: 0 };
  },
  localDayOf: () => 20261123,
} as const;

describe('the scripts of the demo', { timeout: 30_000 }, () => {
  const events = DEMO_VEHICLES.flatMap(eventsOf);

  it('raise events of at least eight types within the first minute, of every vehicle', () => {
    const early = events.filter(({ minute }) => minute <= 1);
    expect(new Set(early.map(({ type }) => type)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(early.map(({ vehicle }) => vehicle)).size).toBe(DEMO_VEHICLES.length);
    expect(early.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'emergency',
        'speeding',
        'video-loss',
        'video-covered',
        'phone-use',
        'forward-collision',
      ]),
    );
  });

  it('go on all morning and never become a flood', () => {
    for (let minute = 2; minute < MINUTES; minute++) {
      const atOnce = events.filter((event) => event.minute >= minute && event.minute < minute + 1);
      expect(atOnce.length, `minute ${minute}`).toBeLessThanOrEqual(5);
    }
    for (let minute = 2; minute + 20 < MINUTES; minute += 20) {
      expect(events.some((event) => event.minute >= minute && event.minute < minute + 20)).toBe(true);
    }
  });

  it('leave some events open and end the others, and have late ones from before and from an absence', () => {
    expect(new Set(events.filter(({ isLasting }) => isLasting).map(({ type }) => type))).toEqual(
      new Set(['emergency', 'video-covered']),
    );
    const late = events.filter(({ isLate }) => isLate);
    expect(late.some(({ minute }) => minute < 0)).toBe(true);
    expect(late.some(({ minute }) => minute > 0)).toBe(true);
  });
});
