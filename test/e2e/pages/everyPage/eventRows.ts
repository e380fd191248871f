// The pages of events, of their rules, and of who is told.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { NOTIFY_MESSAGES_PATH } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { NOTIFY_CHOICES_PATH, NOTIFY_RULES_PATH } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { SENDERS_PATH } from '../../../../shared/protocol/api/notify/senders.ts';
import { TEMPLATE_PRESETS_PATH, TEMPLATES_PATH } from '../../../../shared/protocol/api/notify/templates.ts';
import { TEMPLATE_VARIABLES } from '../../../../shared/protocol/notify/templateVariables.ts';
import { focusOn, pressOn } from '../../../support/browser/keyboard.ts';
import { lookAtFirst, lookOnceAt, NARROW_PX } from '../../../support/browser/looks.ts';
import { searchTable } from '../../../support/browser/searchTable.ts';
import { HISTORY, TODAY } from '../events/eventScene.ts';
import { CONFIG, SENDER, TEMPLATE } from '../notify/notifyScene.ts';
import { BUS } from '../tracks/trackScene.ts';
import { RULE_NAME } from './everyPageScene.ts';
import { goTo, lookAtDialog, type PageRow, ROW } from './pageRow.ts';

const DAY_MS = 86_400_000;
const EVENTS = '/api/event/events';

async function lookAtEvent(page: Page, rows: string): Promise<void> {
  // Some events have no place.
  const row = page.locator(rows).filter({ hasText: 'Spare bus' }).first();
  await row.locator('[role=gridcell]').nth(1).click();
  await page.locator('[data-event]').waitFor();
  await page.locator('[data-map=ready]').waitFor();
  await lookOnceAt(page, 'an event');
  await expect.poll(() => page.locator('[data-event]').innerText()).toMatch(/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}/);
}

export const TODAY_EVENT: PageRow = {
  id: 'S-2.4.4',
  name: 'Today Event',
  path: TODAY,
  calls: [EVENTS],
  ready: '[data-event-id]',
  visit: async (page) => {
    await lookAtFirst(page, 'the list');
    await focusOn(page.locator('[role=grid]'));
    for (const key of ['?', 'j', 'c', 'g', 'n']) {
      await page.keyboard.press(key);
      if (key !== 'j') await lookAtDialog(page, `the dialog of ${key}`);
    }
    await goTo(page, TODAY, '[data-event-id]');
    await lookAtEvent(page, '[data-event-id]');
  },
};

/** What opens the calendar of a period's end, and names its day. */
const openerOf = (page: Page, day: string) => page.getByRole('button', { name: new RegExp(`${day}(?!\\d)`) });

/** Two days ago and in two days: neither is the present day of any zone, whose row in the table is named by it, too. */
function daysAroundNow(): readonly [string, string] {
  const dayAt = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  return [dayAt(Date.now() - 2 * DAY_MS), dayAt(Date.now() + 2 * DAY_MS)];
}

async function lookAtDays(page: Page): Promise<void> {
  const [from, to] = daysAroundNow();
  await goTo(page, `${HISTORY}?view=days&devices=SPARE&from=${from}&to=${to}`, 'table tbody tr');
  // Most days have no event, and a bar without a height.
  await page.locator('.MuiBarChart-element').first().waitFor({ state: 'attached' });
  await lookOnceAt(page, 'the days');
  expect([await openerOf(page, from).count(), await openerOf(page, to).count()]).toEqual([1, 1]);
  await openerOf(page, from).click();
  // The days of a Japanese week have no kana.
  await lookAtDialog(page, 'the calendar', { japanese: 'zh-TW' });
}

export const HISTORY_EVENT: PageRow = {
  id: 'S-2.4.5',
  name: 'History Event',
  path: HISTORY,
  calls: [EVENTS],
  ready: ROW,
  visit: async (page) => {
    await lookAtFirst(page, 'the list');
    await lookAtEvent(page, ROW);
    await lookAtDays(page);
    const { height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: NARROW_PX, height });
    await goTo(page, `${HISTORY}?view=map`, '[data-map=ready]:not([data-events="0"])');
    await lookOnceAt(page, 'the map');
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByRole('dialog', { name: 'Saved filters' }).getByRole('button').first().waitFor();
    await lookAtDialog(page, 'the saved filters');
  },
};

const EVENT_CONFIG_PAGE = '/innerpage/eventconfig.html';

export const EVENT_CONFIG: PageRow = {
  id: 'S-2.4.12',
  name: 'Event Config',
  path: EVENT_CONFIG_PAGE,
  calls: ['/api/eventconfig/rules?scope=installation'],
  ready: '[role=grid] [role=gridcell]',
  visit: async (page) => {
    await lookAtFirst(page, 'rules of all');
    await lookAtRule(page, 'all');
    await page.getByLabel('Settings of').selectOption('group');
    await page.getByRole('combobox', { name: 'Device group' }).click();
    await page.getByRole('option', { name: 'Northern fleet' }).click();
    await page.locator('[role=grid] [role=gridcell]').first().waitFor();
    await lookOnceAt(page, 'rules of a group');
    await goTo(page, `${EVENT_CONFIG_PAGE}?scope=device&deviceid=${BUS.deviceId}`, '[role=grid] [role=gridcell]');
    await lookOnceAt(page, 'rules of a device');
    await lookAtRule(page, 'a device');
    await goTo(
      page,
      `${EVENT_CONFIG_PAGE}?scope=device&deviceid=${BUS.deviceId}&tab=limits`,
      'main :is(section, [role=region])',
    );
    await lookOnceAt(page, 'limits');
    await page.getByRole('button', { name: 'Edit limits' }).click();
    await page.getByRole('dialog').locator('input[name=maxSpeedKmh]').waitFor();
    await lookAtDialog(page, 'form of limits');
  },
};

