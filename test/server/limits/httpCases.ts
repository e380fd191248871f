// How the limits of requests, and of what they leave behind, are reached.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { BODY_LIMIT } from '../../../server/http/app.ts';
import { IMPORT_ROW_LIMIT, IMPORT_ROWS_LIMIT } from '../../../server/http/devices/import/readFile.ts';
import { IMPORT_BYTES_LIMIT } from '../../../server/http/devices/import/routes.ts';
import { MAP_FILE_PATH, MAP_PART_LIMIT } from '../../../server/http/fleet/mapFileRoute.ts';
import {
  DOWNLOAD_ADDRESSES_LIMIT,
  DOWNLOAD_ADDRESSES_SHARE,
  DOWNLOADS_LIMIT,
} from '../../../server/http/kernel/lists/downloads.ts';
import { LIST_ROWS_LIMIT } from '../../../server/http/kernel/lists/listRoutes.ts';
import { NAMED_PROXIES_LIMIT } from '../../../server/http/kernel/untrustedProxies.ts';
import { SIGN_IN_STEPS_LIMIT } from '../../../server/store/accounts/signInSteps.ts';
import { MISSING_TRANSLATIONS_LIMIT } from '../../../server/store/system/missingTranslations.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { townFile } from '../../../simulator/town/townFile.ts';
import { waitFor } from '../../support/waitFor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../http/testApp.ts';
import type { LimitCase, LimitSteps } from './describeLimits.ts';

/** A case with an app of its own, in which somebody with every permission is signed in. */
function appCase(
  limit: LimitCase['limit'],
  steps: (test: TestApp, cookie: string) => LimitSteps,
  env: () => Readonly<Record<string, string>> = () => ({}),
): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const test = await createTestApp(env(), { onLimit });
      onTestFinished(() => test.close());
      await test.addUser('root', ALL_PERMISSIONS);
      return steps(test, await test.signIn('root'));
    },
  };
}

