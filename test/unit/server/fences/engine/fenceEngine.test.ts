import { describe, expect, it } from 'vitest';
import type { PositionReport } from '../../../../../server/device/reportFeed.ts';
import type { Observation } from '../../../../../server/events/signals/signal.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import type { FenceSet } from '../../../../../server/fences/directory/fenceSet.ts';
import { FenceEngine } from '../../../../../server/fences/engine/fenceEngine.ts';
import type { FenceMovement, StoredFenceState } from '../../../../../server/store/fences/fenceMovements.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FENCE_PLACES, FENCED_DEVICE, fenceSet, storedFence } from '../../../../support/fences.ts';
import { newTrackedEvent } from '../../../../support/newTrackedEvent.ts';
import { waitFor } from '../../../../support/waitFor.ts';
import { INSIDE, OUTSIDE } from './drive.ts';

const DEVICE = { deviceId: 'BUS1', incarnation: 7, archiveNumber: 1 };
const RULES = { enter: true, leave: true, insideMinutes: 5 };
const START_MS = 1_000_000;

function startEngine(
  options: {
    readonly set?: FenceSet;
    readonly states?: readonly StoredFenceState[];
    readonly events?: Parameters<FenceEngine['start']>[1];
  } = {},
) {
  const timers = new ManualTimers();
  let set = options.set ?? fenceSet([storedFence({ rules: RULES })]);
  const movements: FenceMovement[] = [];
  const turns: number[] = [];
  const found: string[] = [];
  const faults: Error[] = [];
  const now = () => START_MS + timers.now();
  const engine = new FenceEngine({
    set: () => set,
    write: (movement) => movements.push(movement),
    onObservation: (_, { signals }: Observation) => found.push(...signals.map(({ type, form }) => `${type} ${form}`)),
    now,
    nextTurn: async () => void turns.push(movements.length),
    runAfter: timers.runAfter,
    onFault: (error) => faults.push(error),
    onLimit: () => undefined,
  });
  engine.start(options.states ?? [], options.events ?? []);
  const report = ({ lat, lng }: typeof INSIDE): PositionReport => ({
    kind: 'position',
    device: DEVICE,
    edition: '2019',
    position: {
      ...DEVICE,
      deviceTimeMs: wallMs(now()),
      receivedAtMs: wallMs(now()),
      latitude: lat,
      longitude: lng,
      altitudeM: 0,
      speedKmh: 40,
      headingDeg: 90,
      alarmBits: 0,
      statusBits: 3,
      extra: {},
    },
    items: [],
    details: {},
    isLive: true,
  });
  return {
    engine,
    timers,
    movements,
    turns,
    found,
    faults,
    say: (where: typeof INSIDE) => engine.evaluate(report(where)).map(({ type }) => type),
    use: (other: FenceSet) => {
      set = other;
      engine.reloaded(other);
    },
  };
}

describe('the engine of geofences', () => {
  it('says with a position what it found, and with time what lasts too long', () => {
    const { say, timers, found, engine } = startEngine();
    expect(say(OUTSIDE)).toEqual([]);
    timers.advance(60_000);
    expect(say(INSIDE)).toEqual(['fence-entered']);
    timers.advance(300_000);
    expect(found).toEqual(['fence-inside-long begin']);
    expect(say(OUTSIDE)).toEqual(['fence-left', 'fence-inside-long']);
    expect([engine.evaluatedCount, engine.stateCount]).toEqual([3, 0]);
  });

  it('knows nothing of devices that are not there', () => {
    const { engine, say, use } = startEngine();
    say(INSIDE);
    use(fenceSet([storedFence({ rules: RULES })], { devices: [], parents: new Map(), owners: new Map() }));
    expect(say(OUTSIDE)).toEqual([]);
    expect(engine.deviceCount).toBe(0);
  });

  it('looks at thousands of devices with other geofences in parts', async () => {
    const devices = Array.from({ length: 1_000 }, (_, at) => ({ ...FENCED_DEVICE, incarnation: at + 1 }));
    const states = devices.map(({ incarnation }) => ({
      fence: 1,
      incarnation,
      isInside: true,
      sinceMs: 0,
      deviceSinceMs: 0,
    }));
    const places = { ...FENCE_PLACES, devices };
    const { use, movements, turns } = startEngine({ states, set: fenceSet([storedFence({ rules: RULES })], places) });
    use(fenceSet([], places));
    await waitFor('all devices', () => movements.length === 2_000);
    expect(turns.length).toBeGreaterThanOrEqual(9);
    expect(turns[0]).toBeLessThan(500);
  });

  it('ends what a geofence raised that is off now, without a position', () => {
    const { say, use, timers, found } = startEngine();
    say(INSIDE);
    timers.advance(300_000);
    use(fenceSet([storedFence({ rules: RULES, enabled: false })]));
    expect(found).toEqual(['fence-inside-long begin', 'fence-inside-long end']);
  });
});

describe('the engine of geofences after a restart', () => {
  const state = { fence: 1, incarnation: 7, isInside: true, sinceMs: 400_000, deviceSinceMs: 400_000 };

  it('raises nothing again, and misses no exit', () => {
    const event = newTrackedEvent({
      device: DEVICE,
      type: 'fence-inside-long',
      area: 1,
      origins: Origin.Fence,
      beginAtMs: 400_000,
    });
    const { say, timers, found } = startEngine({ states: [state], events: [event] });
    timers.advance(30_000);
    expect([say(INSIDE), found]).toEqual([[], []]);
    timers.advance(60_000);
    expect(say(OUTSIDE)).toEqual(['fence-left', 'fence-inside-long']);
  });

  it('goes on counting', () => {
    const { timers, found } = startEngine({ states: [state] });
    timers.advance(10_000);
    expect(found).toEqual(['fence-inside-long begin']);
  });

  it('ends what lasted of geofences that are gone', () => {
    const event = newTrackedEvent({ device: DEVICE, type: 'fence-parked', area: 1, origins: Origin.Fence });
    const { found, movements } = startEngine({ set: fenceSet([]), states: [state], events: [event] });
    expect(found).toEqual(['fence-parked end']);
    expect(movements.map(({ kind }) => kind)).toEqual(['forget', 'close']);
  });
});
