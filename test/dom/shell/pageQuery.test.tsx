// What a framed page shows stands in the shell's address: the page says it, a deep link and Back bring it back.
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
import '../../../pages/shell/HomeTiles.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { HOME_PAGE } from '../../../shared/protocol/menuPages.ts';
import { type ChangedQuery, QUERY_CHANGED_EVENT } from '../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../support/browser/renderPage.tsx';

beforeEach(() => {
  setWindowWidth(1440);
  act(() => goToPage(HOME_PAGE));
});

/** Changes the address as Back and Forward do, and as a link does at the start. */
async function arriveAt(address: string): Promise<void> {
  window.history.pushState(null, '', address);
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await settle();
}

async function openShell(address: string): Promise<void> {
  planGateway();
  await renderPage(<Shell />);
  await screen.findByRole('navigation');
  await arriveAt(address);
}

async function change(detail: unknown): Promise<void> {
  act(() => void window.dispatchEvent(new CustomEvent(QUERY_CHANGED_EVENT, { detail })));
  await settle();
}

const frame = () => document.querySelector('iframe');
const address = () => window.location.pathname + window.location.search;
const say = (query: string, how: ChangedQuery['change']) => change({ query, change: how });

test('a link says what the page in the frame shows, and never in which session', async () => {
  await openShell('/historyevent?types=speeding,fatigue&sid=stolen&s%69d=stolen&nontop=1');
  expect(frame()?.getAttribute('src')).toBe('/innerpage/historyevent.html?types=speeding,fatigue');
});

test('the address follows the page, which stays; Back is one step for each change that asks for one', async () => {
  await openShell('/historyevent');
  const first = frame();
  const entries = window.history.length;
  await say('types=speeding', 'push');
  expect(address()).toBe('/historyevent?types=speeding');
  expect(window.history.length).toBe(entries + 1);
  await say('types=fatigue', 'replace');
  expect([address(), window.history.length]).toEqual(['/historyevent?types=fatigue', entries + 1]);
  await say('', 'push');
  expect(address()).toBe('/historyevent');
  expect(frame()).toBe(first);
});

test.each([
  null,
  'types=speeding',
  { query: 'types=speeding' },
  { query: 5, change: 'push' },
  { query: 'a=b', change: 'go' },
])('what is no query of a page changes nothing: %j', async (detail) => {
  await openShell('/historyevent');
  await change(detail);
  expect(address()).toBe('/historyevent');
});

test('Back loads a page again that does not follow its query by itself', async () => {
  await openShell('/historyevent?types=speeding');
  const first = frame();
  await arriveAt('/historyevent?types=idling');
  expect(frame()).not.toBe(first);
  expect(frame()?.getAttribute('src')).toBe('/innerpage/historyevent.html?types=idling');
});

test('the menu leads to the page as it is at first', async () => {
  await openShell('/historyevent?types=speeding');
  const entries = window.history.length;
  act(() => goToPage({ ...HOME_PAGE, src: '/innerpage/historyevent.html' }));
  expect([address(), window.history.length]).toEqual(['/historyevent', entries + 1]);
  expect(frame()?.getAttribute('src')).toBe('/innerpage/historyevent.html');
});
