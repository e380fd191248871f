import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { DEVICE_GROUPS_PATH } from '../../../../shared/protocol/api/deviceGroups.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { settle } from '../../../support/browser/renderPage.tsx';
import { aSyncRule } from '../../../support/sync/syncAnswers.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { ok, openSync, rowOf } from './fakeSync.tsx';

const OPENED = { query: 'tab=rules' };

describe('rules', () => {
  test('S-1.4 S-2.4.8 say what they fetch, of which devices and over which networks', async () => {
    const rules = [
      aSyncRule(),
      aSyncRule({ id: 5, name: 'Alarms', choice: 'alarms', enabled: false, devices: ['BUS1'] }),
    ];
    await openSync({ ...OPENED, rules });
    const first = (await rowOf('Depot at night')).textContent;
    expect(first).toContain('StatusOn');
    expect(first).toContain("Gaps in the server's recordings");
    expect(first).toContain('DevicesAll');
    expect(first).toContain('Wi-Fi, LAN');
    expect(first).toContain('Open12');
    const second = (await rowOf('Alarms')).textContent;
    expect(second).toContain('StatusOff');
    expect(second).toContain('Groups: 0, devices: 1');
  });

  test('S-1.5 are checked, and added as they were filled in', async () => {
    const { rules, user } = await openSync({ ...OPENED, rules: [] });
    await user.click((await screen.findAllByText('Add rule'))[0] ?? expect.fail('no button'));
    const form = await dialog('Add rule');
    await enter(user, form.getByLabelText(/^Days back/), '91');
    await user.click(form.getByLabelText('Wi-Fi'));
    await user.click(form.getByLabelText('LAN'));
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a name.');
    form.getByText('Enter a whole number from 1 to 90.');
    form.getByText('Select at least one network.');
    expect(rules).toEqual([]);
    await enter(user, form.getByLabelText(/^Name/), 'Alarms of a week');
    await enter(user, form.getByLabelText(/^Days back/), '7');
    await user.click(form.getByLabelText('Mobile network'));
    await user.selectOptions(form.getByLabelText('What'), 'Recordings with alarms');
    form.getByText('Recordings that the device itself marks with an alarm.');
    await enter(user, form.getByLabelText('Data a day (MB)'), '200');
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Rule saved.')).toBe('success');
    expect(rules).toMatchObject([
      {
        name: 'Alarms of a week',
        choice: 'alarms',
        daysBack: 7,
        wifi: false,
        lan: false,
        mobile: true,
        megabytesADay: 200,
      },
    ]);
  });

  test('are for groups that hold only groups too, and for every channel that a device can have', async () => {
    const { gateway, user } = await openSync({ ...OPENED, permission: ['datasync', 'devicegroup'], rules: [] });
    const group = { version: 1, devices: 0, owned: true };
    const groups = [
      { ...group, id: 3, name: 'Coast', parent: null },
      { ...group, id: 4, name: 'Lake', parent: 3 },
    ];
    gateway.on(`GET ${DEVICE_GROUPS_PATH}`, () => ok({ memberGroup: null, groups, ungrouped: 0 }));
    await user.click((await screen.findAllByText('Add rule'))[0] ?? expect.fail('no button'));
    const form = await dialog('Add rule');
    await user.click(form.getByLabelText(/^Device groups/));
    await screen.findByRole('option', { name: 'Coast' });
    screen.getByRole('option', { name: 'Coast / Lake' });
    await user.click(form.getByLabelText(/^Channels/));
    await screen.findByRole('option', { name: '32' });
  });

  test('S-1.5 that somebody else has changed are compared', async () => {
    const { rules, user, tellFleet } = await openSync(OPENED);
    await rowOf('Depot at night');
    await user.click(screen.getByLabelText('Edit Depot at night'));
    const form = await dialog('Rule Depot at night');
    tellFleet();
    const named = { devices: ['BUS2'], deviceGroups: [4], eventTypes: ['speeding'] };
    rules[0] = aSyncRule({ version: 2, concurrency: 40, choice: 'events', ...named });
    await enter(user, form.getByLabelText(/^Days back/), '10');
    await user.click(form.getByText('Save'));
    const compared = await dialog('Another user changed this');
    compared.getByText('Devices at a time');
    for (const name of ['Hill line 7 (KAA-2)', 'Lake', 'Speeding']) compared.getByText(`Theirs: ${name} (was –)`);
    await user.click(compared.getByText('Continue'));
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Rule saved.')).toBe('success');
    expect(rules[0]).toMatchObject({ concurrency: 40, daysBack: 10, version: 3 });
  });

  test('S-1.5 are deleted after a question', async () => {
    const { rules, user } = await openSync(OPENED);
    await rowOf('Depot at night');
    await user.click(screen.getByLabelText('Delete Depot at night'));
    const asked = await dialog('Delete Depot at night?');
    expect(rules).toHaveLength(1);
    await user.click(asked.getByText('Delete'));
    expect(await noticeOf('Rule deleted.')).toBe('success');
    expect(rules).toEqual([]);
    await settle();
  });
});
