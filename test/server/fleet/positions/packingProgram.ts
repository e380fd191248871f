// A process that is killed: it packs the positions of a database file while it adds some, and removes old ones if it is asked to. It says
// on its output the number of each that the database has, `cut` with a number before those below are removed, and `packed` when nothing
// is left to pack.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { ARRIVALS, type Arrival, aPosition } from './aPosition.ts';

const [file = '', device = '', firstNumber = '', count = '', arrival = 'late', removes = ''] = process.argv.slice(2);
const [incarnation, first, end] = [Number(device), Number(firstNumber), Number(firstNumber) + Number(count)];
const BATCH = 50;
const MAX = Number.MAX_SAFE_INTEGER;
const ALL = { nowMs: Date.now(), beforeMs: MAX, futureMs: MAX, fromMs: 0 };
/** The number of the newest positions that are kept. */
const KEPT = 200;
const { db, reading } = await openDatabase({ engine: 'sqlite', file });
const stores = createStores(db, undefined, reading);
let added = first;

async function add(): Promise<void> {
  while (added < end) {
    const numbers = Array.from({ length: BATCH }, (_, index) => added + index);
    const positions = numbers.map((number) => aPosition(incarnation, number, arrival as Arrival));
    await stores.positions.append(positions);
    process.stdout.write(numbers.map((number) => `${number}\n`).join(''));
    added += BATCH;
    await delay(1);
  }
}

async function pack(): Promise<void> {
  let fromMs: number | undefined = ALL.fromMs;
  while (fromMs !== undefined)
    fromMs = (await stores.positionPacking.packFirst(incarnation, 100, { ...ALL, fromMs })).nextFromMs;
}

async function remove(): Promise<void> {
  const number = added - KEPT;
  if (number <= 0) return;
  process.stdout.write(`cut ${number}\n`);
  const { reportRemoval } = stores;
  const scan = { fromMs: 0, toMs: ARRIVALS[arrival as Arrival](number), receivedBeforeMs: number, after: undefined };
  while ((await reportRemoval.removeReceived(incarnation, { ...scan, limit: 20 })).removed > 0);
  while ((await reportRemoval.removeBlocks(incarnation, 1, number)) > 0);
}

async function work(): Promise<void> {
  // They run side by side, as in the gateway.
  await Promise.all([pack(), removes === '' ? undefined : remove()]);
}

let isAdded = false;
const adding = add().finally(() => {
  isAdded = true;
});
while (!isAdded) await work();
await adding;
await work();
await pack();
process.stdout.write('packed\n');
await delay(3_600_000);
