import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  EVENT_RULE_PREVIEW_PATH,
  EVENT_RULES_PATH,
  type RulePreviewRequest,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { openConfig, openRule, rowOf, rows, shown } from './fakeEventConfig.tsx';

const INSTALLATION = { scope: 'installation' } as const;
const NORTH = { scope: 'group', group: '1' } as const;
const IN_NORTH = { query: 'scope=group&group=1' } as const;

describe('the table of rules', () => {
  test('says of each type what holds, and what the place sets itself', async () => {
    const { rules, sockets } = await openConfig(IN_NORTH);
    await shown('Speeding');
    expect(rowOf('Speeding').textContent).toBe('SpeedingCategorySafetyStatusOnSeverityMajorThreshold100 km/h, 10 s');
    rules.set(INSTALLATION, 'speeding', { threshold: 110, popUp: true });
    rules.set(NORTH, 'idling', { enabled: false });
    sockets[0]?.open();
    sockets[0]?.changed('eventrule');
    await shown('Set here');
    expect(rowOf('Idling').textContent).toContain('StatusOff');
    expect(rowOf('Speeding').textContent).toContain('110 km/h, 10 s');
    expect(rowOf('Speeding').textContent).toContain('OriginInstallation');
    within(rowOf('Speeding')).getByTitle('Pop-up');
  });

  test('is searched and filtered', async () => {
    const { user } = await openConfig({ ...IN_NORTH, settings: [[NORTH, 'idling', { enabled: false }]] });
    await shown('Speeding');
    expect(rows()).toHaveLength(5);
    await user.selectOptions(screen.getByLabelText('Origin'), 'Set here');
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.selectOptions(screen.getByLabelText('Category'), 'Video');
    await screen.findByText('No results. Change the search or filters.');
  });

  test('is in the language of the user', async () => {
    await openConfig({ ...IN_NORTH, locale: 'jp' });
    await shown('速度超過');
    expect(rowOf('速度超過').textContent).toContain('100 km/h、10 秒');
  });

  test('turns a rule on and off, leaves what else the place sets, and says what became of it (S-1.5)', async () => {
    const { gateway, rules, user } = await openConfig({
      ...IN_NORTH,
      settings: [[NORTH, 'speeding', { threshold: 90 }]],
    });
    await shown('90 km/h');
    watchWarnings();
    const turn = async (to: 'on' | 'off') => {
      await user.click(within(rowOf('Speeding')).getByLabelText(/^More actions for/));
      await user.click(await screen.findByText(`Turn ${to} Speeding`));
    };
    rules.set(NORTH, 'speeding', { threshold: 95 });
    await turn('off');
    expect(await noticeOf(/^Another user has changed this/)).toBe('warning');
    await shown('95 km/h');
    await turn('off');
    expect(await noticeOf('Speeding turned off.')).toBe('success');
    expect(rules.own(NORTH, 'speeding')).toEqual({ threshold: 95, enabled: false });
    await waitFor(() => expect(rowOf('Speeding').textContent).toContain('StatusOff'));
    gateway.on(`PUT ${EVENT_RULES_PATH}`, () => new TypeError('away'));
    await turn('on');
    expect(await noticeOf(/^Can't reach the server/)).toBe('error');
  });

  test('removes all that the place sets, once that is confirmed', async () => {
    const settings = [[NORTH, 'speeding', { threshold: 90, popUp: true }]] as const;
    const { rules, user } = await openConfig({ ...IN_NORTH, settings });
    await shown('90 km/h');
    await user.click(within(rowOf('Speeding')).getByLabelText(/^More actions for/));
    await user.click(await screen.findByText('Inherit all settings of Speeding'));
    const asked = await dialog('Inherit all settings of Speeding?');
    await user.click(asked.getByText('Inherit all'));
    await screen.findByText('Rule saved.');
    expect(rules.own(NORTH, 'speeding')).toEqual({});
  });
});

describe('a rule', () => {
  test('says of each value where it comes from, and sets what is changed here', async () => {
    const { rules, user } = await openConfig({
      query: 'scope=group&group=3',
      settings: [
        [INSTALLATION, 'speeding', { severity: 'critical' }],
        [NORTH, 'speeding', { threshold: 110 }],
      ],
    });
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (Harbor)');
    const originOf = (field: string) =>
      form.getByLabelText(`Set here: ${field}`).previousElementSibling?.textContent ?? '';
    const threshold = form.getByLabelText(/^Threshold \(km\/h\)/);
    const origins = ['Merge window (s)', 'Severity', 'Threshold (km/h)'].map(originOf);
    expect(origins).toEqual(['Default', 'From installation', 'From group North']);
    await enter(user, threshold, '80');
    await enter(user, form.getByLabelText('Clear threshold (km/h)'), '');
    await user.click(form.getByLabelText('Pop-up'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.own({ scope: 'group', group: '3' }, 'speeding')).toEqual({
      threshold: 80,
      clearThreshold: null,
      popUp: true,
    });
  });

  test('sets a value as it is, so that it stays when the place above changes, and inherits it again', async () => {
    const { rules, user } = await openConfig({ ...IN_NORTH, settings: [[NORTH, 'speeding', { severity: 'info' }]] });
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (North)');
    await user.click(form.getByLabelText('Set here: Merge window (s)'));
    form.getByText('Set here. Inherited: 60 s');
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.own(NORTH, 'speeding')).toMatchObject({ mergeSeconds: 60 });
    await settle();
    await openRule(user, 'Speeding');
    const again = await dialog('Rule Speeding (North)');
    await user.click(again.getByLabelText('Inherit: Merge window (s)'));
    again.getByText('Inherited');
    await user.click(again.getByText('Inherit all'));
    await user.click(again.getByText('Save'));
    await waitFor(() => expect(rules.own(NORTH, 'speeding')).toEqual({}));
  });

  test('says at the field what is wrong, in the unit of the field', async () => {
    const { gateway, user } = await openConfig(IN_NORTH);
    await openRule(user, 'Idling');
    const form = await dialog('Rule Idling (North)');
    await enter(user, form.getByLabelText(/^Minimum duration \(min\)/), '0.5');
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a number from 1 to 1,440.');
    expect(gateway.callsOf(EVENT_RULES_PATH).filter(({ method }) => method === 'PUT')).toEqual([]);
    // A rule that terminals don't report has no alarm to confirm.
    expect(form.queryByLabelText('Confirm to terminal')).toBeNull();
  });

  test('of a member who may send drivers no texts leaves them as they are, or takes them away', async () => {
    const { rules, user } = await openConfig({
      ...IN_NORTH,
      permission: ['system', 'eventconfig'],
      settings: [[NORTH, 'speeding', { driverText: 'Slow down' }]],
    });
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (North)');
    const text = form.getByLabelText('Text to the driver') as HTMLInputElement;
    expect([text.value, text.disabled]).toEqual(['Slow down', true]);
    form.getByText("You don't have permission to send texts to drivers.");
    await user.click(form.getByLabelText('Inherit: Text to the driver'));
    expect((form.getByLabelText('Set here: Text to the driver') as HTMLButtonElement).disabled).toBe(true);
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.own(NORTH, 'speeding')).toEqual({});
  });

  test('that is refused says so at the field', async () => {
    const { gateway, user } = await openConfig(IN_NORTH);
    watchWarnings();
    const refusal = {
      error: true,
      code: 'bad-fields',
      message: 'fields',
      data: { fields: { mergeSeconds: 'out-of-range' } },
    };
    gateway.on(`PUT ${EVENT_RULES_PATH}`, () => json(refusal, { status: 422 }));
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (North)');
    await enter(user, form.getByLabelText(/^Merge window \(s\)/), '90');
    await user.click(form.getByText('Save'));
    await form.findByText('Out of range. Enter another value.');
  });

  test('is limited to hours, which forbidden hours need', async () => {
    const { rules, user } = await openConfig(IN_NORTH);
    await openRule(user, 'Driving in forbidden hours');
    const form = await dialog('Rule Driving in forbidden hours (North)');
    await user.click(form.getByLabelText('Enabled'));
    await user.click(form.getByText('Save'));
    await form.findByText('Add hours, or turn the rule off.');
    await user.click(form.getByText('Limit to hours'));
    await enter(user, form.getByLabelText('Start'), '22:00');
    await enter(user, form.getByLabelText('End'), '06:00');
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.own(NORTH, 'forbidden-hours')).toEqual({
      enabled: true,
      schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_320, toMinute: 360 }],
    });
  });

  test('that another administrator has changed meanwhile keeps what both want', async () => {
    const { rules, user } = await openConfig(IN_NORTH);
    watchWarnings();
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (North)');
    rules.set(NORTH, 'speeding', { threshold: 120, severity: 'critical' });
    await enter(user, form.getByLabelText(/^Threshold \(km\/h\)/), '130');
    await user.click(form.getByText('Save'));
    const conflict = await dialog('Another user changed this');
    conflict.getByText('Theirs: 120 km/h (was 100 km/h (inherited))');
    await user.click(conflict.getByText('Continue'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Rule saved.');
    expect(rules.own(NORTH, 'speeding')).toEqual({ threshold: 130, severity: 'critical' });
  });

  test('of the server itself has nothing to do at a device', async () => {
    const { user } = await openConfig();
    await openRule(user, 'Server started');
    const form = await dialog('Rule Server started (Installation)');
    form.getByLabelText('Pop-up');
    expect(form.queryByLabelText('Channels to record')).toBeNull();
    expect(form.queryByText('Preview')).toBeNull();
  });
});

