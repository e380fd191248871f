import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  NOTIFY_DRY_RUN_PATH,
  NOTIFY_RULES_PATH,
  type NotifyRule,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { SERVER_PROBLEMS } from '../../../../shared/protocol/health/healthEvents.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { NOTIFY_CHOICES, notifyRule } from '../../../support/notify/notifyRecords.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { address, ok, openNotifyConfig, rowOf, rows, shown } from './fakeNotifyConfig.tsx';

const ESCALATION = notifyRule({
  id: 2,
  name: 'Harbor',
  enabled: false,
  types: [],
  severities: ['critical'],
  deviceGroups: [4],
  coversGateway: true,
  repeatMinutes: 15,
  steps: [
    { afterMinutes: 0, deliveries: [{ sender: 1, template: 0 }], members: [1, 2, 3], roles: [], addresses: [] },
    { afterMinutes: 10, deliveries: [{ sender: 2, template: 8 }], members: [], roles: [1], addresses: [] },
    { afterMinutes: 20, deliveries: [{ sender: 3, template: 0 }], members: [], roles: [], addresses: [] },
  ],
});

async function openMenu(user: Awaited<ReturnType<typeof openNotifyConfig>>['user'], name: string): Promise<void> {
  await user.click(within(rowOf(name)).getByLabelText(/^More actions for/));
}

