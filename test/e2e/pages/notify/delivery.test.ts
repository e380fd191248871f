// What notifications are there for: the right member is told, then the next one, until somebody answers; whatever the servers do that
// carry the messages.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_ACT_PATH, EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import {
  NOTIFY_MESSAGES_PATH,
  type NotifyMessage,
  type NotifyMessageDetail,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import type { NotifyStep } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { OWN_NOTIFY_PATH, OWN_PUSH_PATH } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { createBrowserKeys } from '../../../support/notify/browserKeys.ts';
import { readMail } from '../../../support/notify/readMail.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { positionOf } from '../events/eventScene.ts';
import { CONFIG, type MemberName, type NotifyScene, startNotifyScene, WEBHOOK_SECRET } from './notifyScene.ts';

const EMERGENCY = 1;
/** The second step comes after a minute, by the gateway's clock. */
const STEP_WITHIN_MS = 90_000;
const TEST_MS = 150_000;

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

async function messagesOf(deviceId: string): Promise<readonly NotifyMessage[]> {
  const found = await scene.call('chief', 'GET', `${NOTIFY_MESSAGES_PATH}?deviceid=${deviceId}`);
  return (found as { readonly rows: readonly NotifyMessage[] }).rows;
}

async function eventOf(deviceId: string): Promise<EventRow> {
  const rows = async () =>
    ((await scene.call('mei', 'GET', `${EVENTS_PATH}?deviceid=${deviceId}`)) as { readonly rows: readonly EventRow[] })
      .rows;
  const [event] = await waitFor('the event', rows, (all) => all.length > 0);
  if (event === undefined) throw new Error('there is no event');
  return event;
}

const mailTo = (member: MemberName, deviceId: string) =>
  scene.mail.mails
    .filter(({ to }) => to.includes(mailOf(member)))
    .map(({ text, to }) => ({ ...readMail(text), to }))
    .find(({ text }) => text.includes(`Bus ${deviceId}`));

test(
  'an alarm that nobody answers is told to a second member, and its mail leads to the event',
  async () => {
    await scene.addRule('Escalates', 'BUS1', [
      stepOf(scene.senders.mail, 0, 'mei'),
      stepOf(scene.senders.mail, 1, 'kenji'),
    ]);
    await raiseAlarm('BUS1');
    const first = await waitFor(
      'the mail to the first',
      async () => mailTo('mei', 'BUS1'),
      (mail) => mail !== undefined,
    );
    expect(first?.headers.get('subject')).toContain('Emergency (SOS)');
    expect(first?.types).toEqual(expect.arrayContaining(['text/plain', 'text/html']));
    const link = /https?:\/\/\S+\/historyevent\?event=\d+/.exec(first?.text ?? '')?.[0] ?? '';
    expect(link).toContain(scene.product.address);
    const page = await scene.openPage('mei', link);
    await page.frameLocator('iframe').getByRole('region', { name: 'Emergency (SOS)' }).waitFor();

    const second = await waitFor(
      'the mail to the second',
      async () => mailTo('kenji', 'BUS1'),
      (mail) => mail !== undefined,
      STEP_WITHIN_MS,
    );
    expect(second?.to).toEqual([mailOf('kenji')]);
    expect(second?.headers.get('message-id')).not.toBe(first?.headers.get('message-id'));
  },
  TEST_MS,
);

test('an answer cancels what waits, and the log says so', async () => {
  await scene.addRule('Ends with an answer', 'BUS2', [
    stepOf(scene.senders.mail, 0, 'mei'),
    stepOf(scene.senders.mail, 30, 'kenji'),
  ]);
  const page = await scene.openPage('chief', `${CONFIG}?tab=messages`);
  await raiseAlarm('BUS2');
  await waitFor(
    'the mail to the first',
    async () => mailTo('mei', 'BUS2'),
    (mail) => mail !== undefined,
  );
  const row = page.getByRole('row').filter({ hasText: 'Bus BUS2' }).filter({ hasText: 'kenji' });
  await row.getByText('Waiting').waitFor();
  const { id, version } = await eventOf('BUS2');
  await scene.call('mei', 'POST', EVENT_ACT_PATH, { act: 'acknowledge', events: [{ id, version }] });
  // The row changes without a reload.
  await row.getByText('Canceled').waitFor();
  const states = (await messagesOf('BUS2')).map(({ step, state }) => [step, state]);
  expect(states).toEqual(
    expect.arrayContaining([
      [1, 'sent'],
      [2, 'canceled'],
    ]),
  );
  expect(mailTo('kenji', 'BUS2')).toBeUndefined();
});

test('a webhook that fails is called again with the same key and a valid signature', async () => {
  const step: NotifyStep = { ...stepOf(scene.senders.webhook, 0), members: [] };
  await scene.addRule('Webhook', 'BUS3', [step]);
  scene.answerNext(503);
  await raiseAlarm('BUS3');
  await waitFor(
    'the second call',
    async () => scene.webhooks.requests,
    (calls) => calls.length >= 2,
  );
  const [first, second] = scene.webhooks.requests;
  expect(first?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  for (const call of scene.webhooks.requests.slice(0, 2)) {
    const time = call.headers['x-fleetglass-timestamp'];
    const signed = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(call.body).digest('hex');
    expect(call.headers['x-fleetglass-signature']).toBe(`v1=${signed}`);
    expect(JSON.parse(call.body.toString('utf8'))).toBeTypeOf('object');
  }
  const [message] = await waitFor(
    'the log to say that it was sent',
    () => messagesOf('BUS3'),
    ([only]) => only?.state === 'sent',
  );
  const detail = await scene.call('chief', 'GET', `${NOTIFY_MESSAGES_PATH}/${message?.id}`);
  const { attempts } = detail as NotifyMessageDetail;
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'sent']);
  expect(attempts[0]?.answer).toContain('503');
});

test('one sender that hangs holds up no other; a log server gets the event as RFC 5424 has it', async () => {
  const hanging: NotifyStep = { ...stepOf(scene.senders.webhook, 0), members: [] };
  const working: NotifyStep = { ...stepOf(scene.senders.syslog, 0), members: [] };
  await scene.addRule('Hangs', 'BUS4', [hanging]);
  await scene.addRule('Works', 'BUS4', [working]);
  scene.answerNext('never');
  await raiseAlarm('BUS4');
  const text = await waitFor(
    'the message at the log server',
    async () => scene.syslogText(),
    (all) => all.includes('BUS4'),
  );
  // Octets counted (RFC 6587); facility 16, severity critical.
  expect(text).toMatch(/(^|\D)\d+ <13\d>1 \d{4}-\d{2}-\d{2}T\S+ \S+ fleetglass \S+ \S+ \[/);
  expect((await messagesOf('BUS4')).find(({ kind }) => kind === 'webhook')?.state).toBe('waiting');
});

test('a browser that a member allowed gets what only it can read', async () => {
  const browser = createBrowserKeys();
  await scene.call(
    'mei',
    'POST',
    OWN_PUSH_PATH,
    browser.subscription(`http://127.0.0.1:${scene.pushService.port}/browser-of-mei`),
  );
  await scene.addRule('Browser', 'BUS5', [stepOf(scene.senders.push, 0, 'mei')]);
  await raiseAlarm('BUS5');
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
});
