// Faults that were published for products of this kind, and why each cannot happen here.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const projectRoot = join(import.meta.dirname, '../../../..');

let test: TestApp;
let administrator: string;
beforeAll(async () => {
  test = await createTestApp();
  await test.addUser('root', ALL_PERMISSIONS);
  administrator = await test.signIn('root');
});
afterAll(() => test.close());

/** Names and times of all files below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules') && !name.startsWith('.git'))
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);
}

describe('CVE-2024-24809, CVE-2024-31214: a file type that the client names becomes part of a path', () => {
  const bodies = ['image/png', 'image/../../../web/index.html', 'image/jsp', 'multipart/form-data; boundary=x'];
  it.each(bodies)('no call takes a file (%s)', async (type) => {
    for (const { method, url } of test.routes) {
      if (method === 'GET' || method === 'HEAD') continue;
      const headers = { cookie: administrator, 'content-type': type };
      const response = await test.request({
        method: method as 'POST',
        url: url.replace(':lng', 'en').replace(':ns', 'Common'),
        headers,
        payload: '--x\r\ncontent-disposition: form-data; name="f"; filename="../../x"\r\n\r\nx\r\n--x--',
      });
      // A call without a body does not look at one.
      expect(url === '/api/user/frametoken' ? [200, 415] : [415], `${method} ${url}`).toContain(response.statusCode);
    }
    expect(
      (await test.request({ method: 'POST', url: '/api/devices/1/image', headers: { cookie: administrator } }))
        .statusCode,
    ).toBe(404);
  });
});

describe('CVE-2025-61666: a file server that takes an encoded backslash for a name', () => {
  it.each([
    '/..%5c..%5cpackage.json',
    '/innerpage%5c..%5c..%5cpackage.json',
    '/assets%5cshell-abc123.js',
    '/assets/..%5C..%5C..%5C..%5Cwindows%5Cwin.ini',
    '/C:%5Cwindows%5Cwin.ini',
    '/%5c%5chost%5cshare%5cfile',
  ])('only names on the list of built files are files (%s)', async (url) => {
    const response = await test.request({ url });
    expect(response.body).not.toMatch(/"dependencies"|\[fonts\]|export const shell/);
    // What is no file is a path of the shell at most.
    if (response.statusCode === 200) expect(response.body).toBe('<title>shell</title>');
  });
});

describe('CVE-2026-23521: a device id that is a path', () => {
  it.each(['../../../tmp/evil', '/etc/cron.d/evil', '..', 'C:\\evil', '..\\..\\evil'])(
    'cannot be given (%s)',
    async (deviceId) => {
      await expect(test.stores.devices.insert({ deviceId, name: 'x', chn: 1 })).rejects.toThrow('no device id');
    },
  );
});

describe('CVE-2026-44314: a call that changes something and forgets the check that its neighbours make', () => {
  it('is no call of ours: what a route needs is declared beside it and checked before it, and signing in alone is open', () => {
    const open = test.routes.filter(
      ({ method, access }) => access.kind === 'public' && !['GET', 'HEAD'].includes(method),
    );
    expect(open.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/user/login',
      // With a ticket that only the right password gives, or with the token of a one-time link.
      'POST /api/user/login/code',
      'POST /api/user/login/enrol',
      'POST /api/user/login/confirm',
      'POST /api/user/invitation',
      'POST /api/user/invitation/accept',
    ]);
  });

  it('a user without the permission changes nothing, whatever else the user may do', async () => {
    const group = await test.stores.memberGroups.insert({ name: 'North' });
    const allBut = ALL_PERMISSIONS.filter((permission) => permission !== 'membergroup');
    await test.addUser('almost', allBut, [group]);
    const cookie = await test.signIn('almost');
    const body = { self: true, membergroup: group };
    const response = await test.request({ method: 'PUT', url: '/api/system/member', headers: { cookie }, body });
    expect(response.statusCode).toBe(403);
    expect((await test.stores.users.findByName('almost'))?.memberGroup).toBeUndefined();
  });
});

describe('CVE-2022-29806: a language that is a path, and a log written where the client says', () => {
  it('neither loading nor adding translations touches a file that is not on the list', async () => {
    const before = [...filesOf(join(projectRoot, 'public/locales'))];
    const languages = ['..%2f..%2f..%2ftmp', '..%5C..', '%2ftmp%2fevil', 'en%00', '....//....//etc', 'php'];
    for (const language of languages) {
      const url = `${language}/Common`;
      const headers = { cookie: administrator };
      const loaded = await test.request({ url: `/locales/load/${url}` });
      const added = await test.request({
        method: 'POST',
        url: `/locales/add/${url}`,
        headers,
        body: { evil: '<?php' },
      });
      expect([400, 404]).toContain(loaded.statusCode);
      expect([400, 404]).toContain(added.statusCode);
    }
    expect(await test.stores.missingTranslations.list()).toEqual([]);
    expect(filesOf(join(projectRoot, 'public/locales'))).toEqual(before);
  });

  it('where the log goes is not for a request to say', () => {
    const source = readFileSync(join(projectRoot, 'server/process/log.ts'), 'utf8');
    expect(source).toContain('const STANDARD_ERROR = 2;');
    expect(source.match(/openLogOutput\([^)]*\)/g)).toEqual([
      'openLogOutput(STANDARD_ERROR)',
      'openLogOutput(STANDARD_ERROR)',
    ]);
  });
});

describe('CVE-2022-31861: markup in what the audit shows', () => {
  const markup = '<img src=x onerror=alert(1)>';

  it('is kept as the text that it is, and answered as data that no browser takes for a page', async () => {
    await test.addUser(markup);
    await test.request({ method: 'POST', url: '/api/user/login', body: { username: markup, password: 'x' } });
    const [entry] = await test.stores.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ actor: markup, action: 'session.refused' });
    const status = await test.request({ url: '/api/user/status', headers: { cookie: await test.signIn(markup) } });
    expect(status.json().data.username).toBe(markup);
    expect(status.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(status.headers['x-content-type-options']).toBe('nosniff');
  });

  it('is in no page that we make ourselves, and no inline script would run', async () => {
    const url = `/innerpage/${encodeURIComponent(markup)}.html?q=${encodeURIComponent(markup)}`;
    const response = await test.request({ url, headers: { 'accept-language': markup } });
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain('onerror');
    expect(response.headers['content-security-policy']).toContain("script-src 'self';");
    expect(response.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
  });
});

describe('CVE-2023-26035: a command line made of a parameter, by somebody who is not signed in', () => {
  it('the gateway starts no programs', () => {
    const sources = readdirSync(join(projectRoot, 'server'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !/^(?:setup|demo)\b/.test(name),
    );
    expect(sources.length).toBeGreaterThan(50);
    const starting = sources.filter((name) => {
      const text = readFileSync(join(projectRoot, 'server', name), 'utf8');
      return /child_process|\bexecFile\b|\bspawn\(|\beval\(|new Function\(/.test(text);
    });
    expect(starting).toEqual([]);
  });

  it.each(['view=snapshot&action=create&monitor_ids[0][Id]=0;id', 'deviceid=;id', 'deviceid=$(id)'])(
    '%s is data',
    async (query) => {
      const url = `/api/device/device?username=u&credential=c&${query}`;
      expect([400, 403]).toContain((await test.request({ url })).statusCode);
    },
  );
});
