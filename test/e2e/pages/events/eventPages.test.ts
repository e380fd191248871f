// What operators are there for: a terminal's alarm is seen and heard, answered by one of two, closed with a reason, and found
// again later, by those whose vehicle it is of.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heardBy, sounding, spyOnSound } from '../../../support/browser/soundSpy.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { within } from '../../../support/runner/processorTime.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { BUSES, type Bus, type EventScene, HISTORY, positionOf, startEventScene, TODAY } from './eventScene.ts';

const EMERGENCY = 1;
/** The gateway tells it at once after a quiet time; the rest is what a busy machine may take. */
const ALARM_TO_ROW_MS = 2_000;

let scene: EventScene;
beforeAll(async () => {
  scene = await startEventScene();
});
afterAll(() => scene?.close());

const rowOf = (page: Page, bus: Bus | undefined): Locator =>
  page.locator('[data-event-id]').filter({ hasText: bus?.plate ?? 'nobody' });

/** The page, once it is live and has what was there before. */
async function openTodayEvent(operator: 'mei' | 'kenji'): Promise<Page> {
  const page = await scene.people.openPage(operator);
  await spyOnSound(page);
  await page.goto(TODAY);
  await page.locator('[data-event-id]').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** The emergency button of a vehicle, seen by these pages. */
async function raiseAlarm(bus: Bus | undefined, ...pages: readonly Page[]): Promise<void> {
  const terminal = await scene.dial(bus);
  terminal.say(positionOf(EMERGENCY));
  for (const page of pages) await rowOf(page, bus).waitFor();
}

async function hearAlarm(page: Page, bus: Bus | undefined): Promise<void> {
  // The browser plays nothing before somebody has clicked.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  const terminal = await scene.dial(bus);
  terminal.say(positionOf(0));
  terminal.say(positionOf(EMERGENCY));
  await within(ALARM_TO_ROW_MS, () => rowOf(page, bus).waitFor());
  await waitFor('the sound', async () => sounding(await heardBy(page)).length > 0);
  const row = rowOf(page, bus);
  await expect.poll(() => row.getAttribute('data-severity')).toBe('critical');
  await expect.poll(() => row.getAttribute('data-status')).toBe('new');
  // It is the newest of all.
  await expect.poll(() => page.locator('[data-event-id]').first().textContent()).toContain(bus?.plate);
}

async function openDetails(page: Page, bus: Bus | undefined): Promise<void> {
  const row = rowOf(page, bus);
  const id = await row.getAttribute('data-event-id');
  await row.click();
  await page.locator(`[data-event="${id}"]`).waitFor();
}

/** The second is told who was first. */
async function answerBoth(mei: Page, kenji: Page, bus: Bus | undefined): Promise<void> {
  await raiseAlarm(bus, mei, kenji);
  // What the other does does not reach this page any more: it answers an event as it was.
  await kenji.getByRole('button', { name: 'Pause' }).click();
  for (const page of [kenji, mei]) await openDetails(page, bus);
  await kenji.keyboard.press('c');
  const dialog = kenji.getByRole('dialog', { name: 'Close event' });
  await dialog.getByRole('combobox').selectOption({ label: 'Real event' });
  await mei.keyboard.press('f');
  await mei.getByRole('dialog').getByRole('button', { name: 'Close event' }).click();
  await mei.getByText('Event closed.').waitFor();

  await dialog.getByRole('textbox', { name: 'Note' }).fill('Driver is well');
  await dialog.getByRole('button', { name: 'Close event' }).click();
  await dialog.getByText(/^mei was first\. The event is now: False alarm/).waitFor();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Driver is well');
}

async function closeWithReason(page: Page, bus: Bus | undefined): Promise<void> {
  await raiseAlarm(bus, page);
  await openDetails(page, bus);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Close event' });
  await dialog.getByRole('combobox').selectOption({ label: 'Real event' });
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Police called');
  await dialog.getByRole('button', { name: 'Close event' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** With the reason, and in the file of it. */
async function findInHistory(page: Page, bus: Bus | undefined): Promise<void> {
  await page.goto(`${HISTORY}?devices=${bus?.deviceId}`);
  const row = page.locator('[role=row][data-id]');
  await row.getByText('Closed').first().waitFor();
  await row.getByText('Emergency (SOS)').click();
  const panel = page.getByRole('region', { name: 'Emergency (SOS)' });
  await panel.getByText('Police called').waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^\d+,emergency,critical,closed,terminal,BUS4,Lake line 4,KAA-0004,/);
  expect(lines[1]).toContain(',real,');
}

test('S-2.4.4, S-2.4.5 an alarm is seen and heard at once, answered by one of two operators, closed with a reason, and found later', async () => {
  const [heard, acknowledged, answered, closed] = BUSES;
  const mei = await openTodayEvent('mei');
  await hearAlarm(mei, heard);
  const kenji = await openTodayEvent('kenji');
  await raiseAlarm(acknowledged, mei, kenji);
  await openDetails(mei, acknowledged);
  await mei.keyboard.press('a');
  await mei.getByText('Event acknowledged.').waitFor();
  await rowOf(kenji, acknowledged).getByText('Acknowledged').waitFor();
  await answerBoth(mei, kenji, answered);
  await kenji.close();
  await closeWithReason(mei, closed);
  await findInHistory(mei, closed);
});

test('S-6.2 a link opens History Event at its event once somebody has signed in, and no event of others is there', async () => {
  const path = '/api/event/events';
  const asked = async (username: 'operator' | 'stranger', of: string) => {
    const { request } = await scene.people.contextOf(username);
    return request.get(scene.product.address + of);
  };
  const { data } = (await (await asked('operator', path)).json()) as { data: { rows: readonly { id: number }[] } };
  const id = data.rows[0]?.id;
  expect(await (await asked('stranger', path)).json()).toMatchObject({ data: { rows: [], total: 0 } });
  expect((await asked('stranger', `${path}/${id}`)).status()).toBe(404);

  const page = await scene.openStrangersPage(`/historyevent?event=${id}`);
  await page.getByLabel('Username').fill('operator');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const frame = page.frameLocator('iframe');
  await frame.locator(`[data-event="${id}"]`).waitFor();
  await frame.locator('[role=row][data-id]').first().waitFor();
  expect(new URL(page.url()).search).toBe(`?event=${id}`);
});
