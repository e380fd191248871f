import { expect, it, onTestFinished } from 'vitest';
import {
  createImportThread,
  IMPORT_MEMORY_LIMIT,
  IMPORT_TIME_LIMIT,
} from '../../../../server/app/imports/importThread.ts';
import { importsInThisThread } from '../../../support/importsInThisThread.ts';
import { waitFor } from '../../../support/waitFor.ts';

const fileOf = (text: string, memberGroup = 1) => ({ bytes: new TextEncoder().encode(text), memberGroup });
const READING = { defaults: { widthMeters: 20, radiusMeters: 50, name: 'Town' } };
const FENCES = fileOf('name,lat,lng\nA,25,121\nB,25,x\n');
const DEVICES = fileOf(
  `deviceid,name\n${Array.from({ length: 1_000 }, (_, at) => `D${at},"Bus ${at}, 台北"`).join('\n')}`,
);

interface Timer {
  readonly delayMs: number;
  readonly run: () => void;
}

interface Setting {
  readonly memoryMb?: number;
  /** The time of the first file is over before the thread has read it. */
  readonly isFirstLate?: boolean;
}

/** Timers run when the test says so. */
function openThread({ memoryMb, isFirstLate = false }: Setting = {}) {
  const timers = new Set<Timer>();
  const faults: Error[] = [];
  const limits: string[] = [];
  let watches = 0;
  const thread = createImportThread({
    runAfter: (delayMs, run) => {
      const timer = { delayMs, run };
      if (isFirstLate && isWatch(timer) && watches++ === 0) queueMicrotask(run);
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onFault: (error) => void faults.push(error),
    onLimit: ({ name }) => void limits.push(name),
    ...(memoryMb === undefined ? {} : { memoryMb }),
  });
  onTestFinished(async () => {
    await thread.close();
    expect(faults).toEqual([]);
  });
  const fire = async (isDue: (timer: Timer) => boolean) => {
    await waitFor('the timer is set', () => [...timers].some(isDue));
    for (const timer of timers) if (isDue(timer)) timer.run();
  };
  return { thread, fire, timers, limits };
}

const isWatch = ({ delayMs }: Timer) => delayMs === IMPORT_TIME_LIMIT.max;

it('reads as the main thread would, one file after another', async () => {
  const { thread } = openThread();
  const [fences, devices, none] = await Promise.all([
    thread.fences(FENCES, READING),
    thread.devices(DEVICES, undefined),
    thread.devices(fileOf('deviceid,what\nA,B\n'), undefined),
  ]);
  expect(fences).toEqual(await importsInThisThread.fences(FENCES, READING));
  expect(devices).toEqual(await importsInThisThread.devices(DEVICES, undefined));
  expect(none).toEqual({ ok: false, code: 'file-column-unknown', what: 'what' });
});

it('reads the file of a member group next, however many another one has sent', async () => {
  const { thread } = openThread();
  const order: string[] = [];
  const read = async (name: string, memberGroup: number): Promise<void> => {
    await thread.fences(fileOf('name,lat,lng\nA,25,121\n', memberGroup), READING);
    order.push(name);
  };
  const many = Array.from({ length: 10 }, (_, at) => read(`a${at}`, 1));
  await Promise.all([...many, read('b', 2)]);
  expect(order.slice(0, 2)).toEqual(['a0', 'b']);
});

it('gives up a file that takes too long, and reads the next', async () => {
  const { thread, limits } = openThread({ isFirstLate: true });
  expect(await thread.fences(FENCES, READING)).toEqual({ ok: false, code: 'file-too-complex' });
  expect(limits).toEqual([IMPORT_TIME_LIMIT.name]);
  expect(await thread.fences(FENCES, READING)).toMatchObject({ ok: true });
});

it('gives up a file that takes too much memory, and reads the next', async () => {
  const { thread, limits } = openThread({ memoryMb: 24 });
  const wide = fileOf(`<kml>${'<a/>'.repeat(1_200_000)}</kml>`);
  expect(await thread.fences(wide, READING)).toEqual({ ok: false, code: 'file-too-complex' });
  expect(limits).toEqual([IMPORT_MEMORY_LIMIT.name]);
  expect(await thread.fences(FENCES, READING)).toMatchObject({ ok: true });
});

it('ends when nothing is read for a while, and begins again', async () => {
  const { thread, fire, timers } = openThread();
  await thread.fences(FENCES, READING);
  expect([...timers].filter(isWatch)).toEqual([]);
  await fire((timer) => !isWatch(timer));
  expect(await thread.fences(FENCES, READING)).toMatchObject({ ok: true });
});

it('takes no file once it is closed', async () => {
  const { thread } = openThread();
  const begun = thread.fences(FENCES, READING);
  await thread.close();
  await expect(begun).rejects.toThrow('the thread of imports');
  await expect(thread.fences(FENCES, READING)).rejects.toThrow('closed');
});
