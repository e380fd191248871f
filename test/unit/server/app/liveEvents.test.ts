import { expect, it } from 'vitest';
import { startLiveEvents } from '../../../../server/app/liveEvents.ts';
import { createChangeBus } from '../../../../server/bus/changeBus.ts';
import type { StoredChange } from '../../../../server/events/engine/eventWriter.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { newTrackedEvent } from '../../../support/newTrackedEvent.ts';

/** What is read of the database to be told to pages, message by message. */
function start() {
  const timers = new ManualTimers();
  const read: (readonly number[])[] = [];
  const rowsOf = async (ids: readonly number[]) => {
    read.push(ids);
    return [];
  };
  const board = { onRegrouped: () => undefined, deviceOfArchive: () => undefined };
  const live = startLiveEvents(
    {
      stores: { eventList: { rowsOf }, eventCounts: { open: async () => ({ counts: [], lastId: 0 }) } },
      bus: createChangeBus(noFaults),
      closing: { add: () => undefined },
    } as unknown as Parameters<typeof startLiveEvents>[0],
    { runAfter: timers.runAfter, onFault: noFaults },
    board as unknown as Parameters<typeof startLiveEvents>[2],
  );
  live.rows.open({ memberGroup: 1, deviceGroups: new Set([1]) });
  const told = async (changes: readonly StoredChange[]) => {
    read.length = 0;
    live.stored(changes);
    timers.advance(2_000);
    await new Promise((resolve) => setImmediate(resolve));
    return read.flat();
  };
  return { told };
}

it('pages are told that an event lasts only if it has another value', async () => {
  const { told } = start();
  const speeding = { ...newTrackedEvent({ value: 90 }), id: 1 };
  const loss = { ...newTrackedEvent({ type: 'video-loss' }), id: 2 };
  const all = (kind: StoredChange['kind']) => told([speeding, loss].map((event) => ({ event, kind })));
  expect(await all('begun')).toEqual([1, 2]);
  speeding.value = 97;
  expect(await all('seen')).toEqual([1]);
  expect(await all('seen')).toEqual([]);
  speeding.value = 99;
  expect(await all('seen')).toEqual([1]);
  expect(await all('ended')).toEqual([1, 2]);
});
