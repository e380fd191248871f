import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  ALARM_LIMITS_PATH,
  EVENT_RULE_GROUPS_PATH,
  EVENT_RULES_PATH,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { address, LIMITS, openConfig, shown } from './fakeEventConfig.tsx';

const AT_DEVICE = { query: 'scope=device&deviceid=BUS1&tab=limits' } as const;

describe('the place', () => {
  test('is the installation at first, and then a group of the tree, which the address says', async () => {
    const { gateway, user } = await openConfig();
    await shown('Speeding');
    await user.selectOptions(screen.getByLabelText('Settings of'), 'Device group');
    await screen.findByText('Select a device group.');
    expect(address()).toBe('scope=group');
    await user.click(screen.getByRole('combobox', { name: 'Device group' }));
    const options = [...document.querySelectorAll('li[role=option]')].map((option) => option.textContent);
    expect(options).toEqual(['North', 'Harbor', 'South']);
    await user.click(screen.getByRole('option', { name: 'Harbor' }));
    await shown('Speeding');
    expect(address()).toBe('scope=group&group=3');
    expect(Object.fromEntries(gateway.callsOf(EVENT_RULES_PATH).at(-1)?.query ?? [])).toEqual({
      scope: 'group',
      group: '3',
    });
    act(() => {
      window.history.replaceState(null, '', '?');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Device group' })).toBeNull());
  });

  test('is a device, with its limits beside its rules', async () => {
    const { sockets, user } = await openConfig({ query: 'scope=device' });
    await screen.findByText('Select a device.');
    const device = { id: 'BUS1', name: 'Hill line 7', plate: 'ABC-1', group: 3, groupName: 'Harbor' };
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'snapshot', devices: [device] });
    await user.click(screen.getByRole('combobox', { name: 'Device' }));
    await user.click(await screen.findByRole('option', { name: 'Hill line 7 (ABC-1)' }));
    await shown('Speeding');
    await user.click(screen.getByRole('tab', { name: 'Device limits' }));
    await screen.findByText('The terminal reports other limits. Send them again.');
    expect(address()).toBe('scope=device&deviceid=BUS1&tab=limits');
  });

  test('is not asked of those who may not configure events', async () => {
    const { gateway } = await openConfig({ permission: ['system', 'eventdefine'] });
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect([...gateway.callsOf(EVENT_RULES_PATH), ...gateway.callsOf(EVENT_RULE_GROUPS_PATH)]).toEqual([]);
  });
});

describe('the limits of a device', () => {
  test('are shown as they were set and as the terminal reports them', async () => {
    await openConfig(AT_DEVICE);
    await screen.findByText('Terminal online');
    screen.getByText('Set by mei: 2026-11-24 01:30:00');
    screen.getByText('Last report: 2026-11-24 01:31:00');
    const textOf = (name: string) => screen.getByRole('region', { name }).textContent;
    expect(textOf('Speed limit (km/h)')).toBe('Speed limit (km/h)DiffersSet80Reported90');
    expect(textOf('Continuous driving (min)')).toBe('Continuous driving (min)Set–Reported240');
    expect(textOf('Alarms turned off')).toBe('Alarms turned offSetSpeedingReportedSpeeding');
  });

  test.each([
    ['waiting', 'Waiting to be sent to the terminal.'],
    ['confirmed', 'The terminal uses these limits.'],
    ['refused', 'The terminal rejected the limits. Check them and send them again.'],
  ])('say that they are %s: %s', async (state, text) => {
    const { gateway, user } = await openConfig(AT_DEVICE);
    const changed = json({ error: false, data: { ...LIMITS, state } });
    for (const method of ['GET', 'PUT']) gateway.on(`${method} ${ALARM_LIMITS_PATH}`, () => changed.clone());
    await user.click(await screen.findByText('Edit limits'));
    const form = await dialog('Device limits of BUS1');
    await enter(user, form.getByLabelText('Minimum rest (min)'), '20');
    await user.click(form.getByText('Send'));
    await screen.findByText(text);
  });

  test('are changed and sent, alarms by their names', async () => {
    const { gateway, user } = await openConfig(AT_DEVICE);
    gateway.on(`PUT ${ALARM_LIMITS_PATH}`, () => json({ error: false, data: { ...LIMITS, state: 'waiting' } }));
    await user.click(await screen.findByText('Edit limits'));
    const form = await dialog('Device limits of BUS1');
    await enter(user, form.getByLabelText('Minimum rest (min)'), '2000');
    await user.click(form.getByText('Send'));
    await form.findByText('Enter a number from 0 to 1,440.');
    await enter(user, form.getByLabelText('Minimum rest (min)'), '20');
    const key = within(form.getByRole('group', { name: 'Key alarms' }));
    await user.click(key.getByLabelText('Emergency (SOS)'));
    await user.click(key.getByLabelText('Dangerous driving / Danger warning'));
    await user.click(form.getByText('Send'));
    await screen.findByText('Limits saved.');
    const call = gateway.callsOf(ALARM_LIMITS_PATH).find(({ method }) => method === 'PUT');
    expect(call?.body).toEqual({
      deviceid: 'BUS1',
      version: 3,
      limits: { maxSpeedKmh: 80, maskedAlarms: 2, restSeconds: 1_200, keyAlarms: 9 },
    });
  });

  test('that another administrator has changed meanwhile are compared, and an emptied one is taken out', async () => {
    const { gateway, user } = await openConfig(AT_DEVICE);
    const sent: unknown[] = [];
    const current = {
      ...LIMITS,
      version: 4,
      by: 'bob',
      state: 'refused',
      wanted: { maxSpeedKmh: 70, maskedAlarms: 2 },
    };
    gateway.on(`PUT ${ALARM_LIMITS_PATH}`, ({ body }) => {
      sent.push(body);
      const refused = { error: true, code: 'conflict', message: 'Changed.', data: { current } };
      return sent.length === 1 ? json(refused, { status: 409 }) : json({ error: false, data: current });
    });
    await user.click(await screen.findByText('Edit limits'));
    const form = await dialog('Device limits of BUS1');
    await user.clear(form.getByLabelText('Speed limit (km/h)'));
    await user.click(form.getByText('Send'));
    const conflict = await dialog('Another user changed this');
    conflict.getByLabelText('Yours: –');
    conflict.getByLabelText('Theirs: 70 (was 80)');
    await user.click(conflict.getByText('Continue'));
    await user.click(form.getByText('Send'));
    await screen.findByText('Limits saved.');
    const limits = { maxSpeedKmh: null, maskedAlarms: 2 };
    expect(sent).toEqual([
      { deviceid: 'BUS1', version: 3, limits },
      { deviceid: 'BUS1', version: 4, limits },
    ]);
  });
});
