// A month of a vehicle and its whole line, a day of it at full detail, and eight vehicles replayed. Method: docs/bench.md.
import { join } from 'node:path';
import { createTrackThread } from '../../../server/app/tracks/trackThread.ts';
import type { DamagedBlock } from '../../../server/store/fleet/blocks/damagedBlocks.ts';
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
    const onDamagedBlock = ({ why }: DamagedBlock): void => note(`track: a damaged block: ${why}`);
    const reader = createTrackThread({
      database: { engine: 'sqlite', file: join(product.dataDir, 'fleetglass.db') },
      onDamagedBlock,
      onFault: (error) => note(`track: ${error.message}`),
    });
    const lines = await benchLines({ filled, reader, address: product.address, cookie }).finally(() => reader.close());
    note('track: replay');
    const replay = await benchReplay(context, product.address, { filled, seconds });
    return { track: lines, 'track: replay': replay };
  } finally {
    await browser.close();
    await product.stop();
  }
}