describe('the table of rules', () => {
  test('says in plain words who is told of what, when and by which sender (S-1.2, S-2.4.13)', async () => {
    await openNotifyConfig({ rules: [notifyRule(), ESCALATION] });
    await shown('Speeding · Critical, Major');
    expect(rowOf('Night shift').textContent).toContain('At once to Lin Mei by Mail');
    const { textContent } = rowOf('Harbor');
    expect(textContent).toContain('StatusOff');
    expect(textContent).toContain('All types · Critical');
    expect(textContent).toContain('Harbor · Server');
    expect(textContent).toContain(
      'At once to Lin Mei, chen +1 by Mail; After 10 min to Manager by Text; After 20 min by Desk; Repeats every 15 min',
    );
    // The user's zone, and the one form of dates: S-9.11.
    expect(textContent).toContain('2026-11-23 16:30:00');
  });

  test('is not there for those who may not configure notifications (S-6.2)', async () => {
    await openNotifyConfig({ permission: ['system', 'eventconfig'] });
    await screen.findByText(/^You don't have permission for this page/);
    expect(rows()).toEqual([]);
  });

  test.each([
    ['zh-TW', '立即透過 Mail 通知 Lin Mei', '新增規則'],
    ['jp', 'すぐに Lin Mei へ Mail で送信', 'ルールを追加'],
  ] as const)('is in the language of the user: %s (S-1.4)', async (locale, summary, add) => {
    await openNotifyConfig({ locale });
    await shown(summary);
    screen.getByText(add);
  });

  test('turns a rule on and off, and says what became of it (S-1.5)', async () => {
    const { rules, user } = await openNotifyConfig({ rules: [ESCALATION] });
    await shown('Harbor');
    watchWarnings();
    await openMenu(user, 'Harbor');
    await user.click(await screen.findByText('Turn on Harbor'));
    expect(await noticeOf('Harbor turned on.')).toBe('success');
    expect(rules.get(2)).toEqual({ ...ESCALATION, enabled: true, version: 2 });
    rules.set(2, { ...ESCALATION, version: 9 });
    await openMenu(user, 'Harbor');
    await user.click(await screen.findByText('Turn off Harbor'));
    expect(await noticeOf(/^Another user has changed this/)).toBe('warning');
  });

  test('deletes a rule once that is confirmed', async () => {
    const { rules, user } = await openNotifyConfig();
    await shown('Night shift');
    await openMenu(user, 'Night shift');
    await user.click(await screen.findByText('Delete Night shift'));
    const asked = await dialog('Delete Night shift?');
    await user.click(asked.getByText('Delete'));
    await screen.findByText('Rule deleted.');
    expect(rules.size).toBe(0);
  });

  test('shows the way to the senders while there is none', async () => {
    const choices = { ...NOTIFY_CHOICES, senders: [] };
    await openNotifyConfig({ rules: [], choices, permission: ['system', 'eventnotifyconfig', 'sender'] });
    await screen.findByText('No senders yet. Add one under Sender Setting.');
    expect(screen.getByText('Sender Setting').getAttribute('href')).toBe('/sender');
    await screen.findByText('No rules yet. Add one, and members are told of events.');
  });

  test('asks an administrator for a sender, of those who may not add one', async () => {
    await openNotifyConfig({ rules: [], choices: { ...NOTIFY_CHOICES, senders: [] } });
    await screen.findByText('No senders yet. Ask your administrator to add one.');
    expect(screen.queryByText('Sender Setting')).toBeNull();
  });
});

describe('the tabs', () => {
  test('stand in the address', async () => {
    const { user } = await openNotifyConfig();
    await shown('Night shift');
    await user.click(screen.getByText('Explain an event'));
    await waitFor(() => expect(address()).toBe('tab=explain'));
    await shown('Lake line 1');
    await user.click(screen.getByText('Delivery log'));
    await screen.findByText('No messages yet. They appear here when a rule tells of an event.');
    expect(address()).toBe('tab=messages');
  });
});

describe('a rule', () => {
  test('is added with what it lacks said at the fields', async () => {
    const { gateway, rules, user } = await openNotifyConfig({ rules: [] });
    await user.click(await screen.findByText('Add rule'));
    const form = await dialog('Add rule');
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a name.');
    form.getByText('Select a sender.');
    expect(gateway.callsOf(NOTIFY_RULES_PATH).filter(({ method }) => method === 'POST')).toEqual([]);
    await enter(user, form.getByLabelText(/^Name/), 'Nights');
    await user.selectOptions(form.getByLabelText(/^Sender/), 'Mail (Email)');
    await user.click(form.getByText('Save'));
    await form.findByText('Select at least one member or role, or enter an address for each sender.');
    await enter(user, form.getByLabelText('Other addresses'), 'desk@fleet.example');
    await user.click(form.getByText('Add quiet hours'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    const [added] = [...rules.values()];
    expect(added).toMatchObject({
      name: 'Nights',
      enabled: true,
      severities: ['critical', 'major'],
      quietHours: [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_320, toMinute: 420 }],
      repeatMinutes: 0,
      steps: [
        {
          afterMinutes: 0,
          deliveries: [{ sender: 1, template: 0 }],
          members: [],
          roles: [],
          addresses: ['desk@fleet.example'],
        },
      ],
    } satisfies Partial<NotifyRule>);
  });

  test('escalates: a step is added after the last, and removed', async () => {
    const { rules, user } = await openNotifyConfig();
    await user.click(await screen.findByLabelText('Edit Night shift'));
    const form = await dialog('Rule Night shift');
    expect(form.queryByLabelText('Remove step 1')).toBeNull();
    await user.click(form.getByText('Add escalation step'));
    const second = within(form.getByLabelText('Step 2'));
    await enter(user, second.getByLabelText(/^After \(min\)/), '0');
    await user.selectOptions(second.getByLabelText(/^Sender/), 'Text (SMS)');
    await user.selectOptions(second.getByLabelText('Template'), 'Short');
    await user.click(second.getByLabelText('Roles'));
    await user.click(await screen.findByText('Manager (2)'));
    await user.keyboard('{Escape}');
    await user.click(form.getByText('Save'));
    await second.findByText('Enter more than 0, the time of the step before.');
    await enter(user, second.getByLabelText(/^After \(min\)/), '10');
    await user.click(form.getByText('Add escalation step'));
    await user.click(form.getByLabelText('Remove step 3'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.get(1)?.steps[1]).toEqual({
      afterMinutes: 10,
      deliveries: [{ sender: 2, template: 8 }],
      members: [],
      roles: [1],
      addresses: [],
    });
  });

  test('says which members its senders cannot reach', async () => {
    const step = { ...(notifyRule().steps[0] as NotifyRule['steps'][number]), members: [1, 2] };
    const { user } = await openNotifyConfig({ rules: [notifyRule({ steps: [step] })] });
    await user.click(await screen.findByLabelText('Edit Night shift'));
    const form = await dialog('Rule Night shift');
    form.getByText("These senders can't reach: chen");
  });

  test('that is refused says so at the part of the step that is meant', async () => {
    const { gateway, user } = await openNotifyConfig({ rules: [ESCALATION] });
    watchWarnings();
    const fields = { 'steps.1.deliveries': 'unknown', timeZone: 'unknown' };
    const refusal = { error: true, code: 'bad-fields', message: 'fields', data: { fields } };
    gateway.on(`PUT ${NOTIFY_RULES_PATH}/2`, () => json(refusal, { status: 422 }));
    await user.click(await screen.findByLabelText('Edit Harbor'));
    const form = await dialog('Rule Harbor');
    await user.click(form.getByLabelText('Enabled'));
    await user.click(form.getByText('Save'));
    const second = within(form.getByLabelText('Step 2'));
    await second.findByText("Not found, or you don't have access to it.");
    expect(second.getByLabelText(/^Sender/).getAttribute('aria-invalid')).toBe('true');
    expect(form.getAllByText("Not found, or you don't have access to it.")).toHaveLength(2);
    // Another choice is not refused yet.
    await user.selectOptions(second.getByLabelText('Template'), 'Standard');
    expect(second.queryByText("Not found, or you don't have access to it.")).toBeNull();
  });

  test('that another member has changed meanwhile keeps what both want', async () => {
    const { rules, user } = await openNotifyConfig();
    watchWarnings();
    await user.click(await screen.findByLabelText('Edit Night shift'));
    const form = await dialog('Rule Night shift');
    rules.set(1, notifyRule({ version: 2, repeatMinutes: 30, name: 'Nights' }));
    await enter(user, form.getByLabelText(/^Repeat every/), '15');
    await user.click(form.getByText('Save'));
    const conflict = await dialog('Another user changed this');
    conflict.getByText('Theirs: 30 (was –)');
    await user.click(conflict.getByText('Continue'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.get(1)).toMatchObject({ name: 'Nights', repeatMinutes: 15, version: 3 });
  });

  test('is duplicated under another name', async () => {
    const { rules, user } = await openNotifyConfig({ rules: [ESCALATION] });
    await shown('Harbor');
    await openMenu(user, 'Harbor');
    await user.click(await screen.findByText('Duplicate Harbor'));
    const form = await dialog('Add rule');
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    const { id: _id, ...copy } = rules.get(101) as NotifyRule;
    expect(copy).toMatchObject({ name: 'Harbor (copy)', steps: ESCALATION.steps, deviceGroups: [4] });
  });
});

test('a rule for problems of the server is ready but for who is told', async () => {
  const { rules, user } = await openNotifyConfig();
  await user.click(await screen.findByText('Notify about server problems'));
  const form = await dialog('Add rule');
  await user.selectOptions(form.getByLabelText(/^Sender/), 'Mail (Email)');
  await enter(user, form.getByLabelText('Other addresses'), 'desk@fleet.example');
  await user.click(form.getByText('Save'));
  await screen.findByText('Rule saved.');
  const added = [...rules.values()].find(({ name }) => name === 'Server problems');
  expect(added).toMatchObject({ types: SERVER_PROBLEMS, severities: [], coversGateway: true, enabled: true });
});

describe('the preview of a rule', () => {
  const run = {
    events: 30,
    isCut: true,
    days: [
      { fromMs: Date.UTC(2026, 10, 22, 16), messages: 5 },
      { fromMs: Date.UTC(2026, 10, 23, 16), messages: 7 },
    ],
  };

  test('counts messages by day, until something else is typed', async () => {
    const { gateway, user } = await openNotifyConfig();
    gateway.on(`POST ${NOTIFY_DRY_RUN_PATH}`, () => ok(run));
    await user.click(await screen.findByLabelText('Edit Night shift'));
    const form = await dialog('Rule Night shift');
    await user.click(form.getByText('Preview the last 7 days'));
    await form.findByText('Messages: 12, events: 30');
    form.getByText('There were more events. Only the latest were checked.');
    form.getByText('2026-11-23: 5');
    form.getByText('2026-11-24: 7');
    const { id: _id, version: _version, changedAtMs: _at, changedBy: _by, ...rule } = notifyRule();
    expect(gateway.callsOf(NOTIFY_DRY_RUN_PATH)[0]?.body).toEqual({ rule });
    await settle();
    await enter(user, form.getByLabelText(/^Digest/), '5');
    expect(form.queryByText('Messages: 12, events: 30')).toBeNull();
  });

  test('needs a rule without faults, and says when it fails', async () => {
    const { gateway, user } = await openNotifyConfig();
    watchWarnings();
    gateway.on(`POST ${NOTIFY_DRY_RUN_PATH}`, () => new TypeError('away'));
    await user.click(await screen.findByLabelText('Edit Night shift'));
    const form = await dialog('Rule Night shift');
    const ask = form.getByText('Preview the last 7 days') as HTMLButtonElement;
    const name = form.getByLabelText(/^Name/);
    await enter(user, name, ' ');
    expect(ask.disabled).toBe(true);
    await enter(user, name, 'Nights');
    await user.click(ask);
    await form.findByText(/^Can't reach the server/);
  });
});
