// Downloads by addresses that work once, as the audit's CSV has them.
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DOWNLOAD_ADDRESSES_LIMIT,
  DOWNLOAD_ADDRESSES_SHARE,
  DOWNLOADS_LIMIT,
} from '../../../../../server/http/kernel/lists/downloads.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { waitFor } from '../../../../support/waitFor.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

const CSV = '/api/audit/entries/csv';

describe('a download', () => {
  let test: TestApp;
  let userId: number;
  let cookie: string;

  beforeEach(async () => {
    test = await createTestApp();
    userId = await test.addUser('reader', ['audit', 'system']);
    cookie = await test.signIn('reader');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await test.close();
  });

  const offer = async (headers: Readonly<Record<string, string>> = { cookie }): Promise<string> => {
    const answer = await test.request({ method: 'POST', url: CSV, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data.address;
  };
  const get = async (url: string) => {
    const answer = await test.request({ url });
    return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code];
  };
  const GONE = [404, 'no-such-download'];
  const addRows = async (count: number) => {
    for (let at = 0; at < count; at++)
      await test.stores.audit.add({ actor: 'many', action: 'session.end' }, test.clock.now);
  };

  it('works once, without a cookie, and is kept by nobody', async () => {
    const address = await offer();
    expect(address).toMatch(/^\/api\/download\/[A-Za-z\d]{27}$/);
    const answer = await test.request({ url: address });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
      'cache-control': 'no-store',
    });
    expect(answer.body).toContain(',reader,session.begin,');
    expect(await get(address)).toEqual(GONE);
  });

  it('is not spent by a look at its head, or by another method', async () => {
    const address = await offer();
    for (const method of ['HEAD', 'POST', 'DELETE'] as const)
      expect((await test.request({ method, url: address, headers: { cookie } })).statusCode, method).toBe(405);
    expect(await get(address)).toBe(200);
  });

  it('works for a minute', async () => {
    const [first, second] = [await offer(), await offer()];
    test.clock.now = wallMs(test.clock.now + 59_999);
    expect(await get(first)).toBe(200);
    test.clock.now = wallMs(test.clock.now + 1);
    expect(await get(second)).toEqual(GONE);
  });

  it.each(['', 'x', 'x'.repeat(27), 'x'.repeat(65), '..%2fuser%2fstatus', '%00'])(
    'is nothing at %j',
    async (secret) => {
      const { statusCode } = await test.request({ url: `/api/download/${secret}` });
      expect([400, 404]).toContain(statusCode);
    },
  );

  it('is refused once its session has ended, or its account was disabled', async () => {
    const [first, second] = [await offer(), await offer()];
    await test.request({ url: '/api/user/logout', headers: { cookie } });
    expect(await get(first)).toEqual([401, 'not-signed-in']);
    cookie = await test.signIn('reader');
    expect(await get(second)).toEqual([401, 'not-signed-in']);
    const third = await offer();
    await test.stores.users.setPermissions(userId, ['system']);
    expect(await get(third)).toEqual([403, 'forbidden']);
    expect(await get(third)).toEqual(GONE);
  });

  it('shows what its caller sees when it begins, not when it was asked for', async () => {
    await test.addUser('auditor', ['audit', 'system']);
    const auditor = await test.signIn('auditor');
    const address = await offer({ cookie: auditor });
    await test.stores.users.setPermissions((await test.stores.users.findByName('auditor'))?.id ?? 0, ['audit']);
    const answer = await test.request({ url: address });
    expect(answer.body.trim().split('\r\n')).toHaveLength(1);
  });

  it('stands for a frame token too, which is no cookie', async () => {
    const answer = await test.request({ method: 'POST', url: '/api/user/frametoken', headers: { cookie } });
    const token = answer.json().data.sid;
    expect(await get(await offer({ 'connect-sid': token, 'page-framed': '1' }))).toBe(200);
  });

  describe('of a long list', () => {
    let origin: string;
    beforeEach(async () => {
      await test.app.listen({ port: 0, host: '127.0.0.1' });
      origin = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
    });

    /** Runs before the list's page of this number is read. */
    const beforePage = (number: number, run: () => Promise<unknown>) => {
      const { audit } = test.stores;
      const page = audit.page.bind(audit);
      let count = 0;
      return vi.spyOn(audit, 'page').mockImplementation(async (query) => {
        if (++count === number) await run();
        return page(query);
      });
    };

    it('is broken off when its session ends on the way, and never looks whole', async () => {
      await addRows(1_100);
      const address = await offer();
      const pages = beforePage(2, () => test.request({ url: '/api/user/logout', headers: { cookie } }));
      const answer = await fetch(origin + address);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      expect(pages).toHaveBeenCalledTimes(2);
    });

    it('is broken off when the permission is taken on the way', async () => {
      await addRows(1_100);
      const address = await offer();
      beforePage(1, () => test.stores.users.setPermissions(userId, ['system']));
      await expect(fetch(origin + address).then((answer) => answer.text())).rejects.toThrow();
    });

    it('is broken off when the database fails on the way', async () => {
      await addRows(600);
      const address = await offer();
      beforePage(2, () => Promise.reject(new Error('the database is away')));
      await expect(fetch(origin + address).then((answer) => answer.text())).rejects.toThrow();
    });

    it('is one of four of its account at a time, until one of them ends or its browser leaves', async () => {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const { audit } = test.stores;
      const page = audit.page.bind(audit);
      const pages = vi.spyOn(audit, 'page').mockImplementation(async (query) => {
        await gate;
        return page(query);
      });
      await test.addUser('other', ['audit', 'system']);
      const leaving = new AbortController();
      const running = [fetch(origin + (await offer()), { signal: leaving.signal }).then((answer) => answer.text())];
      for (let at = 1; at < DOWNLOADS_LIMIT.max; at++)
        running.push(fetch(origin + (await offer())).then((a) => a.text()));
      await waitFor('four downloads', () => pages.mock.calls.length === DOWNLOADS_LIMIT.max);
      expect(await get(await offer())).toEqual([429, 'too-many-downloads']);
      expect(test.limits).toEqual([DOWNLOADS_LIMIT.name]);
      const other = fetch(origin + (await offer({ cookie: await test.signIn('other') })));
      await waitFor('the other one', () => pages.mock.calls.length === DOWNLOADS_LIMIT.max + 1);
      leaving.abort();
      await expect(running[0]).rejects.toThrow();
      open();
      expect((await other).status).toBe(200);
      for (const text of await Promise.all(running.slice(1))) expect(text).toContain(',reader,session.begin,');
      await waitFor('a free place', async () => (await get(await offer())) === 200);
    });
  });

  it('that nobody fetches makes room for later ones, and is counted only where it could still be fetched', async () => {
    const first = await offer();
    let accounts = 0;
    /** Each by an account of its own. */
    const fill = (count: number) => {
      for (let at = 0; at < count; at++) {
        const caller = { user: { username: `account ${accounts++}` } };
        test.app.downloads.offer({ caller } as FastifyRequest, {
          access: { kind: 'permissions', all: [] },
          send: (_request, reply) => reply,
        });
      }
    };
    fill(DOWNLOAD_ADDRESSES_LIMIT.max - 1);
    expect(test.limits).toEqual([]);
    const last = await offer();
    expect(test.limits).toEqual([DOWNLOAD_ADDRESSES_LIMIT.name]);
    expect(await get(first)).toEqual(GONE);
    expect(await get(last)).toBe(200);
    test.clock.now = wallMs(test.clock.now + 60_000);
    fill(DOWNLOAD_ADDRESSES_LIMIT.max);
    expect(test.limits).toEqual([DOWNLOAD_ADDRESSES_LIMIT.name]);
  });

  it('of one account makes room for others of that account alone', async () => {
    await test.addUser('other', ['audit']);
    const others = await offer({ cookie: await test.signIn('other') });
    const addresses = [];
    for (let at = 0; at <= DOWNLOAD_ADDRESSES_SHARE.max; at++) addresses.push(await offer());
    expect(test.limits).toEqual([DOWNLOAD_ADDRESSES_SHARE.name]);
    expect(await get(addresses[0] ?? '')).toEqual(GONE);
    expect(await get(addresses[1] ?? '')).toBe(200);
    expect(await get(others)).toBe(200);
  });
});
