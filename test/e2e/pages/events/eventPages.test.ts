// What operators are there for: a terminal's alarm is seen and heard, answered by one of two, closed with a reason, and found
// again later, by those whose vehicle it is of.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  const page = await scene.openPage(operator, TODAY);
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

describe('an alarm', () => {
  test('of a terminal is a row at once, and is heard', async () => {
    const [bus] = BUSES;
    const page = await scene.openPage('mei', TODAY, { fresh: true });
    await spyOnSound(page);
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('[data-event-id]').first().waitFor();
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
  });
});

describe('two operators', () => {
  test('who answer one event: the second is told who was first', async () => {
    const [, bus] = BUSES;
    const [mei, kenji] = [await openTodayEvent('mei'), await openTodayEvent('kenji')];
    await raiseAlarm(bus, mei, kenji);
    // What the other does does not reach this page any more: it answers an event as it was.
    await kenji.getByRole('button', { name: 'Pause' }).click();
    await rowOf(kenji, bus).click();
    await kenji.getByRole('region', { name: 'Emergency (SOS)' }).waitFor();
    await rowOf(mei, bus).click();
    await mei.getByRole('region', { name: 'Emergency (SOS)' }).waitFor();

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
  });

  test('see at once what the other has done', async () => {
    const [, , bus] = BUSES;
    const [mei, kenji] = [await openTodayEvent('mei'), await openTodayEvent('kenji')];
    await raiseAlarm(bus, mei, kenji);
    await rowOf(mei, bus).click();
    await mei.keyboard.press('a');
    await mei.getByText('Event acknowledged.').waitFor();
    await rowOf(kenji, bus).getByText('Acknowledged').waitFor();
  });
});

describe('an event that was closed with a reason', () => {
  test('is found in History Event with it, and in the file of it', async () => {
    const [, , , bus] = BUSES;
    const page = await openTodayEvent('mei');
    await raiseAlarm(bus, page);
    await rowOf(page, bus).click();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Close event' });
    await dialog.getByRole('combobox').selectOption({ label: 'Real event' });
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Police called');
    await dialog.getByRole('button', { name: 'Close event' }).click();
    await page.getByText('Event closed.').waitFor();

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
  });
});

const PAGES = [
  { id: 'S-2.4.4', name: 'Today Event', path: TODAY, rows: '[data-event-id]', none: /^No events today/ },
  {
    id: 'S-2.4.5',
    name: 'History Event',
    path: HISTORY,
    rows: '[role=row][data-id]',
    none: /^No events in this period/,
  },
] as const;

describe.each(PAGES)('$id, S-6.2 $name', ({ path, rows, none }) => {
  test('shows no event of a vehicle of others', async () => {
    const page = await scene.openPage('stranger', path);
    await page.getByText(none).waitFor();
    await expect.poll(() => page.locator(rows).count()).toBe(0);
  });
});

describe('History Event', () => {
  test('is opened at an event by a link, whoever has to sign in first', async () => {
    const operator = await scene.openPage('operator', HISTORY);
    const row = operator.locator('[role=row][data-id]').first();
    const id = await row.getAttribute('data-id');
    const page = await scene.openStrangersPage(`/historyevent?event=${id}`);
    await page.getByLabel('Username').fill('operator');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const frame = page.frameLocator('iframe');
    await frame.locator(`[data-event="${id}"]`).waitFor();
    await frame.locator('[role=row][data-id]').first().waitFor();
    expect(new URL(page.url()).search).toBe(`?event=${id}`);
  });

  test('says of an event of others that it is not found, and lists the others all the same', async () => {
    const operator = await scene.openPage('operator', HISTORY);
    const id = await operator.locator('[role=row][data-id]').first().getAttribute('data-id');
    const allowed = [{ url: /\/api\/event\/events\/\d+$/, status: 404 }];
    const page = await scene.openPage('stranger', `/historyevent?event=${id}`, { allowed });
    const frame = page.frameLocator('iframe');
    await frame.getByText("Event not found, or you don't have access to it.").waitFor();
    await frame.getByText(/^No events in this period/).waitFor();
  });
});
