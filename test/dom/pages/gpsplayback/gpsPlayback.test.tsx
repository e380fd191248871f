import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  TRACK_EXPORT_PATH,
  TRACK_LINE_PATH,
  TRACK_POINTS_PATH,
  TRACK_SUMMARY_PATH,
} from '../../../../shared/protocol/api/tracks/track.ts';
import { settle, setWindowWidth, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { trackSummary } from '../../../support/trackAnswers.ts';
import { insertText } from '../../insertText.ts';
import { address, clockText, DAY_MS, MINUTE_MS, NOW_MS, openPlayback } from './gpsPlayback.tsx';

beforeEach(() => setWindowWidth(1440));

const press = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name }));
  await settle();
};
const key = async (name: string) => {
  act(() => void fireEvent.keyDown(document.body, { key: name }));
  await settle();
};

describe('the address', () => {
  test('S-2.4.3 asks for a device first, and offers those looked at last before the others', async () => {
    await openPlayback({ query: '' });
    screen.getByText('Choose a device to see where it was.');
    await press('Devices');
    await userEvent.click(screen.getByRole('checkbox', { name: /Hill line 7/ }));
    expect(address()).toBe('device=BUS2');
    await press('Close');
    await press('Devices');
    const names = screen.getAllByRole('checkbox').map((each) => each.closest('label')?.textContent ?? '');
    expect(names[0]).toMatch(/^Hill line 7.*Recent$/);
    await insertText(userEvent, screen.getByRole('searchbox', { name: 'Search' }), 'lake kaa-bus1');
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
  });

  test('says the period and the moment, which are asked for', async () => {
    const fromMs = DAY_MS - 3_600_000;
    const atMs = DAY_MS - 60_000;
    const { gateway } = await openPlayback({ query: `device=BUS1&from=${fromMs}&to=${DAY_MS}&at=${atMs}` });
    const [call] = gateway.callsOf(TRACK_SUMMARY_PATH);
    expect(Object.fromEntries(call?.query ?? [])).toEqual({
      deviceid: 'BUS1',
      from: String(fromMs),
      to: String(DAY_MS),
    });
    expect(clockText()).toBe('2026-11-23 23:59:00');
  });

  test('is today up to now without a period, and begins where the track does', async () => {
    const { gateway } = await openPlayback();
    const [call] = gateway.callsOf(TRACK_LINE_PATH);
    expect([call?.query.get('from'), call?.query.get('to')]).toEqual([String(DAY_MS), String(NOW_MS)]);
    await waitFor(() => expect(clockText()).toBe('2026-11-24 00:05:00'));
  });

  test('follows the clock when it rests', async () => {
    await openPlayback();
    await key(']');
    await waitFor(() => expect(address()).toContain(`at=${DAY_MS + 15 * MINUTE_MS}`));
  });

  test('has several devices, one of which is chosen', async () => {
    const { gateway } = await openPlayback({ query: 'device=BUS1&device=BUS2' });
    expect(new Set(gateway.callsOf(TRACK_SUMMARY_PATH).map(({ query }) => query.get('deviceid')))).toEqual(
      new Set(['BUS1', 'BUS2']),
    );
    await press('Hill line 7');
    expect(address()).toContain('chosen=BUS2');
  });
});

describe('the lists', () => {
  test('say what the map shows, and set the clock', async () => {
    await openPlayback();
    const trips = within(screen.getByRole('list', { name: 'Trips' })).getAllByRole('button');
    expect(trips.map((each) => each.textContent)).toEqual([
      '2026-11-24 00:05:00 – 00:15:0012.3 km · 10:00 · up to 72 km/h · LinDepot → 25.10000, 121.10000',
      '2026-11-24 00:40:00 – under way12.3 km · 10:00 · up to 72 km/h · Lin25.00000, 121.00000 → 25.10000, 121.10000',
    ]);
    await userEvent.click(screen.getByRole('tab', { name: 'Stops (1)' }));
    const [stop] = within(screen.getByRole('list', { name: 'Stops' })).getAllByRole('button');
    expect(stop?.textContent).toBe(
      '1. 2026-11-24 00:15:00 – 00:40:0025:00 · 25.10000, 121.10000 · engine on for 02:00',
    );
    await userEvent.click(stop ?? expect.fail());
    expect(clockText()).toBe('2026-11-24 00:15:00');
    expect(stop?.getAttribute('aria-current')).toBe('true');
  });

  test('lead to an event', async () => {
    await openPlayback({ permissions: ['event'] });
    await userEvent.click(screen.getByRole('tab', { name: 'Events (2)' }));
    await userEvent.click(screen.getByRole('button', { name: /Emergency/ }));
    expect(clockText()).toBe('2026-11-24 00:45:00');
    expect(screen.getByRole('link', { name: 'Open event' }).getAttribute('href')).toBe('/historyevent?event=9');
  });

  test('have every position, in step with the clock', async () => {
    const { gateway } = await openPlayback();
    await userEvent.click(screen.getByRole('tab', { name: 'Points' }));
    await settle();
    expect(gateway.callsOf(TRACK_POINTS_PATH)).toHaveLength(1);
    const current = () => document.querySelector('[data-point][aria-current]')?.getAttribute('data-point');
    expect(current()).toBe(String(DAY_MS + 5 * MINUTE_MS));
    await key('.');
    expect(current()).toBe(String(DAY_MS + 6 * MINUTE_MS));
    await userEvent.click(screen.getByRole('cell', { name: '2026-11-24 00:09:00' }));
    expect(clockText()).toBe('2026-11-24 00:09:00');
  });

  test('say that there is nothing', async () => {
    await openPlayback({ summary: trackSummary() });
    screen.getByText('No trips in this period.');
  });
});

