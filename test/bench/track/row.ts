// A month of a vehicle and its whole line, a day of it at full detail, and eight vehicles replayed. Method: docs/bench.md.
import { join } from 'node:path';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { launchChromium } from '../../support/browser/chromium.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { signIn } from '../../support/gateway/site.ts';
import type { Row } from '../table.ts';
import { type Filled, fillTracks, READER } from './fill.ts';
import { benchLines } from './lines.ts';
import { benchReplay } from './replay.ts';

export async function benchTrack(
  seconds: number,
  note: (text: string) => void,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  note('track: a month of positions is stored');
  let filled: Filled | undefined;
  const product = await startProduct(async (stores, db) => {
    filled = await fillTracks(stores, db);
  });
  const browser = await launchChromium(['--enable-unsafe-swiftshader']);
  try {
    if (filled === undefined) throw new Error('nothing was stored');
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await signIn(context, product.address, READER);
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    note('track: lines');
    const database = await openDatabase({ engine: 'sqlite', file: join(product.dataDir, 'fleetglass.db') });
    const { positions } = createStores(database.db, undefined, database.reading);
    const lines = await benchLines({ filled, positions, address: product.address, cookie }).finally(() =>
      database.close(),
    );
    note('track: replay');
    const replay = await benchReplay(context, product.address, { filled, seconds });
    return { track: lines, 'track: replay': replay };
  } finally {
    await browser.close();
    await product.stop();
  }
}
