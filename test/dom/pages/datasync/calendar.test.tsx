import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEVICE_VIEW_PATH } from '../../../../shared/protocol/api/links.ts';
import { SYNC_CALENDAR_PATH, SYNC_DAY_PATH, type SyncDay } from '../../../../shared/protocol/api/sync/sync.ts';
import type { SyncPlace } from '../../../../shared/protocol/sync/syncWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { dialog } from '../eventdefine/fakeEventDefine.ts';
import { openSync } from './fakeSync.tsx';

const DAY_MS = Date.UTC(2026, 10, 24);
const HOUR_MS = 3_600_000;
const span = (fromHour: number, toHour: number, place: SyncPlace) => ({
  fromMs: wallMs(DAY_MS + fromHour * HOUR_MS),
  toMs: wallMs(DAY_MS + toHour * HOUR_MS),
  place,
});
const DAY: SyncDay = [
  { channel: 1, spans: [span(6, 8, 'server'), span(8, 10, 'device'), span(10, 10.5, 'missing')] },
  { channel: 2, spans: [] },
];
const CALENDAR = {
  listedAtMs: wallMs(DAY_MS + 12 * HOUR_MS),
  days: [{ day: '2026-11-24', channels: [{ channel: 1, places: [2 * HOUR_MS, 2 * HOUR_MS, 0, 0, 0, HOUR_MS / 2] }] }],
};
const OPENED = { calendar: CALENDAR, day: DAY, query: 'tab=calendar&device=BUS1&month=2026-11' };

/** Keeps the windows that the page opens, by the addresses that they were sent to. */
function watchWindows() {
  const addresses: string[] = [];
  const view = { location: { replace: (address: string) => addresses.push(address) }, focus() {}, close() {} };
  const spy = vi.spyOn(window, 'open').mockReturnValue(view as unknown as Window);
  onTestFinished(() => spy.mockRestore());
  return addresses;
}

async function openDay() {
  const addresses = watchWindows();
  const opened = await openSync({ ...OPENED, query: `${OPENED.query}&day=2026-11-24` });
  opened.gateway.on(`POST ${DEVICE_VIEW_PATH}`, { error: false, data: { link: 'BUS1/mei/secret' } });
  const strip = within(await screen.findByRole('group', { name: 'Channel 1' }));
  return { ...opened, addresses, strip };
}

describe('the calendar', () => {
  test('S-1.4 S-2.4.8 says of each day of a month how much is where', async () => {
    const { gateway, user } = await openSync(OPENED);
    await screen.findByRole('region', { name: 'Calendar of 2026-11' });
    screen.getByLabelText('On the device: 2 h 00 min, On the server: 2 h 00 min, Missing: 30 min');
    screen.getByText('The device last listed its recordings at 2026-11-24 12:00:00.');
    // There is a row for each channel of the device, and one with the names of the days.
    await waitFor(() =>
      expect(within(screen.getByRole('region', { name: /^Calendar/ })).getAllByRole('row')).toHaveLength(5),
    );
    await user.click(screen.getByLabelText('Previous month'));
    await screen.findByRole('region', { name: 'Calendar of 2026-10' });
    const asked = gateway.callsOf(SYNC_CALENDAR_PATH).at(-1)?.query;
    expect(Object.fromEntries(asked ?? [])).toEqual({ deviceid: 'BUS1', month: '2026-10', timeZone: 'UTC' });
  });

  test('shows the day that is chosen, and the address keeps it', async () => {
    const { gateway, user } = await openSync(OPENED);
    await user.click(await screen.findByLabelText('Show 2026-11-24'));
    await screen.findByRole('group', { name: 'Channel 1' });
    expect(screen.queryByRole('group', { name: 'Channel 2' })).toBeNull();
    expect(gateway.callsOf(SYNC_DAY_PATH).at(-1)?.query.get('day')).toBe('2026-11-24');
    expect(new URLSearchParams(window.location.search).get('day')).toBe('2026-11-24');
    expect(screen.getByLabelText('Show 2026-11-24').getAttribute('aria-pressed')).toBe('true');
  });

  test('is of the first device until another one is chosen', async () => {
    const { gateway } = await openSync({ ...OPENED, query: 'tab=calendar&month=2026-11' });
    await waitFor(() => expect(gateway.callsOf(SYNC_CALENDAR_PATH).at(-1)?.query.get('deviceid')).toBe('BUS2'));
  });
});

describe('a span of a day', () => {
  test('plays where it is: on the server', async () => {
    const { user, addresses, strip } = await openDay();
    await user.click(strip.getByLabelText('06:00:00 – 08:00:00: On the server'));
    await waitFor(() => expect(addresses).toEqual([`/playback/BUS1/0/${(DAY_MS + 6 * HOUR_MS) / 1_000}/mei/secret`]));
  });

  test('plays where it is: on the device, an hour at most', async () => {
    const { user, addresses, strip } = await openDay();
    await user.click(strip.getByLabelText('08:00:00 – 10:00:00: On the device'));
    const fromSeconds = (DAY_MS + 8 * HOUR_MS) / 1_000;
    await waitFor(() => expect(addresses).toEqual([`/remote/BUS1@1/3600/${fromSeconds}/mei/secret`]));
  });

  test('that is missing is asked for', async () => {
    const { user, requests, addresses, strip } = await openDay();
    await user.click(strip.getByLabelText('10:00:00 – 10:30:00: Missing'));
    const form = await dialog('Fetch recordings from a device');
    await user.click(form.getByText('Fetch'));
    expect(await noticeOf('Recordings requested.')).toBe('success');
    expect(requests).toEqual([
      { deviceid: 'BUS1', channels: [1], stream: 'any', fromMs: DAY_MS + 10 * HOUR_MS, toMs: DAY_MS + 10.5 * HOUR_MS },
    ]);
    expect(addresses).toEqual([]);
  });
});