describe('the preview', () => {
  test('says how many events what is typed would have raised, until something else is typed', async () => {
    const { gateway, user } = await openConfig({ query: 'scope=device&deviceid=BUS1' });
    const beginMs = Date.UTC(2026, 10, 23, 17, 30);
    const preview = { events: 12, eventsNow: 34, positions: 60_480, isPartial: false, begins: [beginMs] };
    gateway.on(`POST ${EVENT_RULE_PREVIEW_PATH}`, () => json({ error: false, data: preview }));
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (BUS1)');
    const threshold = form.getByLabelText(/^Threshold \(km\/h\)/);
    await enter(user, threshold, '120');
    await user.click(form.getByText('Show preview'));
    await form.findByText('Events in the last 7 days: 12 (now: 34)');
    form.getByText('Positions checked: 60,480');
    form.getByText('2026-11-24 01:30:00');
    const [call] = gateway.callsOf(EVENT_RULE_PREVIEW_PATH);
    expect(call?.body as RulePreviewRequest).toEqual({
      scope: 'device',
      deviceid: 'BUS1',
      type: 'speeding',
      settings: { threshold: 120 },
      device: 'BUS1',
    });
    await enter(user, threshold, '125');
    expect(form.queryByText('Positions checked: 60,480')).toBeNull();
  });

  test('needs a device and settings without faults, and says when it fails', async () => {
    const { gateway, user } = await openConfig({ query: 'scope=device&deviceid=BUS1' });
    watchWarnings();
    gateway.on(`POST ${EVENT_RULE_PREVIEW_PATH}`, () =>
      json({ error: true, code: 'no-such-device', message: 'none' }, { status: 404 }),
    );
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (BUS1)');
    const threshold = form.getByLabelText(/^Threshold \(km\/h\)/);
    const ask = form.getByText('Show preview') as HTMLButtonElement;
    await enter(user, threshold, '500');
    expect(ask.disabled).toBe(true);
    await enter(user, threshold, '120');
    await user.click(ask);
    await form.findByText("Device not found, or you don't have access to it.");
  });

  test('of other places is of a device that is selected', async () => {
    const { user } = await openConfig();
    await openRule(user, 'Speeding');
    const form = await dialog('Rule Speeding (Installation)');
    expect((form.getByText('Show preview') as HTMLButtonElement).disabled).toBe(true);
    form.getByLabelText('Device');
  });
});
