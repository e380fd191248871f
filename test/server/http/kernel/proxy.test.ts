import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

let test: TestApp;
afterEach(() => test.close());

const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

async function signInThroughProxy(headers: Record<string, string>) {
  await test.addUser('ann');
  const body = { username: 'ann', password: PASSWORD };
  const response = await test.request({ method: 'POST', url: '/api/user/login', body, headers });
  const [entry] = await test.stores.audit.list({ limit: 1 });
  return { cookie: response.cookies[0], status: response.statusCode, address: entry?.address };
}

describe('behind a proxy', () => {
  it('that is trusted, the visitor’s address and TLS are what the proxy says', async () => {
    test = await createTestApp({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' });
    const { cookie, address } = await signInThroughProxy({ ...forwarded, origin: 'https://gateway.test' });
    expect(address).toBe('203.0.113.9');
    expect(cookie).toMatchObject({ name: '__Host-fleetglass_sid', secure: true });
  });

  it('that is trusted, a page on plain http of the same host is another site', async () => {
    test = await createTestApp({ TRUSTED_PROXIES: 'loopback' });
    expect((await signInThroughProxy({ ...forwarded, origin: 'http://gateway.test' })).status).toBe(403);
  });

  it('that is not trusted, nothing it says is believed', async () => {
    test = await createTestApp({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const { cookie, address } = await signInThroughProxy({ ...forwarded, origin: 'https://gateway.test' });
    expect(address).toBe('127.0.0.1');
    expect(cookie).toMatchObject({ name: 'fleetglass_sid' });
    expect(cookie).not.toHaveProperty('secure');
  });
});
