// A page's frame while the server is away, the way past the menu, and rights that are taken away while a page is open.
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
import { PageFrame } from '../../../pages/shell/PageFrame.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { MENU_PAGES } from '../../../shared/protocol/menuPages.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../support/browser/renderPage.tsx';
import { json } from '../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../support/fakes/fakeSocket.ts';
import { FULL_USER, STATUS_PATH } from '../../support/fakes/fakeUsers.ts';

const REPORT = MENU_PAGES.find(({ name }) => name === 'Report') ?? expect.fail('no page');
const frame = () => document.querySelector('iframe') ?? expect.fail('no frame');

beforeEach(() => {
  setWindowWidth(1440);
  vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  act(() => goToPage(REPORT));
});

/** What a browser gives of its own error page: nothing. */
function failToLoad(): void {
  Object.defineProperty(frame(), 'contentWindow', {
    get: () => {
      throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError');
    },
  });
  fireEvent.load(frame());
}

test('says in words that the server is away, and loads the page again by itself once it answers', async () => {
  planGateway();
  await renderPage(<PageFrame page={REPORT} query="tab=kinds" />);
  vi.useFakeTimers();
  let isAway = true;
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address);
    if (isAway) throw new TypeError('Failed to fetch');
    return new Response(null, { status: 200 });
  });
  try {
    const first = frame();
    failToLoad();
    expect(screen.getByText(/^Can't reach the server\./)).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(calls).toEqual([`${REPORT.src}?tab=kinds`]);
    expect(frame()).toBe(first);
    isAway = false;
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(frame()).not.toBe(first);
    expect(frame().getAttribute('src')).toBe(`${REPORT.src}?tab=kinds`);
    fireEvent.load(frame());
    expect(screen.queryByText(/^Can't reach the server\./)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(calls).toHaveLength(2);
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    cleanup();
  }
});

test('has a link past the menu, into the page', async () => {
  planGateway({ user: { permission: ['report'] } });
  fakeSockets();
  await renderPage(<Shell />);
  await screen.findByRole('navigation');
  const [first] = document.querySelectorAll('a, button');
  expect(first?.textContent).toBe('Skip to content');
  fireEvent.click(first ?? expect.fail('no link'));
  expect(document.activeElement).toBe(frame());
  expect(window.location.hash).toBe('');
});

test.each(['role', 'member', 'membergroup'])(
  'empties an open page as soon as a %s is edited that took the right away',
  async (kind) => {
    const gateway = planGateway({ user: { permission: ['report'] } });
    const sockets = fakeSockets();
    await renderPage(<Shell />);
    await screen.findByRole('navigation');
    await settle();
    expect(frame().getAttribute('src')).toBe(REPORT.src);
    gateway.on(`GET ${STATUS_PATH}`, () => json({ error: false, data: { ...FULL_USER, permission: [] } }));
    sockets[0]?.open();
    sockets[0]?.changed(kind);
    await settle();
    expect(document.querySelector('iframe')).toBeNull();
    expect(screen.getByText(/^You don't have permission for this page/)).toBeDefined();
  },
);
