import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SenderPage } from '../../../../pages/innerpage/sender/SenderPage.tsx';
import {
  SENDER_TEST_PATH,
  SENDERS_PATH,
  type SenderTestResult,
} from '../../../../shared/protocol/api/notify/senders.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aSender, SETTINGS } from '../../../support/aSender.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import {
  planGateway,
  renderPage,
  settle,
  setWindowWidth,
  watchWarnings,
} from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { keepSenders } from './fakeSenders.ts';

const AT = wallMs(Date.UTC(2026, 10, 24, 8));
const MAIL = aSender({ lastSentAtMs: AT });
const HOOK = aSender({
  id: 2,
  name: 'Dispatch hook',
  kind: 'webhook',
  settings: SETTINGS.webhook,
  perMinute: 30,
  failures: 2,
  lastFailureAtMs: AT,
  lastFailure: '503 busy',
  waiting: 12,
});
const LOG = aSender({ id: 3, name: 'Log', kind: 'syslog', settings: SETTINGS.syslog, enabled: false });

/** A window of a phone: there the grid shows every row, as it needs no measure of its box. */
async function openPage(locale: 'en' | 'zh-TW' | 'jp' = 'en', permission = ['system', 'sender']) {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway({ user: { permission, timezone: 'UTC' } });
  fakeSockets();
  const kept = keepSenders(gateway, [MAIL, HOOK, LOG]);
  await renderPage(<SenderPage />, locale);
  return { gateway, ...kept, user: userEvent.setup() };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const shown = (text: string) => waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

async function menuOf(user: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  const row = rows().find((each) => each.textContent?.startsWith(name)) ?? expect.fail(`no ${name}`);
  await user.click(within(row).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText(action));
}

async function openMail(user: ReturnType<typeof userEvent.setup>) {
  await shown('Office mail');
  await user.click(screen.getByLabelText('Edit Office mail'));
  return dialog('Sender Office mail');
}

describe('the table of senders', () => {
  test('says of each whether it works, when it sent and failed last, and how much waits', async () => {
    await openPage();
    await shown('Log');
    expect(rows().map((row) => row.textContent)).toEqual([
      'Office mailKindEmailStatusWorkingWaiting0Last sent2026-11-24 08:00:00Last failureNever',
      'Dispatch hookKindWebhookStatusFailingWaiting12Last sentNeverLast failure2026-11-24 08:00:00Reason503 busy',
      'LogKindSyslogStatusOffWaiting0Last sentNeverLast failureNever',
    ]);
  });

  test('is in the language of the user, filtered by kind and searched', async () => {
    const { gateway, user } = await openPage('jp');
    await shown('メール');
    await user.selectOptions(screen.getByLabelText('種類'), 'Webhook 連携');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(gateway.callsOf(SENDERS_PATH).at(-1)?.query.get('kind')).toBe('webhook');
  });

  test('is not there for those who may not set up senders', async () => {
    const { gateway } = await openPage('en', ['system', 'event']);
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect(gateway.callsOf(SENDERS_PATH)).toEqual([]);
  });

  test('turns a sender off without its secret, and deletes one', async () => {
    const { rows: kept, secrets, user } = await openPage();
    await shown('Office mail');
    await menuOf(user, 'Office mail', 'Turn off Office mail');
    expect(await noticeOf('Office mail turned off.')).toBe('success');
    expect(kept[0]).toMatchObject({ enabled: false, settings: SETTINGS.email, hasSecret: true });
    expect(secrets.size).toBe(0);
    await settle();
    await menuOf(user, 'Log', 'Delete Log');
    await user.click((await dialog('Delete Log?')).getByText('Delete'));
    expect(await noticeOf('Sender deleted.')).toBe('success');
    expect(kept.map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('the form of a sender', () => {
  test('adds one of each kind with the fields of that kind', async () => {
    const { rows: kept, secrets, user } = await openPage();
    await shown('Log');
    await user.click(screen.getByText('Add sender'));
    const form = await dialog('Add sender');
    await user.selectOptions(form.getByLabelText('Kind'), 'Webhook');
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a name.');
    form.getByText('Enter a web address, such as https://example.com/notify.');
    await enter(user, form.getByLabelText(/^Name/), 'Tickets');
    await enter(user, form.getByLabelText(/^URL/), 'http://tickets.example.com/in');
    form.getByText('Without HTTPS, others on the network can read messages and secrets.');
    await user.click(form.getByText('Add header'));
    await enter(user, form.getByLabelText('Header name'), 'X-Team');
    await enter(user, form.getByLabelText('Header value'), 'night');
    await enter(user, form.getByLabelText('Signing secret'), 's3cret');
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Sender saved.')).toBe('success');
    expect(kept[3]).toMatchObject({
      name: 'Tickets',
      kind: 'webhook',
      perMinute: 0,
      settings: { url: 'http://tickets.example.com/in', headers: [{ name: 'X-Team', value: 'night' }] },
    });
    expect(secrets.get(4)).toBe('s3cret');
  });

  test('keeps what is not changed', async () => {
    const { rows: kept, user } = await openPage();
    await shown('Dispatch hook');
    await user.click(screen.getByLabelText('Edit Dispatch hook'));
    const form = await dialog('Sender Dispatch hook');
    await enter(user, form.getByLabelText(/^Name/), 'Night hook');
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Sender saved.')).toBe('success');
    expect(kept[1]).toMatchObject({ name: 'Night hook', perMinute: 30, settings: SETTINGS.webhook });
  });

  test('keeps the stored secret, and deletes it when asked', async () => {
    const { rows: kept, secrets, user } = await openPage();
    const form = await openMail(user);
    form.getByText('Stored. Leave empty to keep it.');
    expect(form.getByLabelText('Kind')).toHaveProperty('disabled', true);
    await user.selectOptions(form.getByLabelText('Encryption'), 'None');
    form.getByText('Without encryption, others on the network can read messages and the password.');
    expect(form.getByLabelText(/^Port/)).toHaveProperty('value', '25');
    await user.click(form.getByText('Save'));
    await noticeOf('Sender saved.');
    expect([secrets.size, kept[0]?.settings]).toEqual([0, { ...SETTINGS.email, security: 'none', port: 25 }]);
    await settle();
    const again = await openMail(user);
    await user.click(again.getByLabelText('Delete the stored secret'));
    expect(again.queryByLabelText('Password')).toBeNull();
    await user.click(again.getByText('Save'));
    await waitFor(() => expect(kept[0]?.hasSecret).toBe(false));
    expect(secrets.get(1)).toBe('');
  });

  test('shows what the gateway refuses of the settings at the field (S-2.3.5)', async () => {
    watchWarnings();
    const { gateway, user } = await openPage();
    const form = await openMail(user);
    gateway.on(`PUT ${SENDERS_PATH}/1`, () =>
      json(
        { error: true, code: 'bad-fields', message: 'x', data: { fields: { 'settings.host': 'not-allowed' } } },
        { status: 422 },
      ),
    );
    await enter(user, form.getByLabelText(/^Host/), '10.0.0.8');
    await user.click(form.getByText('Save'));
    await form.findByText("This value isn't allowed here. Enter another one.");
    expect(document.activeElement).toBe(form.getByLabelText(/^Host/));
  });

  test('lets two administrators keep what each wants (S-2.3.6)', async () => {
    watchWarnings();
    const { rows: kept, user } = await openPage();
    const form = await openMail(user);
    kept[0] = { ...MAIL, version: 2, name: 'Head office', settings: { ...SETTINGS.email, host: 'mx.example.com' } };
    await enter(user, form.getByLabelText(/^Host/), 'mail2.example.com');
    await user.click(form.getByText('Save'));
    const conflict = await dialog('Another user changed this');
    conflict.getByText('Yours: mail2.example.com');
    conflict.getByText('Theirs: Head office (was Office mail)');
    await user.click(conflict.getByText('Continue'));
    await user.click(form.getByText('Save'));
    await noticeOf('Sender saved.');
    expect(kept[0]).toMatchObject({
      version: 3,
      name: 'Head office',
      settings: { ...SETTINGS.email, host: 'mail2.example.com' },
    });
  });
});

describe('a test of a sender', () => {
  const RESULT: SenderTestResult = {
    isSent: false,
    answer: '550 no such user',
    tookMs: 120,
    conversation: [
      { side: 'note', text: 'connected to mail.example.com' },
      { side: 'server', text: '220 ready' },
      { side: 'gateway', text: 'RCPT TO:<ann@example.com>' },
    ],
  };

  test('sends what is typed without saving it, and shows what both sides said', async () => {
    const { gateway, rows: kept, user } = await openPage();
    gateway.on(`POST ${SENDER_TEST_PATH}`, { error: false, data: RESULT });
    const form = await openMail(user);
    await enter(user, form.getByLabelText('Password'), 'new one');
    await user.type(form.getByLabelText('Send to email address'), ' ann@example.com{Enter}');
    await form.findByText('550 no such user');
    const settings = SETTINGS.email;
    const sender = { name: 'Office mail', kind: 'email', enabled: true, perMinute: 0, settings, secret: 'new one' };
    expect(gateway.callsOf(SENDER_TEST_PATH).map(({ body }) => body)).toEqual([
      { id: 1, sender, to: 'ann@example.com' },
    ]);
    const talk = form.getByLabelText('Conversation');
    expect([...talk.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
      'Infoconnected to mail.example.com',
      'Received220 ready',
      'SentRCPT TO:<ann@example.com>',
    ]);
    expect(talk.getAttribute('tabindex')).toBe('0');
    expect(kept[0]?.version).toBe(1);
    gateway.on(`POST ${SENDER_TEST_PATH}`, { error: false, data: { ...RESULT, isSent: true, answer: '250 ok' } });
    await user.click(form.getByText('Send test'));
    await form.findByText('Test message sent in 120 ms.');
  });

  test('says what is missing first, and what the gateway refuses', async () => {
    watchWarnings();
    const { gateway, user } = await openPage();
    const form = await openMail(user);
    await enter(user, form.getByLabelText(/^Port/), '0');
    await user.click(form.getByText('Send test'));
    const alert = form.getByRole('alert');
    expect(alert.textContent).toBe('Enter a port from 1 to 65,535.Enter an email address, such as name@example.com.');
    expect(gateway.callsOf(SENDER_TEST_PATH)).toEqual([]);
    await enter(user, form.getByLabelText(/^Port/), '25');
    await enter(user, form.getByLabelText('Send to email address'), 'ann@example.com');
    gateway.on(`POST ${SENDER_TEST_PATH}`, () =>
      json(
        { error: true, code: 'bad-fields', message: 'x', data: { fields: { 'settings.host': 'not-allowed' } } },
        { status: 422 },
      ),
    );
    await user.click(form.getByText('Send test'));
    await waitFor(() =>
      expect(form.getByRole('alert').textContent).toBe(
        "Check the marked fields.Host: This value isn't allowed here. Enter another one.",
      ),
    );
  });
});
