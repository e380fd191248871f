import { describe, expect, it } from 'vitest';
import { ReportFeed } from '../../../../../server/device/reportFeed.ts';
import { PresenceRecorder, type PresenceRecorderDeps } from '../../../../../server/fleet/presence/presenceRecorder.ts';
import type { PresenceChanges } from '../../../../../server/store/fleet/presenceSessions.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../../support/waitFor.ts';

function scene(overrides: Partial<PresenceRecorderDeps['store']> = {}) {
  const timers = new ManualTimers();
  const faults: string[] = [];
  const told: string[] = [];
  const written: PresenceChanges[] = [];
  const feed = new ReportFeed(({ message }) => void faults.push(message));
  const recorder = new PresenceRecorder({
    store: {
      write: async (changes) => void written.push(changes),
      noteSeen: async (atMs) => void told.push(`seen ${atMs}`),
      endAll: async (atMs, reason) => void told.push(`${reason} ${atMs}`),
      endLeftOpen: async () => {
        told.push('left open');
        return 0;
      },
      ...overrides,
    },
    feed,
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: ({ message }) => void faults.push(message),
  });
  const tell = (incarnation: number, isOnline: boolean): void =>
    feed.tell({
      kind: 'presence',
      device: { deviceId: 'BUS', incarnation, archiveNumber: 1 },
      isOnline,
      atMs: timers.now(),
    });
  return { timers, faults, told, written, recorder, tell };
}

describe('the record of presence', () => {
  it('first ends what was left open, and then writes what comes together', async () => {
    const { timers, told, written, tell } = scene();
    expect(told).toEqual(['left open']);
    tell(1, true);
    tell(2, true);
    await waitFor('they are written', () => {
      timers.advance(1_000);
      return written.length > 0;
    });
    expect(written[0]?.added.map(({ incarnation }) => incarnation)).toEqual([1, 2]);
  });

  it('notes each minute that terminals are still there', () => {
    const { timers, told } = scene();
    timers.advance(130_000);
    expect(told).toEqual(['left open', 'seen 60000', 'seen 120000']);
  });

  it('writes in parts, and again what the database did not take', async () => {
    let isAway = true;
    const counts: number[] = [];
    const { timers, faults, tell } = scene({
      write: async ({ added }) => {
        if (isAway) throw new Error('away');
        counts.push(added.length);
      },
    });
    for (let incarnation = 0; incarnation < 1_100; incarnation++) tell(incarnation, true);
    await waitFor('it has failed', () => {
      timers.advance(1_000);
      return faults.length > 0;
    });
    isAway = false;
    await waitFor('all are written', () => {
      timers.advance(5_000);
      return counts.length === 3;
    });
    expect(counts).toEqual([500, 500, 100]);
    expect(faults[0]).toBe('500 comings and goings of terminals could not be stored yet');
  });

  it('ends all by the stop of the gateway, and hears nothing of the connections that it cuts then', async () => {
    const { timers, told, written, recorder, tell } = scene();
    tell(1, true);
    timers.advance(10);
    const stopped = recorder.stop();
    tell(1, false);
    await stopped;
    await recorder.stop();
    expect(written).toHaveLength(1);
    expect(told).toEqual(['left open', 'gateway-stopped 10']);
    expect(timers.pending).toBe(0);
  });

  it('reports what fails', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('away');
    };
    const { timers, faults, recorder } = scene({ noteSeen: fail, endAll: fail, endLeftOpen: fail });
    timers.advance(60_000);
    await recorder.stop();
    await waitFor('all three', () => faults.length === 3);
    expect(faults.sort()).toEqual([
      'presences could not be ended',
      'presences could not be noted',
      'presences that were left open could not be ended',
    ]);
  });
});
