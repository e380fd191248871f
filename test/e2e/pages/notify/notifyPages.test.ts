// What notifications are there for: the right member is told, and nobody more once somebody has answered. The pages of senders, templates
// and rules on the real gateway, and servers of the test's own that take what is sent.
import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_ACT_PATH, EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import {
  NOTIFY_MESSAGES_PATH,
  NOTIFY_RESEND_PATH,
  type NotifyMessage,
  type NotifyMessageDetail,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import type { NotifyStep } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { OWN_NOTIFY_PATH, OWN_PUSH_PATH } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { createBrowserKeys } from '../../../support/notify/browserKeys.ts';
import { readMail } from '../../../support/notify/readMail.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { positionOf } from '../events/eventScene.ts';
import {
  CONFIG,
  type MemberName,
  type NotifyScene,
  SENDER,
  startNotifyScene,
  TEMPLATE,
  WEBHOOK_SECRET,
} from './notifyScene.ts';

const EMERGENCY = 1;

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
  for (const member of ['mei', 'kenji'] as const) {
    const choices = { phone: '', channels: ['email', 'push'], quietHours: [], messageLanguage: '' };
    await scene.call(member, 'PUT', OWN_NOTIFY_PATH, { ...choices, email: mailOf(member) });
  }
});
afterAll(() => scene?.close());

const mailOf = (member: MemberName): string => `${member}@fleet.example`;

function stepOf(sender: number, afterMinutes: number, ...members: readonly MemberName[]): NotifyStep {
  const deliveries = [{ sender, template: 0 }];
  return { afterMinutes, deliveries, members: members.map((name) => scene.members[name]), roles: [], addresses: [] };
}

/** The emergency button of the vehicle. */
async function raiseAlarm(deviceId: string): Promise<void> {
  const terminal = await scene.dial(deviceId);
  terminal.say(positionOf(0));
  terminal.say(positionOf(EMERGENCY));
}

async function eventOf(deviceId: string): Promise<EventRow> {
  const rows = async () =>
    ((await scene.call('mei', 'GET', `${EVENTS_PATH}?deviceid=${deviceId}`)) as { readonly rows: readonly EventRow[] })
      .rows;
  const [event] = await waitFor('the event', rows, (all) => all.length > 0);
  return event ?? expect.fail('there is no event');
}

async function messagesOf(deviceId: string): Promise<readonly NotifyMessage[]> {
  const found = await scene.call('chief', 'GET', `${NOTIFY_MESSAGES_PATH}?deviceid=${deviceId}`);
  return (found as { readonly rows: readonly NotifyMessage[] }).rows;
}

/** The member's mails that name the vehicle. */
function mailsTo(member: MemberName, deviceId: string) {
  const read = scene.mail.mails.map(({ text, to }) => ({ ...readMail(text), to }));
  return read.filter(({ text, to }) => to.includes(mailOf(member)) && text.includes(`Bus ${deviceId}`));
}

const ROW = '[role=row][data-id]';
const fieldOf = (form: Locator, label: string): Locator => form.getByRole('textbox', { name: label, exact: true });

/** From a list that is typed into. */
async function choose(form: Locator, label: string, option: string): Promise<void> {
  const input = form.getByRole('combobox', { name: label, exact: true });
  await input.fill(option);
  await form.page().getByRole('option', { name: option }).first().click();
  await form.page().keyboard.press('Escape');
}

