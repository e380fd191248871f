import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getUserStatus, logIn, logOut } from '../../../shared/api/accounts/user.ts';
import { requestJson, setUnauthorisedHandler } from '../../../shared/api/client.ts';
import { getDevice } from '../../../shared/api/devices/device.ts';
import { playRemote } from '../../../shared/api/recordings/remotePlayback.ts';
import { getServerInfo, putOwnMemberGroup } from '../../../shared/api/system.ts';
import { wallSeconds } from '../../../shared/protocol/time.ts';
import { watchWarnings } from '../../support/browser/renderPage.tsx';
import { fakeGateway, json } from '../../support/fakes/fakeGateway.ts';

describe('a call', () => {
  test('sends its query encoded and its body as JSON', async () => {
    const gateway = fakeGateway();
    gateway.on('PUT /api/x', { error: false, data: 7 });

    const result = await requestJson('/api/x', { method: 'PUT', query: { a: 'ü&', b: null }, body: { c: [1] } });

    expect(result).toEqual({ ok: true, value: 7 });
    expect(gateway.calls[0]).toMatchObject({ body: { c: [1] }, headers: { 'content-type': 'application/json' } });
    expect([...(gateway.calls[0]?.query ?? [])]).toEqual([['a', 'ü&']]);
  });

  test('a page without sid in its address sends no Connect-Sid', async () => {
    const gateway = fakeGateway();
    gateway.on('GET /api/x', { error: false });
    await requestJson('/api/x');
    expect(gateway.calls[0]?.headers).toEqual({});
  });

  test('a reset connection is a value with the browsers own text, logged once without the query (S-8.3, S-8.9)', async () => {
    const warnings = watchWarnings();
    const gateway = fakeGateway();
    gateway.on('GET /api/device/device', () => new TypeError('Failed to fetch'));

    const result = await getDevice({ username: 'u', credential: 'S3cret', deviceid: 'D' });

    expect(result).toEqual({ ok: false, kind: 'network', message: 'Failed to fetch' });
    expect(warnings).toEqual(['GET /api/device/device failed: Failed to fetch']);
  });

  test('an error answer is logged once, without credentials', async () => {
    const warnings = watchWarnings();
    const gateway = fakeGateway();
    gateway.on('GET /api/device/device', () => json({ error: true, message: 'E-77' }, { status: 403 }));

    const result = await getDevice({ username: 'u', credential: 'S3cret', deviceid: 'D' });

    expect(result).toEqual({ ok: false, kind: 'http', status: 403, message: 'E-77' });
    expect(warnings).toEqual(['GET /api/device/device failed: 403 E-77']);
  });

  test('a call that the page itself gave up is neither a failure nor logged', async () => {
    const warnings = watchWarnings();
    const gateway = fakeGateway();
    gateway.on(
      'GET /api/x',
      (call) =>
        new Promise((resolve) => {
          call.signal?.addEventListener('abort', () => resolve(new DOMException('aborted', 'AbortError')));
        }),
    );
    const abort = new AbortController();
    const pending = requestJson('/api/x', { signal: abort.signal });
    abort.abort();
    expect(await pending).toEqual({ ok: false, kind: 'aborted' });
    expect(warnings).toEqual([]);
  });

  test('an answer of 401 tells the page that its session has ended, any other does not', async () => {
    watchWarnings();
    const gateway = fakeGateway();
    const ended = vi.fn();
    setUnauthorisedHandler(ended);
    gateway.on('GET /api/x', () => json({ error: true }, { status: 403 }));
    await requestJson('/api/x');
    expect(ended).not.toHaveBeenCalled();
    gateway.on('GET /api/x', () => json({ error: true }, { status: 401 }));
    await requestJson('/api/x');
    expect(ended).toHaveBeenCalledOnce();
    setUnauthorisedHandler(undefined);
  });
});

describe('the calls of the contract', () => {
  let gateway: ReturnType<typeof fakeGateway>;
  beforeEach(() => {
    gateway = fakeGateway();
  });

  test('the server information is read from data (S-7.1)', async () => {
    gateway.on('GET /api/system/server', { error: false, data: { web_title: 'ACME', expired: 5 } });
    expect(await getServerInfo()).toMatchObject({ ok: true, value: { web_title: 'ACME', expired: 5 } });
  });

  test('the status of nobody is a success (S-7.2)', async () => {
    gateway.on('GET /api/user/status', { error: false, data: { login: false } });
    expect(await getUserStatus()).toMatchObject({ ok: true, value: { login: false, permission: [] } });
  });

  test.each([true, false])('signing out says whether the session goes on: %s (S-4.2)', async (login) => {
    gateway.on('GET /api/user/logout', { error: false, data: { login } });
    expect(await logOut()).toEqual({ ok: true, value: { login } });
  });

  test('signing in sends name and password in the body and nowhere else', async () => {
    gateway.on('POST /api/user/login', { error: false, data: { login: true } });
    const result = await logIn({ username: 'mei', password: 'p&w', wallMonitor: false });
    expect(result).toEqual({ ok: true, value: { kind: 'signed-in', language: undefined, recoveryCodes: [] } });
    expect(gateway.calls[0]?.body).toEqual({ username: 'mei', password: 'p&w' });
    expect(gateway.calls[0]?.query.size).toBe(0);
  });

  test('a change of group sends exactly self and the group (S-7.5)', async () => {
    gateway.on('PUT /api/system/member', { error: false });
    await putOwnMemberGroup(4);
    expect(gateway.calls[0]?.body).toEqual({ self: true, membergroup: 4 });
  });

  test('the device lookup carries exactly its three values (S-7.6)', async () => {
    gateway.on('GET /api/device/device', { error: false, data: { chn: 2, installchs: '11', livechs: '10' } });
    const result = await getDevice({ username: 'ü +/?', credential: 'C', deviceid: 'A&B=1' });
    expect(result).toMatchObject({ ok: true, value: { chn: 2, installchs: '11', livechs: '10' } });
    expect(Object.fromEntries(gateway.calls[0]?.query ?? [])).toEqual({
      username: 'ü +/?',
      credential: 'C',
      deviceid: 'A&B=1',
    });
  });

  test('remote play sends its six values, main is 0 (S-7.7)', async () => {
    gateway.on('POST /api/playback/remote/play', { error: false });
    const play = { deviceid: 'D', streamid: 9, spbtime: wallSeconds(1_795_183_385), duration: 60, chs: 4 };
    await playRemote({ username: 'u', credential: 'C' }, play);
    expect(gateway.calls[0]?.body).toEqual({ ...play, main: 0 });
    expect(Object.fromEntries(gateway.calls[0]?.query ?? [])).toEqual({ username: 'u', credential: 'C' });
  });
});
