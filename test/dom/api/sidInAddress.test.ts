import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { frameThisPage } from '../../support/browser/framed.ts';
import { fakeGateway, json } from '../../support/fakes/fakeGateway.ts';

/** The address is read once a page, so every page of this file gets its own copy of the modules. */
async function openPage(address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  const flags = await import('../../../shared/api/pageFlags.ts');
  const { requestJson } = await import('../../../shared/api/client.ts');
  const { signIn } = await import('../../../pages/innerpage/login/signIn.ts');
  return { ...flags, requestJson, signIn };
}

beforeEach(() => {
  window.history.replaceState(null, '', '/');
});

describe('the frame token of a framed page', () => {
  beforeEach(() => frameThisPage());

  test('is sent with every call, also after it has left the address bar (S-7.15)', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    const page = await openPage('/innerpage/a.html?a=%20b&sid=Ab_9&c#d');
    page.removeSidFromAddress();
    await page.requestJson('/api/x');
    expect(window.location.pathname + window.location.search + window.location.hash).toBe(
      '/innerpage/a.html?a=%20b&c#d',
    );
    expect(gateway.calls[0]?.headers).toEqual({ 'connect-sid': 'Ab_9', 'page-framed': '1' });
    expect(page.frameToken()).toBe('Ab_9');
    expect(page.withPageFlags('/x')).toBe('/x?sid=Ab_9');
  });

  test('leaves the address bar when it is not valid, too, and is not sent', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    const page = await openPage('/x?sid=Ab-9');
    page.removeSidFromAddress();
    await page.requestJson('/api/x');
    expect(window.location.search).toBe('');
    expect(gateway.calls[0]?.headers).toEqual({});
  });

  test('ends with signing in: neither that call nor the page behind it is the token’s', async () => {
    const gateway = fakeGateway();
    gateway.on('POST /api/user/login', { error: false, data: { login: true } });
    gateway.on('GET /api/user/status', { error: false, data: { login: true, username: 'mei' } });
    const page = await openPage('/innerpage/login.html?sid=Ab_9&nontop=1&return=%2Freport');
    const outcome = await page.signIn({ username: 'mei', password: 'right', wallMonitor: false });
    expect(outcome).toMatchObject({ kind: 'signed-in', goTo: '/report?nontop=1' });
    expect(gateway.calls.map(({ headers }) => headers['connect-sid'])).toEqual([undefined, undefined]);
  });

  test('does not stand in for a sign-in that the browser did not keep', async () => {
    const gateway = fakeGateway();
    gateway.on('POST /api/user/login', { error: false, data: { login: true } });
    gateway.on('GET /api/user/status', ({ headers }) =>
      json({ error: false, data: { login: headers['connect-sid'] === 'Ab_9' } }),
    );
    const page = await openPage('/innerpage/login.html?sid=Ab_9');
    const outcome = await page.signIn({ username: 'mei', password: 'right', wallMonitor: false });
    expect(outcome).toEqual({ kind: 'not-kept' });
  });
});

describe('the frame token of a page that nobody frames', () => {
  test('is sent with every call, too, which says that nobody frames the page; a WebSocket does not say it', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    const page = await openPage('/dashboard?sid=Ab_9&nontop=1');
    page.removeSidFromAddress();
    await page.requestJson('/api/x');
    expect(gateway.calls[0]?.headers).toEqual({ 'connect-sid': 'Ab_9', 'page-framed': '0' });
    expect(page.frameToken()).toBeUndefined();
    expect(window.location.search).toBe('?nontop=1');
    expect(page.withPageFlags('/innerpage/x.html')).toBe('/innerpage/x.html?sid=Ab_9&nontop=1');
  });

  test('is as little one of a page that another page of this site frames', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    const shell = { location: { origin: window.location.origin } };
    const before = Object.getOwnPropertyDescriptor(window, 'parent');
    Object.defineProperty(window, 'parent', { value: Object.assign(shell, { parent: shell }), configurable: true });
    onTestFinished(() => {
      if (before !== undefined) Object.defineProperty(window, 'parent', before);
    });
    const page = await openPage('/innerpage/dashboard.html?sid=Ab_9');
    await page.requestJson('/api/x');
    expect(gateway.calls[0]?.headers['page-framed']).toBe('0');
    expect(page.frameToken()).toBeUndefined();
  });

  test('an address without it stays as it is, with its history state', async () => {
    const page = await openPage('/x?nontop=1');
    window.history.replaceState({ kept: 1 }, '');
    page.removeSidFromAddress();
    expect(window.location.search).toBe('?nontop=1');
    expect(window.history.state).toEqual({ kept: 1 });
    expect(page.pageFlags()).toEqual({ sid: undefined, nontop: true, controls: true });
  });
});
