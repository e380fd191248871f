import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { requestJson } from '../../../../shared/api/client.ts';
import { SIGNED_OUT } from '../../../../shared/api/parsers.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { STATUS_PATH } from '../../../support/fakes/fakeUsers.ts';

const replace = vi.fn();
const page = <Frame title="Report">{(status) => <p>{status.username}</p>}</Frame>;

beforeEach(() => {
  replace.mockClear();
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
  window.history.replaceState(null, '', '/innerpage/report.html?from=1');
});

describe('a page inside the shell', () => {
  test('has the top bar and its content in main, once it is known who is there', async () => {
    planGateway({ user: { username: 'mei' } });
    await renderPage(page);
    expect(screen.getByRole('banner')).toBeDefined();
    expect(screen.getByRole('main').textContent).toBe('Reportmei');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Report');
  });

  test('waits while nobody answers', async () => {
    watchWarnings();
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, () => new TypeError('Failed to fetch'));
    await renderPage(page);
    expect(screen.getByRole('progressbar')).toBeDefined();
  });

  test('opened alone without a session leads to sign-in and back', async () => {
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
    await renderPage(page);
    expect(replace.mock.calls).toEqual([['/innerpage/login.html?return=%2Finnerpage%2Freport.html%3Ffrom%3D1']]);
  });

  test('a call that is refused for want of a session makes it ask who is there', async () => {
    watchWarnings();
    const gateway = planGateway();
    await renderPage(page);
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
    gateway.on('GET /api/report', () => json({ error: true, code: 'not-signed-in' }, { status: 401 }));
    await act(() => requestJson('/api/report'));
    await settle();
    expect(replace).toHaveBeenCalledOnce();
  });

  test('in the shell it tells the shell instead of going away itself', async () => {
    const shell = { location: { origin: window.location.origin }, postMessage: vi.fn(), matchMedia: window.matchMedia };
    vi.spyOn(window, 'parent', 'get').mockReturnValue(shell as unknown as Window);
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
    await renderPage(page);
    expect(shell.postMessage.mock.calls).toEqual([['fleetglass:signed-out', window.location.origin]]);
    expect(replace).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
