import { expect, it } from 'vitest';
import { WorkQueue } from '../../../../../server/tracks/engine/workQueue.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

it('the queue of tracks is not looked through for each position that comes late', async () => {
  const timers = new ManualTimers();
  let timersSet = 0;
  const done: number[] = [];
  const queue = new WorkQueue<number>({
    atOnce: 1,
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
    atOnce: 1,
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

/** Its clock is set by hand; a round of promises lets the work end. */
function scene(fails: ReadonlySet<string> = new Set()) {
  const timers = new ManualTimers();
  const done: string[] = [];
  const faults: string[] = [];
  const queue = new WorkQueue<string>({
    atOnce: 1,
    work: async (item) => {
      if (fails.has(item)) throw new Error(`no ${item}`);
      done.push(item);
    },
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: ({ message }) => void faults.push(message),
  });
  const pass = async (ms: number): Promise<void> => {
    timers.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, done, faults, pass };
}

it('what is added again and again is due later each time, but not for ever', async () => {
  const { queue, done, pass } = scene();
  for (let second = 0; second < 9; second++) {
    queue.add('BUS', 2_000, 10_000);
    await pass(1_000);
  }
  expect(done).toEqual([]);
  queue.add('BUS', 2_000, 10_000);
  await pass(1_000);
  expect(done).toEqual(['BUS']);
  await queue.close();
});

it('what is added without a longest delay is done as soon as any of its times comes', async () => {
  const { queue, done, pass } = scene();
  queue.add('BUS', 5_000);
  queue.add('BUS', 60_000);
  await pass(5_000);
  expect(done).toEqual(['BUS']);
  expect(queue.count).toBe(0);
  await queue.close();
});

it('what comes first is done before all that is due, and what was removed is not done', async () => {
  const { queue, done, pass } = scene();
  queue.add('BUS', 1_000);
  queue.add('CAR', 1_000);
  queue.remove('CAR');
  queue.first(async () => void done.push('first'));
  await pass(1_000);
  expect(done).toEqual(['first', 'BUS']);
  await queue.close();
});

it('work that fails is reported and holds up no other', async () => {
  const { queue, done, faults, pass } = scene(new Set(['BUS']));
  queue.add('BUS', 0);
  queue.add('CAR', 0);
  await pass(0);
  expect(faults).toEqual(['no BUS']);
  expect(done).toEqual(['CAR']);
  await queue.close();
});

it('nothing begins once it is closed', async () => {
  const { queue, done, pass } = scene();
  queue.add('BUS', 1_000);
  await queue.close();
  queue.add('CAR', 0);
  await pass(10_000);
  expect(done).toEqual([]);
});

it('so many are worked on together, none twice at once, and a first one with none beside it', async () => {
  const timers = new ManualTimers();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const held = (name: string) =>
    new Promise<void>((resolve) => {
      begun.push(name);
      ends.set(name, resolve);
    });
  const { now, runAfter } = timers;
  const queue = new WorkQueue<string>({ atOnce: 2, work: held, now, runAfter, onFault: () => undefined });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  queue.add('A', 0);
  queue.add('A', 0);
  for (const item of ['B', 'C']) queue.add(item, 0);
  expect(begun).toEqual(['A', 'B']);
  expect(queue.count).toBe(4);
  queue.first(() => held('first'));
  await end('A');
  expect(begun).toEqual(['A', 'B']);
  await end('B');
  expect(begun).toEqual(['A', 'B', 'first']);
  await end('first');
  expect(begun).toEqual(['A', 'B', 'first', 'A', 'C']);
  await end('A');
  await end('C');
  await queue.close();
});
