// The built gateway and its users' browsers, for the tests of a file that need a gateway of their own.
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../browser/chromium.ts';
import { cheapHash } from '../fakes/cheapHash.ts';
import { type People, peopleAt } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { PASSWORD } from './site.ts';

export interface PeopleSite {
  readonly product: Product;
  readonly people: People;
  /** Closes the browsers, and stops and removes the gateway. */
  close(): Promise<void>;
}

export async function startPeopleSite(
  fill: (stores: Stores) => Promise<unknown>,
  environment: Readonly<Record<string, string>> = {},
): Promise<PeopleSite> {
  // First: if there is no browser, no gateway is left behind.
  const browser = await sharedChromium();
  const product = await startProduct(async (stores) => void (await fill(stores)), environment);
  const people = peopleAt(browser, product.address);
  return {
    product,
    people,
    close: async () => {
      await people.close().finally(() => product.stop());
    },
  };
}

/** A user with all permissions, and the password PASSWORD; resolves with the user's ID. */
export async function addChief(stores: Stores, username = 'chief'): Promise<number> {
  const passwordHash = await cheapHash(PASSWORD);
  return stores.users.insert({ username, passwordHash, permissions: ALL_PERMISSIONS }, wallMs(Date.now()));
}
