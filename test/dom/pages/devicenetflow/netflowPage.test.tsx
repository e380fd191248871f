import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NetflowPage } from '../../../../pages/innerpage/devicenetflow/NetflowPage.tsx';
import {
  NETFLOW_DEVICES_PATH,
  NETFLOW_USE_PATH,
  type NetflowDevice,
  SIM_PLANS_PATH,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { aDevice, aPlan, keepNetflow, kindBytes } from './fakeNetflow.ts';

const MB = 1_000_000;
const HOUR_MS = 3_600_000;
const OVER = aDevice({
  deviceid: 'BUS2',
  name: '',
  plate: '',
  receivedBytes: 3_100 * MB,
  sentBytes: 0,
  isLimited: true,
  simIccid: '8986001',
});
const FREE = aDevice({
  deviceid: 'BUS3',
  name: 'Lake line 3',
  plan: 0,
  planName: '',
  planBytes: 0,
  forecastBytes: null,
  action: 'none',
});

/** A window of a phone: there the grid shows every row, as it needs no measure of its box. */
function onPhone() {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  setPageQuery('', 'replace');
}

interface SetUp {
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly permission?: string[];
  readonly devices?: readonly NetflowDevice[];
  readonly timezone?: string;
}

async function openPage(setUp: SetUp = {}) {
  const { locale = 'en', permission = ['netflow'], devices = [aDevice(), OVER, FREE], timezone = 'UTC' } = setUp;
  onPhone();
  const gateway = planGateway({ user: { permission, timezone } });
  fakeSockets();
  const kept = keepNetflow(gateway, devices, [aPlan()]);
  await renderPage(<NetflowPage />, locale);
  return { gateway, ...kept, user: userEvent.setup() };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const shown = (text: string) => waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

async function menuOf(user: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  const row = rows().find((each) => each.textContent?.startsWith(name)) ?? expect.fail(`no ${name}`);
  await user.click(within(row).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText(action));
}

describe('the use of devices', () => {
  test('S-1.4 says how much of its plan each has used, what is to come, and what limits it', async () => {
    await openPage();
    await shown('Lake line 3');
    const texts = rows().map((row) => row.textContent);
    expect(texts[0]).toContain('2.5 GB of 3.0 GB (85 %)');
    expect(texts[0]).toContain('Forecast4.1 GB');
    expect(texts[1]).toContain('3.1 GB of 3.0 GB (103 %)');
    expect(texts[1]).toContain('LimitSub stream only');
    expect(texts[2]).toContain('This period2.5 GB');
    expect(texts[2]).not.toContain('%');
  });

  test('is over time a chart or the same in numbers, by kind', async () => {
    const { user } = await openPage();
    await screen.findByText('Total: 120 MB');
    await user.click(screen.getByText('Table'));
    const table = within(await screen.findByRole('region', { name: 'Usage by kind: This month' }));
    expect(table.getAllByRole('columnheader').map((each) => each.textContent)).toEqual([
      'Time',
      'Total',
      'Positions',
      'Live video',
      'Data sync',
    ]);
  });

  test('has two rows for the hour that a day has twice', async () => {
    const { gateway, user } = await openPage({ timezone: 'Asia/Kolkata' });
    await screen.findByText('Total: 120 MB');
    // Whichever day it is: half of its first hour is of the day before, and half of its last one of the day after.
    gateway.on(`GET ${NETFLOW_USE_PATH}`, ({ query }) => {
      const fromMs = Number(query.get('fromMs'));
      const steps = [fromMs, fromMs + 24 * HOUR_MS].map((atMs) => ({
        fromMs: wallMs(atMs),
        kinds: kindBytes({ live: 5 }),
      }));
      return json({ error: false, data: { steps, top: [] } });
    });
    await user.selectOptions(screen.getByLabelText('Period'), 'Today');
    // All the bars of the chart, which would complain of two at one place.
    await screen.findByText('Total: 10.0 MB');
    await user.click(screen.getByText('Table'));
    const table = within(await screen.findByRole('region', { name: 'Usage by kind: Today' }));
    expect(table.getAllByRole('rowheader').map((each) => each.textContent)).toEqual(['23:30', '23:30']);
  });

  test('asks for other times, and for devices near their limit alone', async () => {
    const { gateway, user } = await openPage();
    await shown('Lake line 3');
    await user.selectOptions(screen.getByLabelText('Period'), '12 months');
    await waitFor(() => expect(gateway.callsOf(NETFLOW_USE_PATH).at(-1)?.query.get('step')).toBe('month'));
    await user.selectOptions(screen.getByLabelText('Data plan'), 'Near the limit');
    await waitFor(() => expect(gateway.callsOf(NETFLOW_DEVICES_PATH).at(-1)?.query.get('plan')).toBe('near'));
  });

  test('S-1.4 is in the language of the user', async () => {
    await openPage({ locale: 'jp' });
    await shown('サブストリームのみ');
    await openPage({ locale: 'zh-TW' });
    await shown('僅子串流');
  });

  test('is not there for those who may not see it', async () => {
    const { gateway } = await openPage({ permission: ['event'] });
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect(gateway.callsOf(NETFLOW_DEVICES_PATH)).toEqual([]);
  });

  test('shows a device hour by hour, both ways', async () => {
    const { user } = await openPage();
    await shown('Lake line 3');
    await user.click(screen.getByLabelText('Hours of Lake line 1'));
    const hours = await dialog('Lake line 1');
    await hours.findByText('70.0 MB');
    hours.getByText('4.0 MB');
  });

  test('stores a SIM with its plan (S-1.5)', async () => {
    const { sims, user } = await openPage();
    await shown('Lake line 3');
    await menuOf(user, 'Lake line 3', 'SIM and data plan of Lake line 3');
    const form = await dialog('SIM and data plan of Lake line 3');
    await form.findByText('The device reports 89860012345678901234.');
    await waitFor(() => form.getByText('Bus 3 GB'));
    await user.selectOptions(form.getByLabelText('Data plan'), 'Bus 3 GB');
    await enter(user, form.getByLabelText('SIM expires'), '2027-02-30');
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a date, such as 2027-01-31.');
    await enter(user, form.getByLabelText('SIM expires'), '2027-02-28');
    await enter(user, form.getByLabelText('SIM number'), '+886912345678');
    await user.click(form.getByText('Save'));
    expect(await noticeOf('SIM saved.')).toBe('success');
    expect(sims).toEqual([
      { deviceid: 'BUS3', version: 0, number: '+886912345678', iccid: '', plan: 1, expiryDay: '2027-02-28' },
    ]);
  });

  test('keeps the plan that a device brought from another member group, and can take it away', async () => {
    const { gateway, sims, user } = await openPage({ devices: [aDevice({ plan: 9, planName: 'Northern fleet' })] });
    await shown('Lake line 1');
    await menuOf(user, 'Lake line 1', 'SIM and data plan of Lake line 1');
    const form = await dialog('SIM and data plan of Lake line 1');
    const plan = form.getByLabelText<HTMLSelectElement>('Data plan');
    await waitFor(() => expect(plan.textContent).toContain('Bus 3 GB'));
    expect(plan.selectedOptions[0]?.textContent).toBe('Northern fleet');
    expect(gateway.callsOf(SIM_PLANS_PATH).at(-1)?.query.get('limit')).toBe('200');
    await user.selectOptions(plan, 'None');
    await user.click(form.getByText('Save'));
    expect(await noticeOf('SIM saved.')).toBe('success');
    expect(sims).toMatchObject([{ deviceid: 'BUS1', plan: 0 }]);
  });

  test('lifts a limit with a reason (S-1.5)', async () => {
    const { lifts, user } = await openPage();
    await shown('Lake line 3');
    await menuOf(user, 'BUS2', 'Lift the limit of BUS2');
    const asked = await dialog('Lift the limit of BUS2?');
    await user.click(asked.getByText('Lift'));
    await asked.findByText('Enter a reason.');
    expect(lifts).toEqual([]);
    await enter(user, asked.getByLabelText(/^Reason/), 'Accident');
    await user.selectOptions(asked.getByLabelText('For'), '4 h');
    await user.click(asked.getByText('Lift'));
    expect(await noticeOf('Limit lifted.')).toBe('success');
    expect(lifts).toEqual([{ deviceid: 'BUS2', hours: 4, reason: 'Accident' }]);
  });
});

describe('data plans', () => {
  test('are added, changed and deleted', async () => {
    const { plans, user } = await openPage();
    await user.click(await screen.findByRole('tab', { name: 'Data plans' }));
    await user.click(await screen.findByText('Add data plan'));
    const form = await dialog('Add data plan');
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a name.');
    form.getByText('Enter a whole number of at least 1.');
    await enter(user, form.getByLabelText(/^Name/), 'Van 500 MB');
    await enter(user, form.getByLabelText(/^Size/), '500');
    await user.selectOptions(form.getByLabelText('When used up'), 'No video');
    form.getByText(/^No video passes, not even of events\./);
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Data plan saved.')).toBe('success');
    expect(plans[1]).toMatchObject({
      name: 'Van 500 MB',
      megabytes: 500,
      resetDay: 1,
      timeZone: 'UTC',
      action: 'no-video',
    });
    await settle();
    await user.click(screen.getByLabelText('Delete Bus 3 GB'));
    await user.click((await dialog('Delete Bus 3 GB?')).getByText('Delete'));
    expect(await noticeOf('Data plan deleted.')).toBe('success');
    expect(plans.map(({ name }) => name)).toEqual(['Van 500 MB']);
  });

  test('that somebody else has changed are compared', async () => {
    const { plans, user } = await openPage();
    await user.click(await screen.findByRole('tab', { name: 'Data plans' }));
    await user.click(await screen.findByLabelText('Edit Bus 3 GB'));
    const form = await dialog('Data plan Bus 3 GB');
    plans[0] = aPlan({ version: 2, megabytes: 5_000 });
    await enter(user, form.getByLabelText('Price'), 'NT$ 399');
    await user.click(form.getByText('Save'));
    const compared = await dialog('Another user changed this');
    compared.getByText('Size (MB)');
    await user.click(compared.getByText('Continue'));
    await user.click(form.getByText('Save'));
    expect(await noticeOf('Data plan saved.')).toBe('success');
    expect(plans[0]).toMatchObject({ megabytes: 5_000, price: 'NT$ 399', version: 3 });
  });
});

test('a lift that lasts is told, with who did it', async () => {
  onPhone();
  const gateway = planGateway({ user: { permission: ['netflow'], timezone: 'UTC' } });
  fakeSockets();
  const untilMs = wallMs(Date.now() + 3_600_000);
  keepNetflow(gateway, [aDevice({ liftedUntilMs: untilMs, liftedBy: 'ann', isLimited: false })], []);
  await renderPage(<NetflowPage />, 'en');
  await waitFor(() =>
    expect(rows()[0]?.textContent).toMatch(/LimitLifted until \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} by ann/),
  );
});
