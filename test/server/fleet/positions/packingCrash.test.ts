// Positions of a gateway that is killed while it packs them, repairs blocks and removes old ones: each is there once.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { openSqliteFile } from '../../../support/databases/sqliteFile.ts';
import { startProgram } from '../../../support/gateway/killedProgram.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../../support/runs.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { keptIn } from '../../store/fleet/packedPositions.ts';

const POSITIONS_A_LIFE = 1_500;
/** The most positions in a block, a day of `slow` ones, and one more: a block goes when its last position is too old. */
const MOST_A_BLOCK = 144 + 1;

const cases = [
  { work: 'packing', arrival: 'inOrder', removes: '' },
  { work: 'repairing', arrival: 'late', removes: '' },
  { work: 'removing', arrival: 'slow', removes: 'removes' },
] as const;

it.each(cases)('$work loses and doubles no position when it is killed', { timeout: KILLS_TIMEOUT_MS }, async (each) => {
  const { arrival, removes } = each;
  const { file, incarnation } = await openScene();
  const start = (first: number, count: number) =>
    startProgram(join(import.meta.dirname, 'packingProgram.ts'), [file, incarnation, first, count, arrival, removes]);
  const told = new Set<number>();
  const gone = new Set<number>();
  let cut = 0;
  const hear = (lines: readonly string[]): void => {
    for (const number of numbersIn(lines)) told.add(number);
    cut = Math.max(cut, ...cutsIn(lines));
  };
  const expectAll = async (stores: Stores): Promise<number[]> => {
    const stored = await storedNumbers(stores);
    const all = new Set(stored);
    expect(all.size).toBe(stored.length);
    expect([...told].filter((number) => number >= cut && !all.has(number))).toEqual([]);
    // What was removed doesn't come back.
    expect(stored.filter((number) => gone.has(number))).toEqual([]);
    for (const number of told) if (!all.has(number)) gone.add(number);
    return stored;
  };
  for (let life = 0; life < KILLS; life++) {
    const program = await start(life * POSITIONS_A_LIFE, POSITIONS_A_LIFE);
    // The kill comes at another moment each time.
    const enough = 100 + (((life + 1) * 377) % (POSITIONS_A_LIFE - 100));
    await waitFor('some positions are kept', () => numbersIn(program.lines()).length >= enough);
    await program.kill();
    hear(program.lines());
    await withStores(file, async (stores, kept) => {
      const stored = await expectAll(stores);
      expect(kept.rows + kept.packed).toBe(stored.length);
    });
  }
  const last = await start(Math.max(...told) + 1, 0);
  await waitFor('all are packed', () => last.lines().includes('packed'));
  await last.kill();
  hear(last.lines());
  await withStores(file, async (stores, kept) => {
    const stored = await expectAll(stores);
    expect(kept.rows).toBe(1);
    if (removes !== '') expect(stored.filter((number) => number < cut - MOST_A_BLOCK)).toEqual([]);
    else expect(stored.length).toBeGreaterThanOrEqual(told.size);
  });
});

async function openScene() {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'a.db');
  const { incarnation } = await withStores(file, ({ devices }) =>
    devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 }),
  );
  return { file, incarnation };
}

function numbersIn(lines: readonly string[]): readonly number[] {
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

function cutsIn(lines: readonly string[]): readonly number[] {
  return lines.filter((line) => line.startsWith('cut ')).map((line) => Number(line.slice('cut '.length)));
}

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
  const database = await openSqliteFile(file);
  try {
    return await use(createStores(database.db), await keptIn(database.db));
  } finally {
    await database.close();
  }
}
