import { expect, it } from 'vitest';
import { WorkQueue } from '../../../../server/tracks/engine/workQueue.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

it('the queue of tracks is not looked through for each position that comes late', async () => {
  const timers = new ManualTimers();
  let timersSet = 0;
  const done: number[] = [];
  const queue = new WorkQueue<number>({
    work: async (item) => void done.push(item),
    now: () => timers.now(),
    runAfter: (delayMs, run) => {
      timersSet++;
      return timers.runAfter(delayMs, run);
    },
    onFault: (error) => {
      throw error;
    },
  });
  for (let round = 0; round < 100; round++) for (let item = 0; item < 10; item++) queue.add(item, 10_000, 60_000);
  expect(timersSet).toBe(1);
  timers.advance(10_000);
  await queue.close();
  expect(done).toEqual([0]);
});

it('what is due sooner wakes it sooner', async () => {
  const timers = new ManualTimers();
  const done: string[] = [];
  const queue = new WorkQueue<string>({
    work: async (item) => void done.push(item),
    now: () => timers.now(),
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
  });
  queue.add('late', 60_000);
  queue.add('soon', 1_000);
  timers.advance(1_000);
  await queue.close();
  expect(done).toEqual(['soon']);
});
