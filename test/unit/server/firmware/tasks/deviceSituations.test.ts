import { beforeEach, describe, expect, it } from 'vitest';
import { DeviceRegistry } from '../../../../../server/device/registry.ts';
import { ReportFeed } from '../../../../../server/device/reportFeed.ts';
import type { TerminalSession } from '../../../../../server/device/terminalSession.ts';
import { type Conditions, waitOf } from '../../../../../server/firmware/rules/conditions.ts';
import { createSituationOf, DeviceSituations } from '../../../../../server/firmware/tasks/deviceSituations.ts';
import { Hub } from '../../../../../server/media/hub.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { DEVICE, positionReport } from '../../events/signals/reports.ts';

const MINUTE_MS = 60_000;
const ANY: Conditions = { parkedMinutes: 0, ignition: 'any', unwatched: false, minimumSignal: 0, needsPlan: false };
const IMAGE_BYTES = 1_000;
const IGNITION = 1;
const FIXED = 2;

interface Said {
  readonly atMinute?: number;
  readonly speedKmh?: number;
  readonly statusBits?: number;
  readonly radioSignal?: number;
  readonly isLive?: boolean;
}

function createScene() {
  const registry = new DeviceRegistry(() => 0);
  const feed = new ReportFeed(noFaults);
  const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter: () => () => undefined });
  const situations = new DeviceSituations();
  feed.subscribe('firmware situations', situations.handle);
  let leftBytes = Number.POSITIVE_INFINITY;
  const situationOf = createSituationOf({
    situations,
    registry,
    plans: {
      mayTransfer: (_id, bytes) => (bytes < leftBytes ? { ok: true } : { ok: false, reason: 'plan-no-transfers' }),
    },
    isWatched: (deviceId) => hub.isWatched(deviceId),
  });
  const session = { ...DEVICE, close: () => undefined } as unknown as TerminalSession;
  const presence = (isOnline: boolean) => feed.tell({ kind: 'presence', device: DEVICE, isOnline, atMs: 0 });
  return {
    hub,
    registry,
    enter: () => {
      registry.enter(session);
      presence(true);
    },
    leave: () => {
      registry.leave(session);
      presence(false);
    },
    say: ({ atMinute = 0, speedKmh = 0, statusBits = FIXED, radioSignal, isLive = true }: Said) => {
      const report = positionReport({ speedKmh, isLive });
      const position = { ...report.position, statusBits, receivedAtMs: wallMs(atMinute * MINUTE_MS) };
      registry.setIgnition(DEVICE.deviceId, (statusBits & IGNITION) !== 0);
      feed.tell({
        ...report,
        position,
        details: { ...report.details, ...(radioSignal !== undefined && { radioSignal }) },
      });
    },
    setPlanLeft: (bytes: number) => {
      leftBytes = bytes;
    },
    waits: (conditions: Partial<Conditions>, atMinute = 0) =>
      waitOf(
        { ...ANY, ...conditions },
        { ...situationOf(DEVICE, IMAGE_BYTES), isInWindow: true },
        atMinute * MINUTE_MS,
      ),
  };
}

describe('what firmware waits for, as the fleet reports it', () => {
  let scene: ReturnType<typeof createScene>;

  beforeEach(() => {
    scene = createScene();
    scene.enter();
  });

  it('a terminal that has signed in, and not with another device of its id', () => {
    expect(scene.waits({})).toBe('');
    scene.leave();
    expect(scene.waits({})).toBe('online');
    scene.registry.enter({ ...DEVICE, incarnation: 8 } as TerminalSession);
    expect(scene.waits({})).toBe('online');
  });

  it('a vehicle that has stood for so many minutes', () => {
    expect(scene.waits({ parkedMinutes: 10 }, 60)).toBe('parked');
    scene.say({ atMinute: 1 });
    scene.say({ atMinute: 9, speedKmh: 2 });
    expect(scene.waits({ parkedMinutes: 10 }, 10)).toBe('parked');
    expect(scene.waits({ parkedMinutes: 10 }, 11)).toBe('');
    scene.say({ atMinute: 11, speedKmh: 3 });
    expect(scene.waits({ parkedMinutes: 10 }, 60)).toBe('parked');
  });

  it('a position without a fix, or of a time without a connection, parks no vehicle', () => {
    scene.say({ statusBits: 0 });
    scene.say({ isLive: false });
    expect(scene.waits({ parkedMinutes: 10 }, 60)).toBe('parked');
    expect(scene.waits({ ignition: 'off' })).toBe('');
  });

  it('nothing that its terminal said before it was away, or before it signed in anew', () => {
    const strict = { parkedMinutes: 10, ignition: 'off', minimumSignal: 10 } as const;
    scene.say({ atMinute: 0, radioSignal: 20 });
    expect(scene.waits(strict, 30)).toBe('');
    scene.leave();
    scene.enter();
    expect(scene.waits(strict, 30)).toBe('parked');
    expect(scene.waits({ ignition: 'off' }, 30)).toBe('ignition');
    expect(scene.waits({ minimumSignal: 10 }, 30)).toBe('signal');
    scene.say({ atMinute: 31, radioSignal: 20 });
    expect(scene.waits(strict, 40)).toBe('parked');
    expect(scene.waits(strict, 41)).toBe('');
    // Another connection in the place of the old one.
    scene.enter();
    expect(scene.waits(strict, 60)).toBe('parked');
  });

  it('its ignition', () => {
    expect(scene.waits({ ignition: 'on' })).toBe('ignition');
    scene.say({ statusBits: FIXED + IGNITION });
    expect(scene.waits({ ignition: 'on' })).toBe('');
    expect(scene.waits({ ignition: 'off' })).toBe('ignition');
    scene.say({ statusBits: FIXED });
    expect(scene.waits({ ignition: 'off' })).toBe('');
  });

  it('its signal, as last reported', () => {
    scene.say({ radioSignal: 9 });
    expect(scene.waits({ minimumSignal: 10 })).toBe('signal');
    scene.say({ radioSignal: 10 });
    scene.say({});
    expect(scene.waits({ minimumSignal: 10 })).toBe('');
  });

  it('nobody who looks at one of its cameras', () => {
    const key = { deviceId: DEVICE.deviceId, channel: 2, quality: 'sub' } as const;
    const viewer = scene.hub.watch(key, { deliver: () => undefined });
    expect(scene.waits({ unwatched: true })).toBe('viewers');
    viewer.close();
    expect(scene.waits({ unwatched: true })).toBe('');
  });

  it('its data plan', () => {
    scene.setPlanLeft(IMAGE_BYTES);
    expect(scene.waits({ needsPlan: true })).toBe('plan');
    expect(scene.waits({})).toBe('');
    scene.setPlanLeft(0);
    expect(scene.waits({})).toBe('plan');
  });
});
