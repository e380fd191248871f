// A process that is killed: it packs the positions of a database file while it adds late ones, and says on its output the number of each
// that the database has, and `packed` when nothing is left to pack.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { aPosition } from './aPosition.ts';

const [file = '', incarnation = '', first = '', count = ''] = process.argv.slice(2);
const BATCH = 50;
const ALL = { beforeMs: Number.MAX_SAFE_INTEGER, futureMs: Number.MAX_SAFE_INTEGER, fromMs: 0 };
const { db, reading } = await openDatabase({ engine: 'sqlite', file });
const stores = createStores(db, undefined, reading);

async function add(): Promise<void> {
  for (let at = Number(first); at < Number(first) + Number(count); at += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => at + index);
    await stores.positions.append(numbers.map((number) => aPosition(Number(incarnation), number)));
    process.stdout.write(numbers.map((number) => `${number}\n`).join(''));
    await delay(1);
  }
}

async function pack(): Promise<void> {
  let positions = 1;
  while (positions > 0) ({ positions } = await stores.positionPacking.packFirst(Number(incarnation), 100, ALL));
}

const adding = add();
let isAdded = false;
void adding.then(() => {
  isAdded = true;
});
while (!isAdded) await pack();
await adding;
await pack();
process.stdout.write('packed\n');
await delay(3_600_000);
