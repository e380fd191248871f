// Parts of a backup, imported on the page System Backup into the installation that goes on: the built gateway and pages.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEVICES_PATH, type DeviceDetail, deviceFieldsOf } from '../../../../shared/protocol/api/devices.ts';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { type BackupSite, backUp, startBackupSite } from './backupSite.ts';

const RENAMED = 'Renamed by mistake';

let site: BackupSite;
beforeAll(async () => {
  site = await startBackupSite();
});
afterAll(() => site?.close());

const bus = (page: Page, id: string) => site.call<DeviceDetail>(page, 'GET', `${DEVICES_PATH}/${id}`);

/** BUS1 has another name, and BUS2 is gone. */
async function ruin(page: Page): Promise<void> {
  const { version, recording, ...first } = await bus(page, 'BUS1');
  const changed = { ...deviceFieldsOf(first), name: RENAMED, version, recording };
  await site.call(page, 'PUT', `${DEVICES_PATH}/BUS1`, changed);
  const second = await bus(page, 'BUS2');
  await site.call(page, 'DELETE', `${DEVICES_PATH}/BUS2?version=${second.version}&recordings=keep`);
}

/** Presses the key that a button is pressed with, as somebody without a mouse. */
async function pressOn(page: Page, target: Locator, key: 'Enter' | 'Space'): Promise<void> {
  await target.focus();
  await page.keyboard.press(key);
}

it('previews what is missing or different, imports exactly that, and leaves the rest (S-2.4.19)', async () => {
  const page = await site.open();
  await backUp(page);
  await ruin(page);
  const opener = page.getByRole('button', { name: /^Import parts of the backup of/ });
  await pressOn(page, opener, 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Import parts of a backup' });
  const preview = dialog.getByRole('button', { name: 'Preview' });
  await expect.poll(() => preview.isDisabled()).toBe(true);
  await pressOn(page, dialog.getByRole('checkbox', { name: 'Devices and device groups' }), 'Space');
  await pressOn(page, dialog.getByRole('checkbox', { name: 'Message templates' }), 'Space');
  await atBothWidths(page, () => expectAccessible(page, 'the choice of parts'));

  await pressOn(page, preview, 'Enter');
  await dialog.getByText('Add: 1, change: 1, no change: 3, reject: 1').waitFor();
  const rows = dialog.getByRole('group', { name: 'Records in the backup' }).getByRole('listitem');
  await atBothWidths(page, async () => {
    await expect.poll(() => rows.count()).toBe(3);
    await expect
      .poll(() => rows.filter({ hasText: 'BUS1' }).innerText())
      .toMatch(new RegExp(`^Change\\s+Device BUS1\\s+Name: ${RENAMED} → Bus BUS1$`));
    await expect.poll(() => rows.filter({ hasText: 'BUS2' }).innerText()).toMatch(/^Add\s+Device BUS2$/);
    await expect
      .poll(() => rows.filter({ hasText: 'Trucks' }).innerText())
      .toMatch(/^Reject\s+Device group Trucks\s+It belongs to/);
    await expectAccessible(page, 'the preview of parts');
  });
  await dialog.getByLabel('Result').selectOption({ label: 'Add' });
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('BUS2')]);
  expect((await bus(page, 'BUS1')).name).toBe(RENAMED);

  await pressOn(page, dialog.getByRole('button', { name: 'Import (2)' }), 'Enter');
  await dialog.getByText('Imported. Added: 1, changed: 1, failed: 0').waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the result of the import'));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);

  expect((await bus(page, 'BUS1')).name).toBe('Bus BUS1');
  expect(await bus(page, 'BUS2')).toMatchObject({ name: 'Bus BUS2', groupName: 'Line 1/2' });
  await page.goto('/innerpage/devicegroup.html');
  for (const [group, name] of [
    [/^Line 1\/2,/, 'Bus BUS2'],
    [/^Buses,/, 'Bus BUS1'],
  ] as const) {
    await page.getByRole('treeitem', { name: group }).click();
    await page.getByRole('gridcell', { name, exact: true }).waitFor();
  }
});
