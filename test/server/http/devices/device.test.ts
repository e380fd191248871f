import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

describe('the device look-up (S-3.4, S-7.6)', () => {
  let test: TestApp;
  let credential: string;
  beforeEach(async () => {
    test = await createTestApp();
    const groups = [await test.stores.deviceGroups.insert('Buses'), await test.stores.deviceGroups.insert('Trucks')];
    const memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, groups.slice(0, 1));
    await test.stores.devices.insert({
      deviceId: 'A&B=1',
      name: 'Bus',
      chn: 4,
      installchs: '1101',
      ptzchs: '1100',
      talkchs: '101',
      deviceGroup: groups[0],
    });
    await test.stores.devices.insert({ deviceId: 'TRUCK', name: 'Truck', chn: 4, deviceGroup: groups[1] });
    const ownerId = await test.addUser('ü +/?', [], [memberGroup]);
    credential = await test.addLink({ ownerId, deviceId: 'A&B=1', channelMask: 1, kinds: ['live'] });
  });
  afterEach(() => test.close());

  const lookUp = (query: Record<string, string>) =>
    test.request({ url: '/api/device/device', query: { username: 'ü +/?', credential, deviceid: 'A&B=1', ...query } });

  it('gives the channels of the device that the link opens', async () => {
    const response = await lookUp({});
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      error: false,
      data: {
        ...{ chn: 4, installchs: '1101', livechs: '1111', ptzchs: '0000', talkchs: '0000', exportchs: '0000' },
        ...{ name: 'Bus', plate: '', online: true, seenAtMs: 0 },
      },
    });
  });

  it('gives the cameras to move and the channels to talk to only to a link that may, of its channels', async () => {
    const owner = await test.stores.users.findByName('ü +/?');
    const link = { ownerId: owner?.id ?? 0, deviceId: 'A&B=1', channelMask: 0b0110 };
    credential = await test.addLink({ ...link, kinds: ['control'] });
    expect((await lookUp({})).json().data).toMatchObject({ ptzchs: '0100', talkchs: '0000' });
    await test.stores.users.setPermissions(link.ownerId, ['talk']);
    expect((await lookUp({})).json().data).toMatchObject({ ptzchs: '0100', talkchs: '0010' });
    credential = await test.addLink({ ...link, kinds: ['live', 'playback', 'remote', 'export'] });
    expect((await lookUp({})).json().data).toMatchObject({ ptzchs: '0000', talkchs: '0000' });
  });

  it('answers an unknown device, a foreign one, a wrong user and a wrong credential alike', async () => {
    const answers = [
      await lookUp({ deviceid: 'NOBODY' }),
      await lookUp({ deviceid: 'TRUCK' }),
      await lookUp({ username: 'somebody' }),
      await lookUp({ credential: 'x'.repeat(27) }),
      await lookUp({ credential: credential.toLowerCase() }),
    ];
    for (const { statusCode, body, headers } of answers) {
      expect(statusCode).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: true, code: 'link-refused' });
      expect(headers['content-length']).toBe(answers[0]?.headers['content-length']);
    }
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  it('does not count a link as a session, nor a session as a link', async () => {
    const status = await test.request({ url: '/api/user/status', query: { username: 'ü +/?', credential } });
    expect(status.json().data).toEqual({ login: false });
    const cookie = await test.signIn('ü +/?');
    const response = await test.request({
      url: '/api/device/device',
      query: { username: 'ü +/?', credential: 'x', deviceid: 'A&B=1' },
      headers: { cookie },
    });
    expect(response.statusCode).toBe(403);
  });

  it('ends with the link’s end date', async () => {
    const owner = await test.stores.users.findByName('ü +/?');
    const link = { ownerId: owner?.id ?? 0, deviceId: 'A&B=1', channelMask: 1, kinds: ['live'] as const };
    credential = await test.addLink({ ...link, expiresAtMs: wallMs(test.clock.now + 1_000) });
    expect((await lookUp({})).statusCode).toBe(200);
    test.clock.now = wallMs(test.clock.now + 1_000);
    expect((await lookUp({})).statusCode).toBe(403);
  });
});