test('a chief tries a sender, words a mail, has a member told by it, sees why, and sends it again', async () => {
  await raiseAlarm('BUS5');
  const past = await eventOf('BUS5');
  await scene.addRule('Night shift', 'BUS1', [stepOf(scene.senders.mail, 0, 'mei')]);
  await scene.addRule('Ends with an answer', 'BUS2', [
    stepOf(scene.senders.mail, 0, 'mei'),
    stepOf(scene.senders.mail, 30, 'kenji'),
  ]);
  const page = await scene.openPage('chief', SENDER);
  await trySender(page);
  await page.goto(TEMPLATE);
  await addTemplate(page, past.id);
  await page.goto(CONFIG);
  await addRule(page);
  await page.getByRole('tab', { name: 'Delivery log' }).click();
  await cancelByAnswer(page);

  await raiseAlarm('BUS6');
  const [mail] = await waitFor(
    'the mail by the new template',
    async () => mailsTo('mei', 'BUS6'),
    (all) => all.length > 0,
  );
  expect(mail?.headers.get('subject')).toBe('Desk: Emergency (SOS)');
  expect(mail?.to).toEqual([mailOf('mei')]);

  await page.getByRole('tab', { name: 'Explain an event' }).click();
  await page.getByRole('row').filter({ hasText: 'Bus BUS6' }).click();
  const used = page.getByRole('region', { name: 'Alarms of bus 6' });
  await used.getByText('Matches', { exact: true }).waitFor();
  await expect.poll(() => used.getByRole('table').innerText()).toContain('mei');
  const other = page.getByRole('region', { name: 'Night shift' });
  await other.getByText("The rule doesn't cover the device.").waitFor();
  await page.getByRole('button', { name: 'Show its messages' }).click();
  await resendMessage(page);
});

/** With a test message, before it is saved. */
async function trySender(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add sender' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add sender' });
  await fieldOf(form, 'Name').fill('Dispatch hook');
  await form.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Webhook' });
  await fieldOf(form, 'URL').fill(`http://127.0.0.1:${scene.webhooks.port}/hook`);
  await form.getByLabel('Signing secret').fill('of the hook');
  await form.getByRole('button', { name: 'Send test' }).click();
  await form.getByText(/^Test message sent in \d+ ms\.$/).waitFor();
  expect(scene.webhooks.requests.map(({ path }) => path)).toEqual(['/hook']);
  const talk = form.getByRole('region', { name: 'Conversation' });
  await expect.poll(() => talk.innerText()).toContain('HTTP 200 OK: answered by the test');
  await expect.poll(() => talk.innerText()).not.toContain('of the hook');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.locator(ROW).filter({ hasText: 'Dispatch hook' }).waitFor();
}

/** Its preview is of an event that there was. */
async function addTemplate(page: Page, past: number): Promise<void> {
  await page.getByRole('button', { name: 'Add template' }).click();
  const form = page.getByRole('dialog', { name: 'Add template' });
  const stepsBack = await page.evaluate(() => history.length);
  await fieldOf(form, 'Name').fill('Desk mail');
  await fieldOf(form, 'Subject').fill('Desk: {{event.type}}');
  await fieldOf(form, 'Text').fill('An alarm.\n{{device.name}} calls for help');
  await form.getByRole('combobox', { name: 'Event' }).selectOption(String(past));
  const preview = form.frameLocator('iframe').locator('body');
  for (const [language, text] of [
    ['English', 'Bus BUS5 calls for help'],
    ['日本語', 'デバイス：Bus BUS5'],
  ] as const) {
    await form.getByRole('tab', { name: language }).click();
    await preview.getByText(text).first().waitFor();
  }
  expect(await page.evaluate(() => history.length), 'previews that Back would lead through').toBe(stepsBack);
  await form.getByRole('button', { name: 'Save' }).click();
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
  await page.locator(ROW).filter({ hasText: 'Alarms of bus 6' }).waitFor();
}

async function resendMessage(page: Page): Promise<void> {
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
    async () => mailsTo('mei', 'BUS6'),
    (all) => all.length === 2,
  );
  expect(new Set(both.map(({ headers }) => headers.get('message-id'))).size).toBe(2);
  await message.getByRole('group', { name: 'Attempts' }).getByRole('row').nth(2).waitFor();
}

/** An answer cancels what waits for the next step, and the open log says so. */
async function cancelByAnswer(page: Page): Promise<void> {
  await raiseAlarm('BUS2');
  await waitFor('the mail to the first', () => mailsTo('mei', 'BUS2').length > 0);
  const row = page.locator(ROW).filter({ hasText: 'Bus BUS2' }).filter({ hasText: 'kenji' });
  await row.getByText('Waiting').waitFor();
  const { id, version } = await eventOf('BUS2');
  await scene.call('mei', 'POST', EVENT_ACT_PATH, { act: 'acknowledge', events: [{ id, version }] });
  await row.getByText('Canceled').waitFor();
  const states = (await messagesOf('BUS2')).map(({ step, state }) => [step, state]);
  expect(states).toEqual(
    expect.arrayContaining([
      [1, 'sent'],
      [2, 'canceled'],
    ]),
  );
  expect(mailsTo('kenji', 'BUS2')).toEqual([]);
}

