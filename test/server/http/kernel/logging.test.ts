import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../../server/process/log.ts';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

describe('the log', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('has a line for every request and none of the secrets that the requests carried', async () => {
    const deviceGroup = await test.stores.deviceGroups.insert('Buses');
    const memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await test.stores.devices.insert({ deviceId: 'DEV1', name: 'Bus', chn: 1, deviceGroup });
    const ownerId = await test.addUser('ann', ['system'], [memberGroup]);
    const cookie = await test.signIn('ann');
    const credential = await test.addLink({ ownerId, deviceId: 'DEV1', channelMask: 1, kinds: ['live'] });
    const token = (await test.request({ method: 'POST', url: '/api/user/frametoken', headers: { cookie } })).json();
    const sid = token.data.sid as string;
    const query = `username=ann&credential=${credential}&deviceid=DEV1`;
    const urls = [
      `/api/device/device?${query}`,
      `/api/device/device?${query}&x=%zz`,
      `/api/nothing?${query}`,
      `/live/DEV1/ann/${credential}`,
      `/live/${'ab12'.repeat(20)}`,
      `/?sid=${sid}`,
      `/api/user/status?sid=${sid}`,
      `/%zz?sid=${sid}`,
    ];
    for (const url of urls) await test.request({ url, headers: { cookie, 'connect-sid': sid, 'page-framed': '1' } });
    const body = { username: 'ann', password: 'mistyped password' };
    await test.request({ method: 'POST', url: '/api/user/login', body });
    await test.request({ method: 'POST', url: '/api/user/login', body: { ...body, password: 1 } });

    const lines = test
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThanOrEqual(urls.length);
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/api/device/device', status: 200, address: '127.0.0.1' }),
    );
    const secrets = [PASSWORD, 'mistyped', cookie.split('=')[1] ?? '', credential, sid, 'ab12ab12'];
    for (const secret of secrets) expect(test.logged()).not.toContain(secret);
  });

  it('hides secrets in objects that somebody logs all the same', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    log.info({ password: 'hunter2', request: { credential: 'hunter3', headers: { cookie: 'hunter4' } } }, 'oops');
    expect(lines.join('')).not.toContain('hunter');
    expect(lines.join('')).toContain('[secret]');
  });
});