const requestCases: readonly LimitCase[] = [
  appCase(BODY_LIMIT, ({ request }) => {
    const statusOf = async (bytes: number): Promise<number> => {
      const empty = JSON.stringify({ username: 'a', password: '' });
      const body = { username: 'a', password: 'x'.repeat(bytes - empty.length) };
      return (await request({ method: 'POST', url: '/api/user/login', body })).statusCode;
    };
    return {
      // The body is read, and refused for its password.
      upTo: async () => expect(await statusOf(BODY_LIMIT.max)).toBe(400),
      beyond: async () => expect(await statusOf(BODY_LIMIT.max + 1)).toBe(413),
    };
  }),
  appCase(IMPORT_BYTES_LIMIT, (test, cookie) => {
    const check = (bytes: number) => importOf(test, cookie, Buffer.alloc(bytes, `${'a'.repeat(1_023)}\n`));
    return {
      // The file is read, and is not a list of devices.
      upTo: async () => expect((await check(IMPORT_BYTES_LIMIT.max)).statusCode).toBe(422),
      beyond: async () => expect((await check(IMPORT_BYTES_LIMIT.max + 1)).statusCode).toBe(413),
    };
  }),
  appCase(IMPORT_ROWS_LIMIT, (test, cookie) => {
    const check = (rows: number) => importOf(test, cookie, `deviceid\r\n${'D\r\n'.repeat(rows)}`);
    return {
      upTo: async () => expect((await check(IMPORT_ROWS_LIMIT.max)).statusCode).toBe(200),
      beyond: async () => {
        const answer = await check(IMPORT_ROWS_LIMIT.max + 1);
        expect([answer.statusCode, answer.json().code]).toEqual([422, 'file-too-long']);
      },
    };
  }),
  appCase(IMPORT_ROW_LIMIT, (test, cookie) => {
    // The file is looked at in pieces of this size.
    const piece = 65_536;
    const check = async (length: number) => {
      const { code, data } = (await importOf(test, cookie, `deviceid\r\n"${'x'.repeat(length)}`)).json();
      return [code, data.fields.what];
    };
    return {
      // The one quotation mark is missed at the end of the file.
      upTo: async () => expect(await check(IMPORT_ROW_LIMIT.max - piece)).toEqual(['file-quotes', '2']),
      beyond: async () => expect(await check(IMPORT_BYTES_LIMIT.max - piece)).toEqual(['file-quotes', '2']),
    };
  }),
  appCase(LIST_ROWS_LIMIT, ({ request }, cookie) => {
    const statusOf = async (rows: number): Promise<number> =>
      (await request({ url: `/api/audit/entries?limit=${rows}`, headers: { cookie } })).statusCode;
    return {
      upTo: async () => expect(await statusOf(LIST_ROWS_LIMIT.max)).toBe(200),
      beyond: async () => expect(await statusOf(LIST_ROWS_LIMIT.max + 1)).toBe(400),
    };
  }),
  appCase(DOWNLOAD_ADDRESSES_LIMIT, (test) => {
    const addresses: string[] = [];
    /** Offers this many addresses for an account, at most as many as it may have. */
    const offerAs = async (username: string, count: number): Promise<void> => {
      await test.addUser(username, ALL_PERMISSIONS);
      const cookie = await test.signIn(username);
      for (let at = 0; at < count; at++) addresses.push(await offerCsv(test, cookie));
    };
    const statusOf = async (at: number): Promise<number> =>
      (await test.request({ url: addresses.at(at) ?? '' })).statusCode;
    return {
      upTo: async () => {
        const accounts = DOWNLOAD_ADDRESSES_LIMIT.max / DOWNLOAD_ADDRESSES_SHARE.max;
        for (let at = 0; at < accounts; at++) await offerAs(`user ${at}`, DOWNLOAD_ADDRESSES_SHARE.max);
      },
      beyond: async () => {
        await offerAs('one more', 1);
        expect([await statusOf(0), await statusOf(1), await statusOf(-1)]).toEqual([404, 200, 200]);
      },
    };
  }),
  appCase(DOWNLOAD_ADDRESSES_SHARE, (test, cookie) => {
    const addresses: string[] = [];
    const offer = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) addresses.push(await offerCsv(test, cookie));
    };
    const statusOf = async (at: number): Promise<number> =>
      (await test.request({ url: addresses.at(at) ?? '' })).statusCode;
    return {
      upTo: () => offer(DOWNLOAD_ADDRESSES_SHARE.max),
      beyond: async () => {
        await offer(1);
        expect([await statusOf(0), await statusOf(1), await statusOf(-1)]).toEqual([404, 200, 200]);
      },
    };
  }),
  appCase(DOWNLOADS_LIMIT, (test, cookie) => {
    // Each download waits for its first rows.
    const { audit } = test.stores;
    const page = audit.page.bind(audit);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const pages = vi.spyOn(audit, 'page').mockImplementation((query) => gate.then(() => page(query)));
    const running: Promise<number>[] = [];
    const download = async (): Promise<number> => {
      const url = await offerCsv(test, cookie);
      return (await test.request({ url })).statusCode;
    };
    return {
      upTo: async () => {
        for (let at = 0; at < DOWNLOADS_LIMIT.max; at++) running.push(download());
        await waitFor('all of them', () => pages.mock.calls.length === DOWNLOADS_LIMIT.max);
      },
      beyond: async () => {
        expect(await download()).toBe(429);
        open();
        expect(await Promise.all(running)).toEqual([200, 200, 200, 200]);
        expect(await download()).toBe(200);
      },
    };
  }),
  appCase(
    MAP_PART_LIMIT,
    ({ request }, cookie) => {
      const bytesOf = async (bytes: number): Promise<number> => {
        const headers = { cookie, range: `bytes=0-${bytes - 1}` };
        return (await request({ url: MAP_FILE_PATH, headers })).rawPayload.length;
      };
      return {
        upTo: async () => expect(await bytesOf(MAP_PART_LIMIT.max)).toBe(MAP_PART_LIMIT.max),
        beyond: async () => expect(await bytesOf(MAP_PART_LIMIT.max + 1)).toBe(MAP_PART_LIMIT.max),
      };
    },
    largeMapFile,
  ),
];

