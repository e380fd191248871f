import { beforeEach, describe, expect, it } from 'vitest';
import { createCertificateSource } from '../../../../../server/health/sources/certificateSource.ts';
import { DiskSource, type FolderSpace } from '../../../../../server/health/sources/diskSource.ts';
import { createPortSource } from '../../../../../server/health/sources/portSource.ts';
import { createQueueSource } from '../../../../../server/health/sources/queueSource.ts';
import { createTableSource } from '../../../../../server/health/sources/tableSource.ts';
import { createThreadSource } from '../../../../../server/health/sources/threadSource.ts';
import type { TableSize } from '../../../../../server/store/system/tableSizes.ts';
import type { HealthCheck } from '../../../../../shared/protocol/api/system/health.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const GIGABYTE = 1024 ** 3;
const briefly = (checks: readonly HealthCheck[]) => checks.map(({ id, state }) => `${id} ${state}`);
const figureOf = (check: HealthCheck | undefined, name: string) =>
  check?.values.find((value) => value.name === name)?.value;

it('ports are asked for as they are', async () => {
  const source = createPortSource({
    ports: () => [
      { name: 'web', port: 8080, isListening: true },
      { name: 'jt808', port: 7808, isListening: false },
    ],
    passiveRange: () => ({ first: 1, last: 2, taken: 2 }),
  });
  expect(briefly(await source.read())).toEqual(['ports/web ok', 'ports/jt808 problem', 'ports/ftp-passive warning']);
});

it('the certificate is a check of its own', async () => {
  expect(
    await createCertificateSource(
      () => null,
      () => 0,
    ).read(),
  ).toMatchObject([{ id: 'certificate', subject: '' }]);
});

it('queues and threads are judged by their own limits', async () => {
  const none = { waiting: 0, oldestAgeMs: null };
  const queues = createQueueSource({
    positions: () => none,
    events: () => ({ waiting: 2_000, oldestAgeMs: null }),
    messages: async () => ({ waiting: 1, oldestAgeMs: 20 * 60_000 }),
    commands: () => ({ waiting: 4_999, oldestAgeMs: null }),
    sync: () => none,
    reports: () => none,
  });
  expect(briefly(await queues.read())).toEqual([
    'queues/positions ok',
    'queues/events warning',
    'queues/messages problem',
    'queues/commands ok',
    'queues/sync ok',
    'queues/reports ok',
  ]);
  const threads = createThreadSource([
    { name: 'main', longestMs: () => 500 },
    { name: 'database-writer', longestMs: () => 500 },
  ]);
  expect(briefly(await threads.read())).toEqual(['threads/main warning', 'threads/database-writer ok']);
});

describe('tables', () => {
  it('are looked at every five minutes, and at once after a failure', async () => {
    const timers = new ManualTimers();
    const answers: (readonly TableSize[] | Error)[] = [
      new Error('no database'),
      [{ table: 'event', rows: 1, bytes: 4_096 }],
      [{ table: 'event', rows: 100, bytes: 8_192 }],
    ];
    const read = async (): Promise<readonly TableSize[]> => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const source = createTableSource({ store: { read }, mostRows: 100, now: timers.now });
    await expect(source.read()).rejects.toThrow('no database');
    expect(briefly(await source.read())).toEqual(['tables/event ok']);
    timers.advance(5 * 60_000 - 1);
    expect(briefly(await source.read())).toEqual(['tables/event ok']);
    timers.advance(1);
    expect(briefly(await source.read())).toEqual(['tables/event warning']);
  });
});

describe('disks', () => {
  let timers: ManualTimers;
  let spaces: Map<string, FolderSpace>;
  let recordedBytes: number;
  let samples: number;
  beforeEach(() => {
    timers = new ManualTimers();
    spaces = new Map();
    recordedBytes = 0;
    samples = 0;
  });

  function start(): DiskSource {
    return new DiskSource({
      folders: ['data', 'recordings'].map((role) => ({ role, path: `/${role}` })),
      spaceOf: async (path) => {
        const space = spaces.get(path);
        if (space === undefined) throw new Error('ENOENT');
        return space;
      },
      recordings: {
        path: '/recordings',
        floorBytes: 2 * GIGABYTE,
        bytes: async () => {
          samples++;
          return recordedBytes;
        },
      },
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: noFaults,
    });
  }

  async function sampled(ms: number): Promise<void> {
    const before = samples;
    timers.advance(ms);
    await waitFor('a sample', () => samples > before && timers.pending > 0);
  }

  const bytes = (freeBytes: number, device: number) => ({ freeBytes, totalBytes: 500 * GIGABYTE, device });

  it('are judged by whether recordings fill them', async () => {
    spaces.set('/data', bytes(1.5 * GIGABYTE, 1)).set('/recordings', bytes(1.5 * GIGABYTE, 1));
    const source = start();
    expect(briefly(await source.read())).toEqual(['disks/data ok', 'disks/recordings ok']);
    spaces.set('/recordings', bytes(1.5 * GIGABYTE, 2));
    expect(briefly(await source.read())).toEqual(['disks/data problem', 'disks/recordings ok']);
    spaces.delete('/recordings');
    expect(briefly(await source.read())).toEqual(['disks/data problem', 'disks/recordings problem']);
    await source.close();
  });

  it('that recordings fill have a forecast of what else fills them', async () => {
    const source = start();
    for (let sample = 0; sample < 7; sample++) {
      // Recordings take a gigabyte each time, and something else a tenth of one: 14.4 a day.
      recordedBytes = (100 + sample) * GIGABYTE;
      const free = (50 - 1.1 * sample) * GIGABYTE;
      spaces.set('/data', bytes(free, 1)).set('/recordings', bytes(free, 1));
      await sampled(sample === 0 ? 0 : 10 * 60_000);
    }
    const [data] = await source.read();
    // 147.4 of room: 43.4 free and 106 of recordings, less their floor.
    expect(figureOf(data, 'days-until-full')).toBe(10.2);
    await source.close();
    expect(timers.pending).toBe(0);
  });
});
