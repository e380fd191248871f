// How many critical events wait, beside the name of the page that has them.
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
// Loaded on demand by the page; loaded here ahead, which a busy machine may take its time for.
import '../../../pages/shell/HomeTiles.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { HOME_PAGE } from '../../../shared/protocol/menuPages.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../support/browser/renderPage.tsx';
import { type FakeSocket, fakeSockets } from '../../support/fakes/fakeSocket.ts';

beforeEach(() => {
  setWindowWidth(1440);
  vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  act(() => goToPage(HOME_PAGE));
});

async function openShell(permission: readonly string[]): Promise<readonly FakeSocket[]> {
  planGateway({ user: { permission }, groups: [] });
  const sockets = fakeSockets();
  await renderPage(<Shell />);
  await screen.findByRole('navigation');
  await settle();
  return sockets;
}

const NONE = { critical: 0, major: 0, minor: 0, info: 0 };
const countsOf = (critical: number) => ({ unacknowledged: { ...NONE, critical, major: 40 }, open: NONE });
const names = () => screen.getAllByRole('link', { name: /^Today Event/ }).map((link) => link.textContent);
const entry = () => within(screen.getByRole('navigation')).getByRole('link', { name: /^Today Event/ });

test('the menu and the tile say how many critical events nobody has acknowledged', async () => {
  const [socket = expect.fail('there is no line')] = await openShell(['event']);
  socket.open();
  expect(socket.sent).toEqual([
    JSON.stringify({ type: 'watch', topics: ['changed', 'eventcounts', 'popups', 'server'] }),
  ]);
  expect(names()).toEqual(['Today Event', 'Today Event']);
  socket.tell({ type: 'snapshot', eventCounts: countsOf(3) });
  const named = /^Today Event\s*3 unacknowledged critical events$/;
  expect(screen.getAllByRole('link', { name: named })).toHaveLength(2);
  socket.tell({ type: 'changes', eventCounts: countsOf(1) });
  expect(entry().textContent).toBe('Today Event11 unacknowledged critical event');
  socket.tell({ type: 'changes', eventCounts: countsOf(250) });
  expect(entry().querySelector('[data-count]')?.textContent).toBe('99+');
  expect(screen.getAllByRole('link', { name: /250 unacknowledged critical events/ })).toHaveLength(2);
  socket.tell({ type: 'changes', eventCounts: countsOf(0) });
  expect(names()).toEqual(['Today Event', 'Today Event']);
});

test('no other page has a count', async () => {
  const [socket = expect.fail('there is no line')] = await openShell(['event', 'report']);
  socket.open();
  socket.tell({ type: 'snapshot', eventCounts: countsOf(3) });
  expect(document.querySelectorAll('[data-count]')).toHaveLength(2);
  expect(screen.queryByRole('link', { name: /^(History Event|Report).*critical/ })).toBeNull();
});

test('whoever may not see events asks for none', async () => {
  const [socket = expect.fail('there is no line')] = await openShell(['report']);
  socket.open();
  expect(socket.sent).toEqual([JSON.stringify({ type: 'watch', topics: ['changed', 'server'] })]);
});