async function offerCsv({ request }: TestApp, cookie: string): Promise<string> {
  const answer = await request({ method: 'POST', url: '/api/audit/entries/csv', headers: { cookie } });
  return answer.json().data.address;
}

/** A street map that is larger than one answer. */
function largeMapFile(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetglass-map-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'region.pmtiles');
  writeFileSync(path, townFile());
  truncateSync(path, 2 * MAP_PART_LIMIT.max);
  return { MAP_PMTILES: path };
}

const importOf = ({ request }: TestApp, cookie: string, payload: Buffer | string) =>
  request({
    method: 'POST',
    url: '/api/devicegroup/import/check',
    headers: { cookie, 'content-type': 'text/csv' },
    payload,
  });

const traceCases: readonly LimitCase[] = [
  appCase(NAMED_PROXIES_LIMIT, ({ request, logged }) => {
    const forward = async (from: number, to: number): Promise<void> => {
      for (let host = from; host <= to; host++) {
        const remoteAddress = `198.51.100.${host}`;
        const headers = { 'x-forwarded-for': '192.0.2.1' };
        await request({ method: 'POST', url: '/api/user/login', body: {}, headers, remoteAddress });
      }
    };
    const named = (): number => logged().split('that is not in TRUSTED_PROXIES').length - 1;
    return {
      upTo: async () => {
        await forward(1, NAMED_PROXIES_LIMIT.max);
        await forward(1, NAMED_PROXIES_LIMIT.max);
        expect(named()).toBe(NAMED_PROXIES_LIMIT.max);
      },
      beyond: async () => {
        await forward(100, 100);
        expect(named()).toBe(NAMED_PROXIES_LIMIT.max);
      },
    };
  }),
  appCase(MISSING_TRANSLATIONS_LIMIT, ({ request, stores }, cookie) => {
    const { max } = MISSING_TRANSLATIONS_LIMIT;
    const tell = async (from: number, to: number): Promise<void> => {
      const body = Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`key ${from + index}`, '']));
      await request({ method: 'POST', url: '/locales/add/en/Common', headers: { cookie }, body });
    };
    const kept = async (): Promise<readonly string[]> =>
      (await stores.missingTranslations.list()).map(({ key }) => key);
    return {
      upTo: async () => {
        for (let at = 0; at < max; at += 200) await tell(at, at + 200);
        expect(await kept()).toHaveLength(max);
      },
      beyond: async () => {
        await tell(max, max + 1);
        expect(await kept()).toHaveLength(max);
        expect(await kept()).not.toContain(`key ${max}`);
      },
    };
  }),
  appCase(SIGN_IN_STEPS_LIMIT, (test) => {
    const tickets: string[] = [];
    const signIn = async (): Promise<void> => {
      test.clock.now = wallMs(test.clock.now + 1_000);
      const body = { username: 'root', password: PASSWORD };
      const answer = await test.request({ method: 'POST', url: '/api/user/login', body });
      tickets.push(answer.json().data.ticket);
    };
    const goOn = async (ticket: string | undefined): Promise<number> =>
      (await test.request({ method: 'POST', url: '/api/user/login/enrol', body: { ticket } })).statusCode;
    return {
      upTo: async () => {
        await test.stores.settings.set('second_factor', 'required');
        for (let step = 0; step < SIGN_IN_STEPS_LIMIT.max; step++) await signIn();
        expect(await goOn(tickets[0])).toBe(200);
      },
      beyond: async () => {
        await signIn();
        expect(await Promise.all([tickets[0], tickets[1], tickets.at(-1)].map(goOn))).toEqual([401, 200, 200]);
      },
    };
  }),
];

export const httpCases: readonly LimitCase[] = [...requestCases, ...traceCases];
