// What the tests of the remote playback page share: the built product with vehicles that have recordings, the proxy before
// it, and a browser.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { type Clip, loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import type { TapRequest } from '../../support/browser/tapRules.ts';
import { WATCHER } from '../../support/browser/watcher.ts';
import type { Product } from '../../support/gateway/product.ts';
import { sharedWatchedProduct, type WatchedProduct } from '../../support/gateway/watchedProduct.ts';
import { waitFor } from '../../support/waitFor.ts';

export const PLAY = '/api/playback/remote/play';
export const LOOKUP = '/api/device/device';
export const REMOTE = '/stream/playback/remote/video.fuho';
/** 2026-11-20T14:03:05Z */
export const MOMENT = 1_795_183_385;
const HOUR_MS = 3_600_000;
/** A whole hour that lies an hour or two back, seconds since the epoch: recorded, but for its 35th to 40th minute. */
export const RECORDED = ((Math.floor(Date.now() / HOUR_MS) - 2) * HOUR_MS) / 1000;

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
  let watched: WatchedProduct;
  let tap: Tap;
  let browser: Browser;
  let clip: Clip;
  beforeAll(async () => {
    clip = await loadDemoClip('road');
    watched = await sharedWatchedProduct();
    tap = await startTap(watched.product.address);
    browser = await sharedChromium();
  });
  afterAll(() => tap?.close());
  afterEach(() => tap.reset());
  return {
    get tap() {
      return tap;
    },
    get product() {
      return watched.product;
    },
    credentialOf: (vehicle) => watched.credentialOf(vehicle),
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
        gateway: { host: '127.0.0.1', port: watched.product.jt808Port },
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

/** Makes a link to a vehicle's recordings in the database of the running product; gives `username/credential`. */
export async function makeLink(product: Product, { deviceId }: VehicleProfile): Promise<string> {
  const secret = createSecret();
  await inDatabase(product, async ({ users, linkCredentials }) => {
    const owner = await users.findByName(WATCHER);
    if (owner === undefined) throw new Error('there is no watcher');
    const link = { ownerId: owner.id, deviceId, channelMask: 1, kinds: ['remote'] as const };
    await linkCredentials.insert({ ...link, secretHash: hashSecret(secret) }, wallMs(Date.now()));
  });
  return `${WATCHER}/${secret}`;
}

/** Takes a link back, in the database of the running product. */
export function revokeLink(product: Product, credential: string): Promise<void> {
  return inDatabase(product, async ({ linkCredentials }) => {
    const standing = await linkCredentials.findBySecretHash(hashSecret(credential));
    if (standing === undefined) throw new Error('there is no such link');
    await linkCredentials.revoke(standing.credential.id, wallMs(Date.now()));
  });
}

async function inDatabase(product: Product, use: (stores: Stores) => Promise<void>): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', file: join(product.dataDir, 'fleetglass.db') });
  await use(createStores(database.db)).finally(() => database.close());
}