describe('the clock', () => {
  test('has the keys of playback, and those for stops and events', async () => {
    await openPlayback();
    await key('ArrowRight');
    expect(clockText()).toBe('2026-11-24 00:05:05');
    await key('}');
    expect(clockText()).toBe('2026-11-24 00:08:00');
    await key(']');
    expect(clockText()).toBe('2026-11-24 00:15:00');
    await key('{');
    expect(clockText()).toBe('2026-11-24 00:08:00');
    await key('End');
    expect(clockText()).toBe('2026-11-24 01:30:00');
    await key('Home');
    expect(clockText()).toBe('2026-11-24 00:00:00');
  });

  test('plays and pauses, and says by how much the device clock is off', async () => {
    await openPlayback();
    screen.getByText('Device clock 07:00 behind, corrected');
    await press('Play');
    await press('Pause');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '64×');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Speed' }).value).toBe('64');
  });

  test('is zoomed with slider, chart and line', async () => {
    const { gateway } = await openPlayback();
    await press('Zoom time in');
    await waitFor(() => {
      const asked = gateway.callsOf(TRACK_LINE_PATH).filter(({ query }) => query.has('degreesPerPixel'));
      const last = asked.at(-1)?.query;
      expect(Number(last?.get('to')) - Number(last?.get('from'))).toBe(45 * MINUTE_MS);
    });
  });
});

describe('the export', () => {
  test('is for those who may', async () => {
    await openPlayback();
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });

  test('asks for the time that is shown, in the user’s words', async () => {
    const { gateway } = await openPlayback({ permissions: ['export'] });
    gateway.on(`POST ${TRACK_EXPORT_PATH}`, { error: false, data: { address: '/api/download/abc' } });
    await press('Export');
    expect(screen.getAllByRole('menuitem').map((each) => each.textContent)).toEqual([
      'CSV',
      'GPX',
      'KML',
      'GeoJSON',
      'Excel (.xlsx)',
      'Video (MP4)',
    ]);
    await userEvent.click(screen.getByRole('menuitem', { name: 'GPX' }));
    await settle();
    expect(gateway.callsOf(TRACK_EXPORT_PATH).at(-1)?.body).toEqual({
      deviceid: 'BUS1',
      fromMs: DAY_MS,
      toMs: NOW_MS,
      format: 'gpx',
      language: 'en',
      timeZone: 'Asia/Taipei',
    });
  });
});

test.each([
  ['members who may fetch recordings see what has been fetched', ['datasync'], 2],
  ['others are not told of it', [], 1],
] as const)('%s', async (_who, permissions, calls) => {
  const { gateway, socket } = await openPlayback({ permissions });
  expect(gateway.callsOf(TRACK_SUMMARY_PATH)).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW_MS, shouldAdvanceTime: true });
  // However often it is told.
  for (const revision of [1, 2, 3]) socket.tell({ type: 'sync', revision, reload: true });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await settle();
  expect(gateway.callsOf(TRACK_SUMMARY_PATH)).toHaveLength(calls);
});

test('a device of others is not found', async () => {
  const warnings = watchWarnings();
  const { gateway } = await openPlayback({ query: '' });
  const gone = () => json({ error: true, code: 'no-such-device', message: 'gone' }, { status: 404 });
  for (const path of [TRACK_LINE_PATH, TRACK_SUMMARY_PATH]) gateway.on(`GET ${path}`, gone);
  await press('Devices');
  await userEvent.click(screen.getByRole('checkbox', { name: /Lake line 1/ }));
  await settle();
  await screen.findByText("Lake line 1: Device not found, or you don't have access to it.");
  expect(warnings.length).toBeGreaterThan(0);
});
