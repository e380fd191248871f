import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeGateway } from '../../support/fakeGateway.ts';

/** The address is read once a page, so every page of this file gets its own copy of the modules. */
async function openPage(address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  const flags = await import('../../../shared/api/pageFlags.ts');
  const { requestJson } = await import('../../../shared/api/client.ts');
  return { ...flags, requestJson };
}

describe('the frame token of an address', () => {
  beforeEach(() => {
    window.history.replaceState(null, '', '/');
  });

  test('is sent with every call, also after it has left the address bar (S-7.15)', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    const page = await openPage('/innerpage/a.html?a=%20b&sid=Ab_9&c#d');
    page.removeSidFromAddress();
    await page.requestJson('/api/x');
    expect(window.location.pathname + window.location.search + window.location.hash).toBe(
      '/innerpage/a.html?a=%20b&c#d',
    );
    expect(gateway.calls[0]?.headers['connect-sid']).toBe('Ab_9');
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

  test('an address without it stays as it is, with its history state', async () => {
    const page = await openPage('/x?nontop=1');
    window.history.replaceState({ kept: 1 }, '');
    page.removeSidFromAddress();
    expect(window.location.search).toBe('?nontop=1');
    expect(window.history.state).toEqual({ kept: 1 });
    expect(page.pageFlags()).toEqual({ sid: undefined, nontop: true, controls: true });
  });
});
