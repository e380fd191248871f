// A gateway that dies under open pages and comes back: nobody has to reload anything.
import { expect, onTestFinished, test } from 'vitest';
import { wallMs } from '../../shared/protocol/time.ts';
import { loadClip } from '../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../simulator/terminal.ts';
import type { VehicleProfile } from '../../simulator/vehicleProfile.ts';
import { consoleGuard, sharedChromium } from '../support/browser/chromium.ts';
import { readFrameNumber } from '../support/browser/stripReader.ts';
import { addWatchedVehicle } from '../support/browser/watcher.ts';
import { cheapHash } from '../support/fakes/cheapHash.ts';
import { startProduct } from '../support/gateway/product.ts';
import { PASSWORD, signIn } from '../support/gateway/site.ts';
import { waitFor } from '../support/waitFor.ts';

const VEHICLE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2013',
  plate: 'A-0001',
  channels: 1,
  lapShare: 0,
};
/** While nobody answers at the address, the browser says so. */
const AWAY = [{ url: /^(http|ws):\/\/127\.0\.0\.1:\d+\//, status: 'failed' }] as const;

test('a killed gateway comes back under a live page and a shell that stay open', async () => {
  let link = '';
  const product = await startProduct(async (stores) => {
    link = await addWatchedVehicle(stores, VEHICLE);
    const passwordHash = await cheapHash(PASSWORD);
    await stores.users.insert({ username: 'operator', passwordHash, permissions: [] }, wallMs(Date.now()));
  });
  const clip = await loadClip(new URL('../../simulator/clips/road.h264', import.meta.url));
  const gateway = { host: '127.0.0.1', port: product.jt808Port };
  const terminal = new SimulatedTerminal({ profile: VEHICLE, gateway, clip });
  const context = await (await sharedChromium()).newContext({ locale: 'en' });
  onTestFinished(async () => {
    terminal.stop();
    await context.close();
    await product.stop();
  });
  terminal.start();
  await signIn(context, product.address, 'operator');
  const live = await context.newPage();
  const shell = await context.newPage();
  for (const page of [live, shell]) consoleGuard(page, AWAY);

  await shell.goto(product.address);
  await shell.getByRole('button', { name: 'Logout' }).waitFor();
  await live.bringToFront();
  await live.goto(`${product.address}/live/${link}`);
  const moves = async (): Promise<void> => {
    const before = await readFrameNumber(live);
    const isNew = (frame: number | undefined): boolean => frame !== undefined && frame !== before;
    await waitFor('another picture', () => readFrameNumber(live), isNew);
  };
  await moves();
  await moves();

  await product.kill();
  await product.startAgain();
  await moves();
  await moves();
  await shell.bringToFront();
  await shell.getByRole('link', { name: 'Home' }).click();
  const status = await shell.evaluate(async () => (await fetch('/api/user/status')).json());
  expect(status).toMatchObject({ data: { login: true, username: 'operator' } });
  expect(new URL(shell.url()).pathname).toBe('/');
});
