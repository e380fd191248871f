import { describe, expect, it } from 'vitest';
import { FenceDirectory, placesAmong } from '../../../../../server/fences/directory/fenceDirectory.ts';
import type { StoredFence } from '../../../../../server/fences/directory/fenceSource.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FENCE_PLACES, storedFence } from '../../../../support/fences.ts';
import { INSIDE, OUTSIDE } from '../engine/drive.ts';

async function startDirectory(fences: readonly StoredFence[]) {
  const timers = new ManualTimers();
  let stored = fences;
  let places = FENCE_PLACES;
  let reloads = 0;
  const read: number[] = [];
  const directory = new FenceDirectory({
    fences: {
      versions: async () => stored.map(({ id, version }) => ({ id, version })),
      some: async (ids) => {
        read.push(...ids);
        return stored.filter(({ id }) => ids.includes(id));
      },
    },
    places: { places: async () => places },
    onReloaded: () => reloads++,
    now: () => 1_000,
    nextTurn: async () => undefined,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
  });
  await directory.start();
  return {
    directory,
    timers,
    read,
    reloads: () => reloads,
    store: (others: readonly StoredFence[]) => (stored = others),
    place: (others: typeof places) => (places = others),
  };
}

describe('the directory of geofences', () => {
  it('prepares what was changed, and nothing else', async () => {
    const { directory, store } = await startDirectory([storedFence({}, 1), storedFence({}, 2)]);
    const before = [1, 2].map((id) => directory.set.find(id));
    store([storedFence({}, 1), { ...storedFence({ name: 'Yard' }, 2), version: 2 }]);
    await directory.reload();
    expect(directory.set.find(1)).toBe(before[0]);
    expect(directory.set.find(2)?.name).toBe('Yard');
  });

  it('leaves out those that are off', async () => {
    const { directory } = await startDirectory([storedFence({ enabled: false })]);
    expect(directory.set.size).toBe(0);
  });

  it('reads several edits at once', async () => {
    const { directory, timers, reloads } = await startDirectory([]);
    directory.reloadSoon();
    directory.reloadSoon();
    timers.advance(300);
    await directory.reload();
    await directory.close();
    expect(reloads()).toBe(1);
  });

  it('reads no outline twice, and tells nobody where nothing has changed', async () => {
    const { directory, read, reloads, store, place } = await startDirectory([storedFence({}, 1), storedFence({}, 2)]);
    const { set } = directory;
    await directory.reload();
    expect([read, reloads(), directory.set === set]).toEqual([[1, 2], 1, true]);
    place({ ...FENCE_PLACES, devices: [] });
    await directory.reload();
    expect([read, reloads(), directory.set === set]).toEqual([[1, 2], 2, false]);
    store([storedFence({}, 2)]);
    await directory.reload();
    expect([read, reloads(), directory.set.size]).toEqual([[1, 2], 3, 1]);
  });
});

describe('the name of a place', () => {
  const fences = [
    storedFence({ name: 'Yard' }, 1),
    storedFence({ name: 'Depot' }, 2),
    storedFence({ name: 'Harbor' }, 3),
    storedFence({ name: 'Zone' }, 4),
    storedFence({ name: 'Foreign' }, 5, 2),
    storedFence({ name: 'Bygone', validToMs: wallMs(999) }, 6),
  ];

  it('is that of the geofences of the group that it lies in: three at most, in order', async () => {
    const { directory } = await startDirectory(fences);
    const names = await directory.placesOf(1);
    expect([names(INSIDE.lat, INSIDE.lng), names(OUTSIDE.lat, OUTSIDE.lng)]).toEqual(['Depot, Harbor, Yard', '']);
    expect((await directory.placesOf(2))(INSIDE.lat, INSIDE.lng)).toBe('Foreign');
    expect((await directory.placesOf(3))(INSIDE.lat, INSIDE.lng)).toBe('');
  });

  it('is the same without a directory', () => {
    expect(placesAmong(fences, 1, 1_000)(INSIDE.lat, INSIDE.lng)).toBe('Depot, Harbor, Yard');
  });
});
