import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  type Explained,
  type ExplainedRecipient,
  NOTIFY_EXPLAIN_PATH,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { address, ok, openNotifyConfig, rowOf, shown } from './fakeNotifyConfig.tsx';

const MAIL = { step: 1, sender: 1, senderName: 'Mail', kind: 'email' } as const;
const told = (fields: Partial<ExplainedRecipient>): ExplainedRecipient => ({
  ...MAIL,
  recipient: 'Lin Mei',
  atMs: wallMs(Date.UTC(2026, 10, 23, 8, 30)),
  note: 'none',
  ...fields,
});
const EXPLAINED: Explained = [
  { rule: 1, name: 'Video', misses: ['other-type', 'disabled'], recipients: [] },
  {
    rule: 2,
    name: 'Nights',
    misses: [],
    recipients: [
      told({}),
      told({ recipient: 'Wu', atMs: wallMs(Date.UTC(2026, 10, 23, 23)), note: 'quiet-hours' }),
      told({ recipient: 'chen', atMs: wallMs(0), note: 'no-address' }),
      told({ step: 2, recipient: '', sender: 3, senderName: 'Desk', kind: 'webhook' }),
    ],
  },
];

describe('the explanation of an event', () => {
  test('names the rules that tell of it with whom and when, and why the others do not (S-2.4.13, S-9.11)', async () => {
    const { gateway, user } = await openNotifyConfig({ query: 'tab=explain', explained: EXPLAINED });
    await shown('Lake line 1');
    await user.click(within(rowOf('Lake line 1')).getByText('Lake line 1'));
    await screen.findByText('Rules that tell of this event: 1 of 2');
    expect(address()).toBe('tab=explain&event=7');
    expect(gateway.callsOf(NOTIFY_EXPLAIN_PATH)[0]?.body).toEqual({ event: 7 });
    await screen.findByText('Speeding · Lake line 1');
    const nights = within(screen.getByLabelText('Nights'));
    nights.getByText('Matches');
    const recipients = within(nights.getByLabelText('Recipients')).getAllByRole('listitem');
    expect(recipients.map((row) => row.textContent)).toEqual([
      'Step1RecipientLin MeiSenderMail (Email)Time2026-11-23 16:30:00',
      'Step1RecipientWuSenderMail (Email)Time2026-11-24 07:00:00NoteWaits until quiet hours end',
      'Step1RecipientchenSenderMail (Email)TimeNot sentNoteNo address for this sender',
      'Step2RecipientServiceSenderDesk (Webhook)Time2026-11-23 16:30:00',
    ]);
    const video = within(screen.getByLabelText('Video'));
    video.getByText("Doesn't match");
    video.getByText('The rule is off.');
    video.getByText("The rule doesn't cover the event type.");
    // What tells of the event is read first.
    const headings = [...document.querySelectorAll('h3')].map(({ textContent }) => textContent);
    expect(headings).toEqual(['Nights', 'Video']);
  });

  test('leads to what was sent for it, and to another event', async () => {
    const { user } = await openNotifyConfig({ query: 'tab=explain&event=7', explained: EXPLAINED });
    await user.click(await screen.findByText('Show its messages'));
    await waitFor(() => expect(address()).toBe('tab=messages&event=7'));
    await user.click(screen.getByText('Explain an event'));
    await user.click(await screen.findByText('Select another event'));
    await shown('Lake line 1');
    expect(address()).toBe('tab=explain');
  });

  test('of one that is not there says so, and can be asked for again', async () => {
    watchWarnings();
    const { gateway, user } = await openNotifyConfig();
    const gone = { error: true, code: 'no-such-event', message: 'none' };
    gateway.on(`POST ${NOTIFY_EXPLAIN_PATH}`, () => json(gone, { status: 404 }));
    await user.click(screen.getByText('Explain an event'));
    await shown('Lake line 1');
    await user.click(within(rowOf('Lake line 1')).getByText('Lake line 1'));
    await screen.findByText("Event not found, or you don't have access to it.");
    gateway.on(`POST ${NOTIFY_EXPLAIN_PATH}`, () => ok(EXPLAINED));
    await user.click(screen.getByText('Try again'));
    await screen.findByText('Rules that tell of this event: 1 of 2');
  });

  test('takes the ID of an event from those who cannot list events', async () => {
    const { gateway, user } = await openNotifyConfig({
      query: 'tab=explain',
      permission: ['system', 'eventnotifyconfig'],
    });
    await enter(user, await screen.findByLabelText('Event ID'), '42');
    await user.click(screen.getByText('Explain'));
    await screen.findByText('There are no rules.');
    expect(gateway.callsOf(NOTIFY_EXPLAIN_PATH)[0]?.body).toEqual({ event: 42 });
    screen.getByText('Event 42');
  });

  test('is in the language of the user (S-1.4)', async () => {
    await openNotifyConfig({ query: 'tab=explain&event=7', locale: 'zh-TW', explained: EXPLAINED });
    await screen.findByText('規則已關閉。');
    screen.getByText('等到勿擾時段結束');
  });
});
