// A fleet in the built gateway, and an administrator who looks at its backups.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Stores } from '../../../../server/store/stores.ts';
import { fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import type { PageOptions } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';

export interface BackupSite extends PeopleSite {
  /** The page System Backup of chief, who may do everything in the member group North. */
  open(options?: PageOptions): Promise<Page>;
  /** Calls the API as chief; fails if the call is refused. */
  call<Data>(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Data>;
}

export async function startBackupSite(): Promise<BackupSite> {
  const site = await startPeopleSite(fill);
  const { address } = site.product;
  return {
    ...site,
    open: async (options) => {
      const page = await site.people.openPage('chief', options);
      await page.goto('/innerpage/sysbackup.html');
      await page.getByRole('tabpanel').waitFor();
      return page;
    },
    call: async (method, path, body) => {
      const { request } = await site.people.contextOf('chief');
      const answer = await request.fetch(address + path, {
        method,
        headers: { origin: address },
        ...(body && { data: body }),
      });
      expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(200);
      return ((await answer.json()) as { readonly data: never }).data;
    },
  };
}

async function fill(stores: Stores): Promise<void> {
  const { north } = await fillFleet(stores);
  await stores.memberGroups.setGroupsOfUser(await addChief(stores), [north]);
}