test('a mail leads to its event; a service worker of notifications is taken for the whole site', async () => {
  await raiseAlarm('BUS1');
  const [mail] = await waitFor(
    'the mail',
    async () => mailsTo('mei', 'BUS1'),
    (all) => all.length > 0,
  );
  expect(mail?.types).toEqual(expect.arrayContaining(['text/plain', 'text/html']));
  const link = /https?:\/\/\S+\/historyevent\?event=\d+/.exec(mail?.text ?? '')?.[0] ?? '';
  const { address } = scene.product;
  expect(link).toContain(address);
  const page = await scene.openPage('mei', link);
  await page.frameLocator('iframe').getByRole('region', { name: 'Emergency (SOS)' }).waitFor();

  // What it does with a message is tested by itself. A browser takes nothing but a script, and asks for a newer one each day.
  const file = await page.request.get(`${address}/push-worker.js`);
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

test('one alarm reaches a webhook that fails at first, a log server, and a browser that a member allowed', async () => {
  const browser = createBrowserKeys();
  const subscription = browser.subscription(`http://127.0.0.1:${scene.pushService.port}/browser-of-mei`);
  await scene.call('mei', 'POST', OWN_PUSH_PATH, subscription);
  for (const sender of [scene.senders.webhook, scene.senders.syslog])
    await scene.addRule(`Sender ${sender}`, 'BUS3', [{ ...stepOf(sender, 0), members: [] }]);
  await scene.addRule('Browser', 'BUS3', [stepOf(scene.senders.push, 0, 'mei')]);
  scene.answerNext(503);
  await raiseAlarm('BUS3');
  await expectLogged();
  await expectPushed(browser);
  await expectCalledAgain();
});

/** Octets counted (RFC 6587); facility 16, severity critical. */
async function expectLogged(): Promise<void> {
  const text = await waitFor(
    'the message at the log server',
    async () => scene.syslogText(),
    (all) => all.includes('BUS3'),
  );
  expect(text).toMatch(/(^|\D)\d+ <13\d>1 \d{4}-\d{2}-\d{2}T\S+ \S+ fleetglass \S+ \S+ \[/);
}

/** Only the browser can read it. */
async function expectPushed(browser: ReturnType<typeof createBrowserKeys>): Promise<void> {
  const [call] = await waitFor(
    'the message at the push service',
    async () => scene.pushService.requests,
    (calls) => calls.length > 0,
  );
  expect(call?.path).toBe('/browser-of-mei');
  expect(call?.headers['content-encoding']).toBe('aes128gcm');
  expect(call?.headers.authorization).toMatch(/^vapid t=/);
  const told = JSON.parse(browser.decrypt(call?.body ?? Buffer.alloc(0))) as Record<string, string>;
  expect(told.title).toContain('Emergency (SOS)');
  expect(told.link).toMatch(/\/historyevent\?event=\d+$/);
}

/** With the same key, and a valid signature each time; the log has both attempts. */
async function expectCalledAgain(): Promise<void> {
  const calls = await waitFor(
    'the second call',
    async () => scene.webhooks.requests.filter(({ path }) => path === '/events'),
    (all) => all.length >= 2,
  );
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  for (const call of calls) {
    const time = call.headers['x-fleetglass-timestamp'];
    const signed = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(call.body).digest('hex');
    expect(call.headers['x-fleetglass-signature']).toBe(`v1=${signed}`);
    expect(JSON.parse(call.body.toString('utf8'))).toBeTypeOf('object');
  }
  const messages = await waitFor(
    'the log to say that it was sent',
    () => messagesOf('BUS3'),
    (all) => all.some(({ kind, state }) => kind === 'webhook' && state === 'sent'),
  );
  const id = messages.find(({ kind }) => kind === 'webhook')?.id;
  const detail = (await scene.call('chief', 'GET', `${NOTIFY_MESSAGES_PATH}/${id}`)) as NotifyMessageDetail;
  expect(detail.attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'sent']);
  expect(detail.attempts[0]?.answer).toContain('503');
}
