// The pages of notifications on the real gateway: who reaches them, how they look in every language, and what a member does in them.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { NOTIFY_MESSAGES_PATH, NOTIFY_RESEND_PATH } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { NOTIFY_CHOICES_PATH, NOTIFY_RULES_PATH } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { OWN_NOTIFY_PATH } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { SENDERS_PATH } from '../../../../shared/protocol/api/notify/senders.ts';
import {
  TEMPLATE_PRESETS_PATH,
  TEMPLATES_PATH,
  type TemplateContent,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { TEMPLATE_VARIABLES } from '../../../../shared/protocol/notify/templateVariables.ts';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { readMail } from '../../../support/notify/readMail.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { positionOf } from '../events/eventScene.ts';
import { CONFIG, type NotifyScene, SENDER, startNotifyScene, TEMPLATE } from './notifyScene.ts';

const EMERGENCY = 1;
const MAIL_OF_MEI = 'mei@fleet.example';

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
  const choices = { phone: '', channels: ['email'], quietHours: [], messageLanguage: '' };
  await scene.call('mei', 'PUT', OWN_NOTIFY_PATH, { ...choices, email: MAIL_OF_MEI });
  await scene.call('chief', 'POST', TEMPLATES_PATH, NIGHT_MAIL);
  const deliveries = [{ sender: scene.senders.mail, template: 0 }];
  const recipients = { members: [scene.members.mei], roles: [], addresses: ['desk@fleet.example'] };
  await scene.addRule('Night shift', 'BUS1', [{ afterMinutes: 0, deliveries, ...recipients }]);
});
afterAll(() => scene?.close());

const NIGHT_MAIL: TemplateContent = {
  name: 'Night mail',
  kind: 'email',
  fallback: 'en',
  texts: { en: { subject: '{{event.type}}', body: 'At {{event.begin}}' } },
};

let told: Promise<number> | undefined;

/** An event that the rule has told of, for all tests that look at one. A terminal needs a test that it belongs to. */
function toldEvent(): Promise<number> {
  told ??= tellOf('BUS1');
  return told;
}

async function tellOf(deviceId: string): Promise<number> {
  await raiseAlarm(deviceId);
  await waitFor(
    'the mails',
    async () => mails(deviceId),
    (all) => all.length === 2,
  );
  return (await eventOf(deviceId)).id;
}

/** The emergency button of the vehicle. */
async function raiseAlarm(deviceId: string): Promise<void> {
  const terminal = await scene.dial(deviceId);
  terminal.say(positionOf(0));
  terminal.say(positionOf(EMERGENCY));
}

/** Those that name the vehicle. */
function mails(deviceId: string) {
  const read = scene.mail.mails.map(({ text, to }) => ({ ...readMail(text), to }));
  return read.filter(({ text }) => text.includes(`Bus ${deviceId}`));
}

const ROW = '[role=row][data-id]';
const PAGES = [
  {
    id: 'S-2.4.13',
    name: 'Event Notify Config',
    path: CONFIG,
    calls: [NOTIFY_RULES_PATH, NOTIFY_MESSAGES_PATH, NOTIFY_CHOICES_PATH],
  },
  { id: 'S-2.4.17', name: 'Sender Setting', path: SENDER, calls: [SENDERS_PATH] },
  {
    id: 'S-2.4.18',
    name: 'Template Setting',
    path: TEMPLATE,
    calls: [TEMPLATES_PATH, TEMPLATE_PRESETS_PATH],
  },
] as const;

const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

/** As it is with axe, which takes its time; in the other width whether it fits. */
async function lookAt(page: Page, what: string, locale: 'en' | 'zh-TW' | 'jp'): Promise<void> {
  const dialog = page.getByRole('dialog');
  const isDialog = (await dialog.count()) > 0;
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what, isDialog ? '[role=dialog]' : undefined);
    await expectFits(page, what);
    expectWords(withoutVariables(await (isDialog ? dialog : page.locator('body')).innerText()), locale);
  });
}

/** Their names look like keys without a text. */
function withoutVariables(text: string): string {
  const names = new Set<string>(TEMPLATE_VARIABLES.map(({ name }) => name));
  return text
    .split('\n')
    .filter((line) => !names.has(line))
    .join('\n');
}

describe.each(PAGES)('$id, S-6.2 $name', ({ name, path, calls }) => {
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test('is not there for who has `system` alone, nor are its calls', async () => {
    const page = await scene.openPage('limited', '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(path);
    await page.getByText("You don't have permission for this page.").waitFor();
    for (const call of calls) expect((await page.request.get(call)).status(), call).toBe(403);
  });

  test('S-1.2, S-2.1.11, S-2.1.12 is framed with it, as large as the window', async () => {
    const page = await scene.openPage('chief', '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').locator(ROW).first().waitFor();
    await expectFramed(page, path);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await scene.openPage('chief', path + query);
      await page.locator(ROW).first().waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });

  test.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await scene.openPage('chief', path, { locale, width, colorScheme });
    await page.locator(ROW).first().waitFor();
    await lookAt(page, 'the list', locale);
    await page.locator(ROW).first().locator('[role=gridcell]').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=name]').waitFor();
    if (path === TEMPLATE) await dialog.locator('iframe').waitFor();
    await lookAt(page, 'the dialog', locale);
  });
});

