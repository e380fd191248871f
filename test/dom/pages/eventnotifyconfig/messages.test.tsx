import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  NOTIFY_CANCEL_PATH,
  NOTIFY_MESSAGES_PATH,
  NOTIFY_RESEND_PATH,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { notifyMessage } from '../../../support/notify/notifyRecords.ts';
import { dialog } from '../eventdefine/fakeEventDefine.ts';
import { address, ok, openNotifyConfig, rowOf, rows, shown } from './fakeNotifyConfig.tsx';

const SENT = notifyMessage({ id: 11 });
const WAITING = notifyMessage({
  id: 12,
  state: 'waiting',
  recipient: 'Wu',
  step: 2,
  attempts: 3,
  answer: '451 Try later',
  finishedAtMs: wallMs(0),
});
const CANCELED = notifyMessage({ id: 13, state: 'canceled', recipient: 'Chen', attempts: 0, answer: 'answered' });
const ANSWERED = notifyMessage({ id: 14, state: 'canceled', recipient: 'Hsu', attempts: 0, answer: 'answered by mei' });
const LOG = { query: 'tab=messages', messages: [SENT, WAITING, CANCELED] } as const;

const counters = async () => within(await screen.findByLabelText('Messages'));
const numberOf = async (label: string) => (await counters()).getByText(label).previousElementSibling?.textContent;

describe('the delivery log', () => {
  test.each([
    ['en', 'AnswerEvent answered by mei'],
    ['zh-TW', '事件已由 mei 處理'],
    ['jp', 'mei がイベントに対応済み'],
  ] as const)('says in the language of the user who answered the event: %s', async (locale, text) => {
    await openNotifyConfig({ ...LOG, messages: [ANSWERED], locale });
    await shown('Hsu');
    expect(rowOf('Hsu').textContent).toContain(text);
  });

  test('says what was sent to whom, and what the other side answered (S-2.4.13, S-9.11)', async () => {
    await openNotifyConfig(LOG);
    await shown('Lin Mei');
    expect(rowOf('Lin Mei').textContent).toBe(
      '2026-11-23 16:30:00StatusSentSeverityMajorEvent typeSpeedingDeviceLake line 1RuleNight shiftStep1RecipientLin MeiSenderMailAnswer250 OK',
    );
    expect(rowOf('Wu').textContent).toContain('Answer451 Try later');
    expect(rowOf('Chen').textContent).toContain('AnswerEvent answered');
  });

  test('counts, and a counter leads to its messages', async () => {
    const { user } = await openNotifyConfig(LOG);
    await shown('Wu');
    await waitFor(async () => expect(await numberOf('Waiting')).toBe('1'));
    expect([await numberOf('Sent in 24 h'), await numberOf('Failed in 24 h')]).toEqual(['1', '0']);
    await user.click((await counters()).getByText('Waiting'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(address()).toBe('tab=messages&state=waiting');
    await user.click((await counters()).getByText('Waiting'));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(address()).toBe('tab=messages');
  });

  test('is filtered as its address says', async () => {
    const { gateway, user } = await openNotifyConfig({
      ...LOG,
      query: 'tab=messages&sender=2&rule=1&device=BUS1&event=7',
    });
    await shown('Wu');
    const asked = () => Object.fromEntries(gateway.callsOf(NOTIFY_MESSAGES_PATH).at(-1)?.query ?? []);
    expect(asked()).toMatchObject({ sender: '2', rule: '1', deviceid: 'BUS1', event: '7', sort: 'createdAtMs' });
    expect((screen.getByLabelText('Device') as HTMLInputElement).value).toBe('Lake line 1 (KAA-0001)');
    await user.selectOptions(screen.getByLabelText('Period'), 'Last 24 hours');
    await waitFor(() => expect(Number(asked().from)).toBeGreaterThan(0));
    const chip = screen.getByText('Event 7').closest<HTMLElement>('.MuiChip-root') ?? expect.fail('no chip');
    await user.click(within(chip).getByTestId('CancelIcon'));
    await waitFor(() => expect(asked().event).toBeUndefined());
    expect(address()).toBe('tab=messages&period=24h&sender=2&rule=1&device=BUS1');
  });

  test('follows what the gateway tells', async () => {
    const { messages, sockets } = await openNotifyConfig(LOG);
    await shown('Wu');
    messages.set(12, { ...WAITING, state: 'failed', answer: '550 No such user' });
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'notifications', revision: 1, reload: true });
    await shown('550 No such user');
    messages.set(14, notifyMessage({ id: 14, recipient: 'Desk' }));
    sockets[0]?.tell({ type: 'notifications', revision: 2, messages: [messages.get(14)] });
    await shown('Desk');
    await waitFor(async () => expect(await numberOf('Failed in 24 h')).toBe('1'));
  });

  test('sends selected messages again and cancels those that wait, once that is confirmed (S-1.5)', async () => {
    const { gateway, messages, user } = await openNotifyConfig(LOG);
    await shown('Wu');
    const box = (text: string) => within(rowOf(text)).getByRole('checkbox');
    await user.click(box('Lin Mei'));
    await user.click(box('Wu'));
    const bar = within(screen.getByLabelText('Selected messages'));
    bar.getByText('Selected: 2');
    await user.click(bar.getByText('Cancel messages'));
    const cancel = await dialog('Cancel messages?');
    cancel.getByText('Keep messages');
    cancel.getByText('Messages to cancel: 1. You can resend them later.');
    await user.click(cancel.getByText('Cancel messages'));
    expect(await noticeOf('Messages canceled: 1')).toBe('success');
    expect(gateway.callsOf(NOTIFY_CANCEL_PATH)[0]?.body).toEqual({ ids: [12] });
    await waitFor(() => expect(rowOf('Wu').textContent).toContain('StatusCanceled'));
    await user.click(bar.getByText('Resend'));
    const resend = await dialog('Resend messages?');
    await user.click(resend.getByText('Resend'));
    expect(await noticeOf('Messages queued: 2')).toBe('success');
    expect(gateway.callsOf(NOTIFY_RESEND_PATH)[0]?.body).toEqual({ ids: [11, 12] });
    expect(messages.get(11)?.state).toBe('waiting');
  });

  test('says what went wrong in the question, which stays', async () => {
    const { gateway, user } = await openNotifyConfig(LOG);
    watchWarnings();
    gateway.on(`POST ${NOTIFY_CANCEL_PATH}`, () => json({ error: true, message: 'none' }, { status: 503 }));
    await shown('Wu');
    await user.click(within(rowOf('Wu')).getByRole('checkbox'));
    await user.click(screen.getByText('Cancel messages'));
    const asked = await dialog('Cancel messages?');
    await user.click(asked.getByText('Cancel messages'));
    await asked.findByRole('alert');
  });
});