async function lookAtRule(page: Page, whose: string): Promise<void> {
  await searchTable(page, 'forbidden');
  await page.locator('[role=grid] [role=gridcell]').first().click();
  await page.getByRole('dialog').locator('input[name=durationSeconds]').waitFor();
  await lookAtDialog(page, `a rule of ${whose}`);
}

export const EVENT_DEFINE: PageRow = {
  id: 'S-2.4.14',
  name: 'Event Define',
  path: '/innerpage/eventdefine.html',
  calls: ['/api/eventdefine/types'],
  ready: '[role=grid] [role=gridcell]',
  visit: async (page) => {
    for (const tab of ['reasons', 'types']) {
      await page.locator(`#tab-${tab}`).click();
      await page.locator('[role=grid] [role=row]').nth(1).waitFor();
      await (tab === 'reasons' ? lookAtFirst : lookOnceAt)(page, tab);
    }
    await page.getByRole('button', { name: 'Add event type', exact: true }).click();
    await page.getByRole('dialog').locator('input[name=nameEn]').waitFor();
    await lookAtDialog(page, 'a new type');
  },
};

/** Opens the first of a list, and waits for what its dialog has. */
async function openFirst(page: Page, shown: string, cell = 0): Promise<void> {
  await page.locator(ROW).first().locator('[role=gridcell]').nth(cell).click();
  await page.getByRole('dialog').locator(shown).waitFor();
}

export const EVENT_NOTIFY: PageRow = {
  id: 'S-2.4.13',
  name: 'Event Notify Config',
  path: CONFIG,
  calls: [NOTIFY_RULES_PATH, NOTIFY_MESSAGES_PATH, NOTIFY_CHOICES_PATH],
  fill: (scene) => scene.toldEvent(),
  ready: ROW,
  visit: async (page, scene) => {
    await lookAtFirst(page, 'the list');
    await openFirst(page, 'input[name=name]');
    await lookAtDialog(page, 'a rule');
    await goTo(page, `${CONFIG}?tab=messages`);
    await lookOnceAt(page, 'the log');
    await openFirst(page, 'pre', 1);
    await lookAtDialog(page, 'a message');
    await goTo(page, `${CONFIG}?tab=explain`);
    await lookOnceAt(page, 'the events');
    await goTo(
      page,
      `${CONFIG}?tab=explain&event=${await scene.toldEvent()}`,
      `h2:has-text("${RULE_NAME}"), h3:has-text("${RULE_NAME}")`,
    );
    await lookOnceAt(page, 'the explanation');
  },
};

const SENDER_KINDS = ['email', 'webhook', 'sms', 'syslog', 'push'] as const;

export const SENDERS: PageRow = {
  id: 'S-2.4.17',
  name: 'Sender Setting',
  path: SENDER,
  calls: [SENDERS_PATH],
  ready: ROW,
  visit: async (page) => {
    await lookAtFirst(page, 'the list');
    await openFirst(page, 'input[name=name]');
    await lookAtDialog(page, 'a sender');
    await page.getByRole('button', { name: 'Add sender' }).first().click();
    const dialog = page.getByRole('dialog');
    // What is said of the name when it is left moves the rest of the form: it must not move under a click.
    await pressOn(dialog.locator('input[name=name]'), 'Tab');
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    for (const kind of SENDER_KINDS) {
      await dialog.getByRole('combobox', { name: 'Kind' }).selectOption(kind);
      if (kind === 'webhook') await dialog.getByRole('button', { name: 'Add header' }).click();
      await dialog.getByRole('button', { name: 'Send test' }).click();
      await dialog.getByRole('alert').first().waitFor();
      await lookOnceAt(page, kind, { part: '[role=dialog]' });
    }
  },
};

const VARIABLES = new Set<string>(TEMPLATE_VARIABLES.map(({ name }) => name));

/** Their names look like keys without a text. */
async function withoutVariables(page: Page): Promise<string> {
  const lines = (await page.getByRole('dialog').innerText()).split('\n');
  return lines.filter((line) => !VARIABLES.has(line)).join('\n');
}

export const TEMPLATES: PageRow = {
  id: 'S-2.4.18',
  name: 'Template Setting',
  path: TEMPLATE,
  calls: [TEMPLATES_PATH, TEMPLATE_PRESETS_PATH],
  ready: ROW,
  visit: async (page) => {
    await lookAtFirst(page, 'the list');
    await openFirst(page, 'input[name=name]');
    await page.getByRole('dialog').locator('iframe').waitFor();
    await lookAtDialog(page, 'a template', { read: withoutVariables });
  },
};
