// The pages of notifications on the real gateway: what members do in them, and what comes to others of it.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { NOTIFY_RESEND_PATH } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { OWN_NOTIFY_PATH } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { readMail } from '../../../support/notify/readMail.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { positionOf } from '../events/eventScene.ts';
import { CONFIG, type NotifyScene, SENDER, startNotifyScene, TEMPLATE } from './notifyScene.ts';

const ACCOUNT = '/innerpage/account.html';
const EMERGENCY = 1;
const MAIL_OF_MEI = 'mei@fleet.example';

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
  const choices = { phone: '', channels: ['email'], quietHours: [], messageLanguage: '' };
  await scene.call('mei', 'PUT', OWN_NOTIFY_PATH, { ...choices, email: MAIL_OF_MEI });
  const deliveries = [{ sender: scene.senders.mail, template: 0 }];
  const recipients = { members: [scene.members.mei], roles: [], addresses: ['desk@fleet.example'] };
  await scene.addRule('Night shift', 'BUS1', [{ afterMinutes: 0, deliveries, ...recipients }]);
});
afterAll(() => scene?.close());

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
  await expect.poll(() => used.getByRole('table').innerText()).toContain('mei');
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

test('a sender is tried before it is saved, keeps its secret, and is deleted', async () => {
  const page = await scene.openPage('chief', SENDER, { allowed: [{ url: /\/api\/sender\//, status: 422 }] });
  await page.getByRole('button', { name: 'Add sender' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add sender' });
  await fieldOf(form, 'Name').fill('Dispatch hook');
  await form.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Webhook' });
  await fieldOf(form, 'URL').fill('http://user:pass@127.0.0.1/');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText("This value isn't allowed here.").waitFor();
  await fieldOf(form, 'URL').fill(`http://127.0.0.1:${scene.webhooks.port}/hook`);
  await form.getByLabel('Signing secret').fill('of the hook');
  await form.getByRole('button', { name: 'Send test' }).click();
  await form.getByText(/^Test message sent in \d+ ms\.$/).waitFor();
  expect(scene.webhooks.requests).toHaveLength(1);
  const talk = form.getByRole('region', { name: 'Conversation' });
  await expect.poll(() => talk.innerText()).toContain('HTTP 200 OK: answered by the test');
  await expect.poll(() => talk.innerText()).not.toContain('of the hook');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sender saved.').waitFor();

  const row = page.getByRole('row').filter({ hasText: 'Dispatch hook' });
  await row.getByRole('button', { name: 'Edit Dispatch hook' }).click();
  const edited = page.getByRole('dialog', { name: 'Sender Dispatch hook' });
  await edited.getByText('Stored. Leave empty to keep it.').waitFor();
  await expect.poll(() => edited.getByLabel('Signing secret').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'more' }).click();
  await page.getByRole('menuitem', { name: 'Delete Dispatch hook' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Sender deleted.').waitFor();
  await row.waitFor({ state: 'detached' });
});

test('how a member is told is chosen by the member and kept', async () => {
  const page = await scene.openPage('kenji', ACCOUNT);
  const part = page.getByRole('region', { name: 'Notifications' });
  await part.getByLabel('Email address').fill('ann@example.com');
  await part.getByLabel('Phone number').fill('+886 912 345 678');
  await part.getByLabel('Text message').uncheck();
  await part.getByRole('button', { name: 'Add quiet hours' }).click();
  await part.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Notification settings saved.').waitFor();
  await page.reload();
  await part.getByLabel('Email address').waitFor();
  await expect.poll(() => part.getByLabel('Email address').inputValue()).toBe('ann@example.com');
  await expect.poll(() => part.getByLabel('Phone number').inputValue()).toBe('+886912345678');
  await expect.poll(() => part.getByLabel('Text message').isChecked()).toBe(false);
  await expect.poll(() => part.getByLabel('Start').inputValue()).toBe('22:00');
});

/** What it does with a message is tested by itself. */
test('the service worker of notifications is taken for the whole site', async () => {
  const page = await scene.openPage('mei', ACCOUNT, { fresh: true });
  const { address } = scene.product;
  const file = await page.request.get(`${address}/push-worker.js`);
  // A browser takes nothing but a script for a worker, and asks for a newer one each day.
  expect(file.headers()).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
  });
  const ready = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
    const { scope, active } = await navigator.serviceWorker.ready;
    return { scope, script: active?.scriptURL };
  });
  expect(ready).toEqual({ scope: `${address}/`, script: `${address}/push-worker.js` });
});
