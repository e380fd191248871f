// The priority of a thread of the system, which a thread gives itself.
import { once } from 'node:events';
import { getPriority, platform } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { backgroundNiceness } from '../../../server/process/giveWay.ts';
import { compiledThread } from '../../../server/store/engine/sqlite/sourceThread.ts';

const PROGRAM = new URL('../../support/programs/givingWay.ts', import.meta.url);

async function nicenessOf(environment: Record<string, string>): Promise<number> {
  const worker = new Worker(await compiledThread(PROGRAM), { eval: true, execArgv: [], env: environment });
  const [niceness] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  return niceness;
}

describe.runIf(platform() === 'linux')('a thread that gives way', () => {
  it('has the lowest priority by default, and this thread keeps its own', async () => {
    const before = getPriority();
    expect(await nicenessOf({})).toBe(19);
    expect(getPriority()).toBe(before);
  });

  it('has the priority that is set, and no higher one than the process', async () => {
    expect(await nicenessOf({ BACKGROUND_NICENESS: '18' })).toBe(18);
    expect(await nicenessOf({ BACKGROUND_NICENESS: '0' })).toBe(getPriority());
  });
});

it('goes by the default where nothing or nonsense is set', () => {
  expect([{}, { BACKGROUND_NICENESS: '' }, { BACKGROUND_NICENESS: '-5' }].map(backgroundNiceness)).toEqual([
    19, 19, 19,
  ]);
});