describe('Event Notify Config', () => {
  test.each(LOOKS)(
    'S-1.4, S-9.11 its log and its explanation are accessible in every language: %s, %i px, %s',
    async (...look) => {
      const [locale, width, colorScheme] = look;
      const id = await toldEvent();
      const page = await scene.openPage('chief', `${CONFIG}?tab=messages`, { locale, width, colorScheme });
      await page.locator(ROW).first().waitFor();
      await lookAt(page, 'the log', locale);
      await page.locator(ROW).first().locator('[role=gridcell]').nth(1).click();
      await page.getByRole('dialog').locator('pre').waitFor();
      await lookAt(page, 'a message', locale);
      await page.goto(`${CONFIG}?tab=explain`);
      await page.locator(ROW).first().waitFor();
      await lookAt(page, 'the events', locale);
      await page.goto(`${CONFIG}?tab=explain&event=${id}`);
      await page.getByRole('heading', { name: 'Night shift' }).waitFor();
      await lookAt(page, 'the explanation', locale);
    },
  );
});

async function eventOf(deviceId: string): Promise<{ readonly id: number }> {
  const found = await waitFor(
    'the event',
    async () => (await scene.call('mei', 'GET', `${EVENTS_PATH}?deviceid=${deviceId}`)) as Found,
    ({ rows }) => rows.length > 0,
  );
  return found.rows[0] ?? expect.fail('no event');
}

interface Found {
  readonly rows: readonly { readonly id: number }[];
}

const fieldOf = (form: Locator, label: string): Locator => form.getByRole('textbox', { name: label, exact: true });

/** Of a list that is typed into. */
async function choose(form: Locator, label: string, option: string): Promise<void> {
  const input = form.getByRole('combobox', { name: label, exact: true });
  await input.fill(option);
  await form.page().getByRole('option', { name: option }).first().click();
  await form.page().keyboard.press('Escape');
}

test('a chief words a mail, has a member told by it, sees why, and sends it again', async () => {
  await raiseAlarm('BUS5');
  const past = await eventOf('BUS5');
  const page = await scene.openPage('chief', TEMPLATE);
  await addTemplate(page, past.id);
  await page.goto(CONFIG);
  await addRule(page);

  await raiseAlarm('BUS6');
  const [mail] = await waitFor(
    'the mail by the new template',
    async () => mails('BUS6'),
    (all) => all.length > 0,
  );
  expect(mail?.headers.get('subject')).toBe('Desk: Emergency (SOS)');
  expect(mail?.to).toEqual([MAIL_OF_MEI]);

  await page.goto(`${CONFIG}?tab=explain`);
  await page.getByRole('row').filter({ hasText: 'Bus BUS6' }).click();
  const used = page.getByRole('region', { name: 'Alarms of bus 6' });
  await used.getByText('Matches', { exact: true }).waitFor();
  expect(await used.getByRole('table').innerText()).toContain('mei');
  const other = page.getByRole('region', { name: 'Night shift' });
  await other.getByText("The rule doesn't cover the device.").waitFor();
  await page.getByRole('button', { name: 'Show its messages' }).click();

  const row = page.locator(ROW).filter({ hasText: 'Alarms of bus 6' });
  await row.getByText('Sent', { exact: true }).waitFor();
  await row.getByText('Bus BUS6').click();
  const message = page.getByRole('dialog', { name: /^Message \d+$/ });
  await message.getByText('Bus BUS6 calls for help', { exact: false }).waitFor();
  const resent = page.waitForResponse((response) => response.url().endsWith(NOTIFY_RESEND_PATH));
  await message.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resend' }).click();
  expect((await resent).status()).toBe(200);
  const both = await waitFor(
    'the mail once more',
    async () => mails('BUS6'),
    (all) => all.length === 2,
  );
  expect(new Set(both.map(({ headers }) => headers.get('message-id'))).size).toBe(2);
  await message.getByRole('group', { name: 'Attempts' }).getByRole('row').nth(2).waitFor();
});

/** With a word that is wrong at first; its preview is of an event that there was. */
async function addTemplate(page: Page, past: number): Promise<void> {
  await page.getByRole('button', { name: 'Add template' }).click();
  const form = page.getByRole('dialog', { name: 'Add template' });
  await fieldOf(form, 'Name').fill('Desk mail');
  await fieldOf(form, 'Subject').fill('Desk: {{event.type}}');
  await fieldOf(form, 'Text').fill('An alarm.\n{{devcie.name}} calls for help');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText("Line 2: there's no variable devcie.name. Select one from the list.").waitFor();
  await fieldOf(form, 'Text').fill('An alarm.\n{{device.name}} calls for help');
  await form.getByRole('combobox', { name: 'Event' }).selectOption(String(past));
  const preview = form.frameLocator('iframe').locator('body');
  for (const [language, text] of [
    ['English', 'Bus BUS5 calls for help'],
    ['繁體中文', '裝置：Bus BUS5'],
    ['日本語', 'デバイス：Bus BUS5'],
  ] as const) {
    await form.getByRole('tab', { name: language }).click();
    await preview.getByText(text).first().waitFor();
  }
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template saved.').waitFor();
  await page.locator(ROW).filter({ hasText: 'Desk mail' }).waitFor();
}

async function addRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add rule' });
  await fieldOf(form, 'Name').fill('Alarms of bus 6');
  await choose(form, 'Event types', 'Emergency (SOS)');
  await choose(form, 'Devices', 'BUS6');
  const step = form.getByRole('group', { name: 'Step 1' });
  await step.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Depot mail (Email)' });
  await step.getByRole('combobox', { name: 'Template' }).selectOption({ label: 'Desk mail' });
  await choose(step, 'Members', 'mei');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rule saved.').waitFor();
  await page.locator(ROW).filter({ hasText: 'Alarms of bus 6' }).waitFor();
}
