// A fleet in the built gateway, and an administrator who looks at its backups.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

export interface BackupSite {
  readonly product: Product;
  /** The page System Backup of chief, who may do everything in the member group North. */
  open(options?: PageOptions): Promise<Page>;
  /** As chief; fails for a refusal. */
  call<Data>(page: Page, method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Data>;
  close(): Promise<void>;
}

export async function startBackupSite(): Promise<BackupSite> {
  const product = await startProduct(fill);
  const people: People = peopleAt(await sharedChromium(), product.address);
  return {
    product,
    open: async (options) => {
      const page = await people.openPage('chief', options);
      await page.goto('/innerpage/sysbackup.html');
      await page.getByRole('tabpanel').waitFor();
      return page;
    },
    call: async (page, method, path, body) => {
      const given = { method, headers: { origin: product.address }, ...(body && { data: body }) };
      const answer = await page.request.fetch(product.address + path, given);
      expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(200);
      return ((await answer.json()) as { readonly data: never }).data;
    },
    close: async () => {
      await people.close();
      await product.stop();
    },
  };
}

async function fill(stores: Stores): Promise<void> {
  const { north } = await fillFleet(stores);
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const chief = { username: 'chief', passwordHash, permissions: ALL_PERMISSIONS };
  await stores.memberGroups.setGroupsOfUser(await stores.users.insert(chief, wallMs(Date.now())), [north]);
}

export const backupRows = (page: Page): Locator => page.getByRole('list', { name: 'Backups' }).getByRole('listitem');

/** Waits until its test has passed. */
export async function backUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByRole('button', { name: 'Back up', exact: true }).click();
  await backupRows(page)
    .getByText(/^Test restore succeeded/)
    .waitFor();
}
