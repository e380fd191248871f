import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AskedThread, createAskedThread } from '../../../server/faults/askedThread.ts';
import { startThread } from '../../../server/faults/threads.ts';
import { compiledThread } from '../../../server/store/engine/sqlite/sourceThread.ts';
import { waitFor } from '../../support/waitFor.ts';

let thread: AskedThread<string, string>;
let faults: Error[];
let starts: number;
beforeEach(() => {
  faults = [];
  starts = 0;
  thread = createAskedThread({
    name: 'the asked thread',
    start: async (onEnd) => {
      starts++;
      const program = await compiledThread(new URL('./asked.worker.ts', import.meta.url));
      return startThread(program, { eval: true, execArgv: [] }, onEnd);
    },
    onFault: (error) => void faults.push(error),
  });
});
afterEach(() => thread.close());

it('answers each question with its own answer, in one thread', async () => {
  const answers = await Promise.all(['one', 'two', 'three'].map((question) => thread.ask(question)));
  expect(answers).toEqual(['one?', 'two?', 'three?']);
  expect(starts).toBe(1);
});

it('rejects with what the answer failed of, and goes on', async () => {
  await expect(thread.ask('refuse')).rejects.toThrow('not that');
  await expect(thread.ask('fail')).rejects.toThrow('nothing at all');
  expect(await thread.ask('one')).toBe('one?');
  expect(faults).toEqual([]);
});

it('rejects at once for whoever leaves, and the thread is told', async () => {
  const gone = new AbortController();
  const answer = thread.ask('forever', gone.signal);
  expect(await thread.ask('counts')).toBe('2 asked, 0 left');
  gone.abort(new Error('gone'));
  await expect(answer).rejects.toBe(gone.signal.reason);
  expect(await thread.ask('counts')).toBe('3 asked, 1 left');
});

it('asks nothing for whoever has left already', async () => {
  await expect(thread.ask('one', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(await thread.ask('counts')).toBe('1 asked, 0 left');
});

it('loses the questions of a thread that ends, tells of it, and starts another for the next', async () => {
  const lost = await Promise.allSettled([thread.ask('forever'), thread.ask('end')]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(faults.map(({ message }) => message)).toEqual(['the asked thread ended']);
  expect(await thread.ask('one')).toBe('one?');
  expect(starts).toBe(2);
});

it('tries again after a thread that could not be started', async () => {
  let isBroken = true;
  const failing = createAskedThread<string, string>({
    name: 'a thread',
    start: async (onEnd) => {
      if (isBroken) throw new Error('no thread');
      const program = await compiledThread(new URL('./asked.worker.ts', import.meta.url));
      return startThread(program, { eval: true, execArgv: [] }, onEnd);
    },
    onFault: (error) => void faults.push(error),
  });
  await expect(failing.ask('one')).rejects.toThrow('no thread');
  isBroken = false;
  expect(await failing.ask('one')).toBe('one?');
  await failing.close();
  expect(faults).toEqual([]);
});

it('ends with all that is asked when it is closed, without a fault, and answers no more', async () => {
  const answer = thread.ask('forever').catch((error: Error) => error.message);
  await waitFor('the start', () => starts, Boolean);
  await thread.close();
  expect(await answer).toBe('the asked thread ended');
  await expect(thread.ask('one')).rejects.toThrow('the asked thread is closed');
  expect(faults).toEqual([]);
});
