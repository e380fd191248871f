import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SyncDevice } from '../../../../server/store/sync/syncSources.ts';
import { SyncDirectory } from '../../../../server/sync/directory.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';

const deviceOf = (incarnation: number) => ({ deviceId: `BUS${incarnation}`, incarnation }) as SyncDevice;

describe('the devices that data sync knows (S-2.4.8)', () => {
  let timers: ManualTimers;
  let directory: SyncDirectory;
  let devices: SyncDevice[];
  let reads: number;
  beforeEach(async () => {
    timers = new ManualTimers();
    devices = [deviceOf(1)];
    reads = 0;
    directory = new SyncDirectory({
      sources: {
        places: async () => {
          reads++;
          return { devices: [...devices], parents: new Map(), owners: new Map() };
        },
      },
      rules: { all: async () => [] },
      runAfter: timers.runAfter,
      onFault: noFaults,
    });
    timers.advance(1_000);
    await waitFor('the first round', () => timers.pending === 1 && reads === 1);
  });
  afterEach(() => directory.close());

  it('hold one that no call has added soon after its terminal came', async () => {
    devices.push(deviceOf(2));
    expect(directory.presentDevice('BUS2')).toBeUndefined();
    timers.advance(1_000);
    await waitFor('it is known', () => directory.presentDevice('BUS2') !== undefined);
    expect(reads).toBe(2);
  });

  it('are read soon however many unknown terminals come one after another', async () => {
    for (let number = 2; number < 20; number++) {
      directory.presentDevice(`BUS${number}`);
      timers.advance(50);
    }
    await waitFor('they were read', () => reads > 1);
  });

  it('are not read anew for one that is known', async () => {
    expect(directory.presentDevice('BUS1')?.incarnation).toBe(1);
    timers.advance(10_000);
    expect([timers.pending, reads]).toEqual([1, 1]);
  });
});
