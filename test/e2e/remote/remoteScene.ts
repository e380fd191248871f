// What the tests of the remote playback page share: the built product with vehicles that have recordings, the proxy before
// it, and a browser.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { hashSecret } from '../../../server/auth/secrets.ts';
import { type Clip, loadDemoClip } from '../../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import type { TapRequest } from '../../support/browser/tapRules.ts';
import { addWatchedVehicles } from '../../support/browser/watcher.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { waitFor } from '../../support/waitFor.ts';

export const PLAY = '/api/playback/remote/play';
export const LOOKUP = '/api/device/device';
export const REMOTE = '/stream/playback/remote/video.fuho';
/** 2026-11-20T14:03:05Z */
export const MOMENT = 1_795_183_385;
const HOUR_MS = 3_600_000;
/** A whole hour that lies an hour or two back, seconds since the epoch: recorded, but for its 35th to 40th minute. */
export const RECORDED = ((Math.floor(Date.now() / HOUR_MS) - 2) * HOUR_MS) / 1000;

export const VEHICLE: VehicleProfile = {
  deviceId: 'DEV1',
  name: 'Device 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 4,
  lapShare: 0,
};
export const OTHER: VehicleProfile = { ...VEHICLE, deviceId: 'DEV2', number: '13800000002', edition: '2013' };

interface PageOptions extends BrowserContextOptions {
  readonly allowed?: readonly AllowedNoise[];
}

export interface RemotePages {
  readonly tap: Tap;
  readonly product: Product;
  /** `username/credential` of the vehicle's link. */
  credentialOf(vehicle: VehicleProfile): string;
  newPage(options?: PageOptions): Promise<Page>;
  /** A terminal that has signed in; stopped when the test has finished. */
  startTerminal(profile: VehicleProfile): Promise<SimulatedTerminal>;
  plays(): readonly TapRequest[];
  upgrades(): readonly TapRequest[];
}

/** Call once a file; what it gives is filled when the first test starts. */
export function setRemoteScene(): RemotePages {
  let product: Product;
  let tap: Tap;
  let browser: Browser;
  let clip: Clip;
  const links = new Map<string, string>();
  beforeAll(async () => {
    clip = await loadDemoClip('road');
    product = await startProduct(async (stores) => {
      for (const link of await addWatchedVehicles(stores, [VEHICLE, OTHER], ['remote'])) {
        const [deviceId = '', ...credential] = link.split('/');
        links.set(deviceId, credential.join('/'));
      }
    });
    tap = await startTap(product.address);
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await tap?.close();
    await product?.stop();
  });
  afterEach(() => tap.reset());
  return {
    get tap() {
      return tap;
    },
    get product() {
      return product;
    },
    credentialOf: ({ deviceId }) => links.get(deviceId) ?? '',
    newPage: async ({ allowed, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1600, height: 900 },
        locale: 'en',
        timezoneId: 'UTC',
        baseURL: tap.address,
        ...options,
      });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      consoleGuard(page, allowed);
      return page;
    },
    startTerminal: async (profile) => {
      let isOnline = false;
      const terminal = new SimulatedTerminal({
        profile,
        gateway: { host: '127.0.0.1', port: product.jt808Port },
        clip,
        onOnline: (online) => {
          isOnline = online;
        },
      });
      onTestFinished(() => terminal.stop());
      terminal.start();
      await waitFor('the terminal has signed in', () => isOnline);
      return terminal;
    },
    plays: () => tap.requests({ method: 'POST', path: PLAY }),
    upgrades: () => tap.requests({ path: /^\/stream\// }).filter(({ kind }) => kind === 'upgrade'),
  };
}

/** Takes a link back, in the database of the running product. */
export async function revokeLink(product: Product, credential: string): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', file: join(product.dataDir, 'fleetglass.db') });
  try {
    const { linkCredentials } = createStores(database.db);
    const standing = await linkCredentials.findBySecretHash(hashSecret(credential));
    if (standing === undefined) throw new Error('there is no such link');
    await linkCredentials.revoke(standing.credential.id, wallMs(Date.now()));
  } finally {
    await database.close();
  }
}
