import { beforeEach, describe, expect, it } from 'vitest';
import { raiseRefused, raiseStarted, watchDisk, watchLicense } from '../../../../server/app/systemEvents.ts';
import type { Rounds } from '../../../../server/faults/rounds.ts';
import type { DiskListener } from '../../../../server/recording/disk.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../support/waitFor.ts';

const BUS = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };
const HOUR_MS = 3_600_000;

describe('events of the gateway itself', () => {
  let raised: string[];
  const engine = {
    raise: ({ type, form }: { readonly type: string; readonly form: string }, device?: typeof BUS) => {
      raised.push(`${type} ${form}${device === undefined ? '' : ` of ${device.deviceId}`}`);
    },
  };
  beforeEach(() => {
    raised = [];
  });

  it('are raised by a start and by terminals that are not let in', () => {
    raiseStarted(engine);
    raiseRefused(engine, { device: undefined });
    raiseRefused(engine, { device: BUS });
    expect(raised).toEqual([
      'gateway-started momentary',
      'unknown-terminal momentary',
      'identity-changed momentary of BUS1',
    ]);
  });

  it('last as long as the disk is full or gone', () => {
    let tell: DiskListener = () => undefined;
    watchDisk(engine, {
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
    });
    const said = (state: Parameters<DiskListener>[0]): string[] => {
      raised = [];
      tell(state, 'ok');
      return raised;
    };
    expect(said('full')).toEqual(['disk-full begin', 'disk-missing end']);
    expect(said('gone')).toEqual(['disk-full end', 'disk-missing begin']);
    expect(said('read-only')).toEqual(['disk-full end', 'disk-missing begin']);
    expect(said('ok')).toEqual(['disk-full end', 'disk-missing end']);
  });

  describe('of the license', () => {
    const timers = new ManualTimers();
    const faults: Error[] = [];
    let expiresMs: () => Promise<number>;
    const watch = (): Rounds =>
      watchLicense(engine, {
        expiresMs: () => expiresMs(),
        now: () => 1_000,
        runAfter: timers.runAfter,
        onFault: (error) => faults.push(error),
      });
    const look = async (ms: number): Promise<void> => {
      const before = raised.length + faults.length;
      timers.advance(ms);
      await waitFor('a look', () => raised.length + faults.length > before && timers.pending > 0);
    };

    it('lasts from when it has expired to when it is renewed', async () => {
      expiresMs = async () => 1_000;
      const rounds = watch();
      await look(0);
      await look(HOUR_MS);
      expiresMs = async () => Promise.reject(new Error('no database'));
      await look(HOUR_MS);
      expiresMs = async () => 1_001;
      await look(HOUR_MS);
      expiresMs = async () => 0;
      await look(HOUR_MS);
      await rounds.close();
      expect(raised.map((text) => text.replace('license-expired ', ''))).toEqual(['begin', 'begin', 'end', 'end']);
      expect(faults).toHaveLength(1);
      expect(timers.pending).toBe(0);
    });
  });
});
