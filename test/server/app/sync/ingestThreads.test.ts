import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReadRecording, READER_SILENCE_LIMIT } from '../../../../server/app/sync/ingestThreads.ts';
import type { WrittenPacket } from '../../../../server/recording/past/pastWriter.ts';
import { clipFile, writeRaw } from '../../../support/sync/deviceFiles.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const hints = { channel: 1, spanMs: 20_000 };

let folder: TempFolder;
const faults: Error[] = [];
const limits: string[] = [];
const timers = new Set<() => void>();
const read = createReadRecording({
  runAfter: (_delayMs, run) => {
    timers.add(run);
    return () => timers.delete(run);
  },
  onFault: (error) => void faults.push(error),
  onLimit: ({ name }) => void limits.push(name),
});

beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(async () => {
  expect(faults.splice(0)).toEqual([]);
  expect(timers.size, 'timers that are left').toBe(0);
  limits.length = 0;
  await folder.remove();
});

function collect() {
  const packets: WrittenPacket[] = [];
  const take = async (more: readonly WrittenPacket[]): Promise<boolean> => {
    packets.push(...more);
    return true;
  };
  return { packets, take };
}

describe('the threads that read recordings of devices', () => {
  it('give a file’s packets, and end', async () => {
    const path = `${folder.path}/raw`;
    await writeRaw(path, 'cabin', 200);
    const { packets, take } = collect();
    await read({ path, hints, take, signal: new AbortController().signal });
    expect(packets.filter(({ isVideo }) => isVideo)).toHaveLength(200);
  });

  it('give nothing of what is no video', async () => {
    const path = `${folder.path}/text`;
    await writeFile(path, 'no video');
    const { packets, take } = collect();
    await read({ path, hints, take, signal: new AbortController().signal });
    expect(packets).toEqual([]);
  });

  it('end at once when nobody wants more', async () => {
    const gone = new AbortController();
    let parts = 0;
    const take = async (): Promise<boolean> => {
      parts++;
      gone.abort();
      return true;
    };
    await read({ path: clipFile('cabin'), hints, take, signal: gone.signal });
    expect(parts).toBe(1);
  });

  it('are not started for what is given up already', async () => {
    const { packets, take } = collect();
    await read({ path: `${folder.path}/none`, hints, take, signal: AbortSignal.abort() });
    expect(packets).toEqual([]);
  });

  it('stop where no more is taken', async () => {
    let parts = 0;
    const take = async (): Promise<boolean> => ++parts < 2;
    await read({ path: clipFile('cabin'), hints, take, signal: new AbortController().signal });
    expect(parts).toBe(2);
  });

  it('fail with what writing fails with', async () => {
    const take = (): Promise<boolean> => Promise.reject(new Error('no disk'));
    const reading = read({ path: clipFile('cabin'), hints, take, signal: new AbortController().signal });
    await expect(reading).rejects.toThrow('no disk');
  });

  it('fail where the file is gone', async () => {
    const { take } = collect();
    const reading = read({ path: `${folder.path}/none`, hints, take, signal: new AbortController().signal });
    await expect(reading).rejects.toThrow('ended');
  });

  it('are ended when they give nothing for a minute, and what they gave is kept', async () => {
    const { packets, take } = collect();
    const request = { path: clipFile('cabin'), hints, signal: new AbortController().signal };
    await read({
      ...request,
      take: async (more) => {
        await take(more);
        // The next watch is over before the thread can answer.
        setImmediate(() => {
          for (const run of timers) run();
        });
        return true;
      },
    });
    expect(packets.length).toBeGreaterThan(0);
    expect(limits).toEqual([READER_SILENCE_LIMIT.name]);
  });
});
