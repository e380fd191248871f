// Events over whatever page is open.
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
// Loaded on demand by the page; loaded here ahead, which a busy machine may take its time for.
import '../../../pages/shell/HomeTiles.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import type { EventPopUp } from '../../../shared/protocol/api/liveUpdates.ts';
import { HOME_PAGE, pageAtAddress } from '../../../shared/protocol/menuPages.ts';
import { recheckSession } from '../../../shared/ui/session.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../support/browser/renderPage.tsx';
import { type FakeSocket, fakeSockets } from '../../support/fakes/fakeSocket.ts';

beforeEach(() => {
  setWindowWidth(1440);
  vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  act(() => goToPage(HOME_PAGE));
});

const USER = { permission: ['event'], timezone: 'Asia/Taipei', membergroup: 1 };

async function openShell(): Promise<FakeSocket> {
  planGateway({ user: USER, groups: [] });
  const sockets = fakeSockets();
  await renderPage(<Shell />);
  await screen.findByRole('navigation');
  await settle();
  const [socket = expect.fail('there is no line')] = sockets;
  socket.open();
  return socket;
}

const popUp = (id: number, fields: Partial<EventPopUp> = {}): EventPopUp => ({
  id,
  builtInName: 'Emergency (SOS)',
  ...{ nameEn: '', nameZh: '', nameJp: '' },
  severity: 'critical',
  deviceName: `Line ${id}`,
  plate: 'KAA-1',
  beginAtMs: Date.UTC(2026, 10, 23, 8, 30, 5),
  ...fields,
});
const tell = (socket: FakeSocket, ...popUps: readonly unknown[]) => socket.tell({ type: 'popups', popUps });
const corner = () => screen.getByRole('log', { name: 'New events' });
const shown = () =>
  within(corner())
    .queryAllByText(/^Line/)
    .map(({ textContent }) => textContent);

test('an event says what happened, where and when, and leads to itself', async () => {
  const socket = await openShell();
  expect(shown()).toEqual([]);
  tell(socket, popUp(7));
  expect(corner().textContent).toContain('Emergency (SOS)');
  expect(shown()).toEqual(['Line 7 · KAA-1 · 16:30:05']);
  const link = within(corner()).getByRole('link', { name: 'Show event' });
  expect(link.getAttribute('href')).toBe('/historyevent?event=7');
  await userEvent.click(link);
  expect(window.location.pathname + window.location.search).toBe('/historyevent?event=7');
  expect(shown()).toEqual([]);
});

test('the name is the one that an administrator has given', async () => {
  const socket = await openShell();
  tell(socket, popUp(1, { nameEn: 'Panic button' }), popUp(2, { builtInName: '', nameEn: 'Tail lift <b>' }));
  expect(corner().textContent).toContain('Panic button');
  expect(corner().textContent).toContain('Tail lift <b>');
});

test('three are shown, the newest first; all others are counted, and all closed at once', async () => {
  const socket = await openShell();
  tell(socket, popUp(1), popUp(2));
  tell(socket, popUp(3), popUp(4), popUp(5));
  expect(shown().map((text) => text?.slice(0, 6))).toEqual(['Line 5', 'Line 4', 'Line 3']);
  await userEvent.click(within(corner()).getAllByRole('button', { name: 'Close Emergency (SOS)' })[0] ?? corner());
  expect(shown().map((text) => text?.slice(0, 6))).toEqual(['Line 4', 'Line 3']);
  await userEvent.click(within(corner()).getByRole('button', { name: 'Close all (earlier events: 2)' }));
  expect(shown()).toEqual([]);
});

test('Today Event shows them all anyway', async () => {
  const socket = await openShell();
  const today = pageAtAddress('/todayevent');
  act(() => goToPage(today ?? expect.fail('there is no such page')));
  tell(socket, popUp(1));
  expect(shown()).toEqual([]);
  act(() => goToPage(HOME_PAGE));
  tell(socket, popUp(2));
  await waitFor(() => expect(shown().map((text) => text?.slice(0, 6))).toEqual(['Line 2']));
});

test('a change of the member group takes those of the one before away, and counts anew', async () => {
  const socket = await openShell();
  const none = { critical: 0, major: 0, minor: 0, info: 0 };
  const count = (critical: number) => ({ unacknowledged: { ...none, critical }, open: none });
  socket.tell({ type: 'snapshot', eventCounts: count(3) });
  tell(socket, popUp(1));
  planGateway({ user: { ...USER, membergroup: 2 }, groups: [] });
  await act(recheckSession);
  expect(shown()).toEqual([]);
  socket.tell({ type: 'snapshot', eventCounts: count(1) });
  expect(screen.getAllByRole('link', { name: /1 unacknowledged critical event$/ })).toHaveLength(2);
  tell(socket, popUp(2));
  expect(shown().map((text) => text?.slice(0, 6))).toEqual(['Line 2']);
});

test('what is no event of ours breaks nothing', async () => {
  const socket = await openShell();
  tell(socket, null, 'x', { id: 'y', severity: 'worst', deviceName: 5 });
  socket.tell({ type: 'popups', popUps: 'none' });
  expect(corner()).not.toBeNull();
});