describe('a message', () => {
  const detail = {
    message: WAITING,
    body: 'Lake line 1 is speeding.',
    attempts: [
      { atMs: wallMs(Date.UTC(2026, 10, 23, 8, 30, 5)), tookMs: 1_250, outcome: 'retry', answer: 'No answer' },
      { atMs: wallMs(Date.UTC(2026, 10, 23, 8, 31)), tookMs: 80, outcome: 'retry', answer: '451 Try later' },
    ],
  };

  test('opens with its text, its attempts and the ways to its event', async () => {
    const { gateway, user } = await openNotifyConfig(LOG);
    gateway.on(`GET ${NOTIFY_MESSAGES_PATH}/12`, () => ok(detail));
    await shown('Wu');
    await user.click(within(rowOf('Wu')).getByText('Wu'));
    const opened = await dialog('Message 12');
    await opened.findByText('Lake line 1 is speeding.');
    opened.getByText('Speeding · Major · Lake line 1');
    opened.getByText('No answer');
    opened.getByText('1,250');
    expect(opened.getByText('Open event').getAttribute('href')).toBe('/historyevent?event=7');
    await user.click(opened.getByText('Cancel messages'));
    await user.click((await dialog('Cancel messages?')).getByText('Cancel messages'));
    await screen.findByText('Messages canceled: 1');
  });

  test('shows its next attempt, although the list has it as before', async () => {
    const { gateway, sockets, user } = await openNotifyConfig(LOG);
    const [first] = detail.attempts;
    let attempts = [{ ...first, answer: 'the first' }];
    gateway.on(`GET ${NOTIFY_MESSAGES_PATH}/11`, () => ok({ message: SENT, body: 'Text', attempts }));
    await shown('Lin Mei');
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'notifications', revision: 1, reload: true });
    await user.click(within(rowOf('Lin Mei')).getByText('Lin Mei'));
    const opened = await dialog('Message 11');
    await opened.findByText('the first');
    attempts = [{ ...first, answer: 'the second' }, ...attempts];
    sockets[0]?.tell({ type: 'notifications', revision: 2, messages: [SENT] });
    await opened.findByText('the second');
  });

  test('leads to why its recipient was told', async () => {
    const { gateway, user } = await openNotifyConfig(LOG);
    gateway.on(`GET ${NOTIFY_MESSAGES_PATH}/12`, () => ok(detail));
    await shown('Wu');
    await user.click(within(rowOf('Wu')).getByText('Wu'));
    const opened = await dialog('Message 12');
    await user.click(opened.getByText('Explain'));
    await screen.findByText('There are no rules.');
    expect(address()).toBe('tab=explain&event=7');
  });
});
