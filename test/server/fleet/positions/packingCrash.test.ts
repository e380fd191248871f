// What becomes of positions when the gateway is killed while it packs them and repairs blocks: each is there once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { keptIn } from '../../store/fleet/packedPositions.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const KILLS = IS_LONG ? 50 : 5;
const POSITIONS_A_LIFE = 1_500;

it(`loses and doubles no position, killed ${KILLS} times`, { timeout: 30_000 * KILLS }, async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'a.db');
  const incarnation = await withStores(file, async (stores) => {
    const device = await stores.devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 });
    return device.incarnation;
  });
  const told = new Set<number>();
  for (let life = 0; life < KILLS; life++) {
    const program = start([file, incarnation, life * POSITIONS_A_LIFE, POSITIONS_A_LIFE]);
    // At another moment each time.
    const enough = 100 + ((life * 377) % (POSITIONS_A_LIFE - 100));
    await waitFor('some positions are kept', () => program.numbers().length >= enough);
    await kill(program);
    for (const number of program.numbers()) told.add(number);
    await withStores(file, async (stores, kept) => {
      const stored = await storedNumbers(stores);
      expect(new Set(stored).size).toBe(stored.length);
      expect(kept.rows + kept.packed).toBe(stored.length);
      const all = new Set(stored);
      expect([...told].filter((number) => !all.has(number))).toEqual([]);
    });
  }
  const last = start([file, incarnation, KILLS * POSITIONS_A_LIFE, 0]);
  await waitFor('all are packed', () => last.isPacked());
  await kill(last);
  await withStores(file, async (stores, kept) => {
    expect(kept.rows).toBe(1);
    const stored = await storedNumbers(stores);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.length).toBeGreaterThanOrEqual(told.size);
  });
});

async function storedNumbers({ positions }: Stores): Promise<number[]> {
  const stored = await positions.between('BUS', { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, 1_000_000);
  const times = stored.map(({ deviceTimeMs }) => deviceTimeMs);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  return stored.map(({ receivedAtMs }) => receivedAtMs);
}

async function withStores<Result>(
  file: string,
  use: (stores: Stores, kept: Awaited<ReturnType<typeof keptIn>>) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ engine: 'sqlite', file });
  try {
    return await use(createStores(database.db), await keptIn(database.db));
  } finally {
    await database.close();
  }
}

interface Program {
  readonly child: ChildProcess;
  readonly numbers: () => readonly number[];
  readonly isPacked: () => boolean;
}

function start(options: readonly (string | number)[]): Program {
  const program = join(import.meta.dirname, 'packingProgram.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...options.map(String)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (part: string) => {
    output += part;
  });
  // The last line may have been cut by the kill.
  const lines = (): readonly string[] => output.split('\n').slice(0, -1);
  return {
    child,
    numbers: () => lines().flatMap((line) => (line === 'packed' ? [] : [Number(line)])),
    isPacked: () => lines().includes('packed'),
  };
}

async function kill({ child }: Program): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}
