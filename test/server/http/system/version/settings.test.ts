import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

const PATH = '/api/version/settings';
const PRESETS = {
  webTitle: 'Preset title',
  liveLayout: '3x3',
  playbackLayout: '',
  maxLicense: 25,
  licenseExpires: '2027-01-31',
};
const UNSET = { webTitle: null, liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };

let test: TestApp;
let cookie: string;
beforeEach(async () => {
  test = await createTestApp({
    WEB_TITLE: PRESETS.webTitle,
    LIVE_LAYOUT: PRESETS.liveLayout,
    MAX_LICENSE: String(PRESETS.maxLicense),
    LICENSE_EXPIRES: PRESETS.licenseExpires,
  });
  await test.addUser('root', [Permission.System, Permission.Version, Permission.Audit]);
  cookie = await test.signIn('root');
});
afterEach(() => test.close());

const read = async () => (await test.request({ url: PATH, headers: { cookie } })).json().data;
const put = (body: object) => test.request({ method: 'PUT', url: PATH, headers: { cookie }, body });
const serverInfo = async () => (await test.request({ url: '/api/system/server', headers: { cookie } })).json().data;

describe('the settings of the installation (N-1, S-2.4.16, S-3.3)', () => {
  it('are the presets of the environment until somebody sets them, and again once they are reset', async () => {
    expect(await read()).toEqual({ ...UNSET, version: 1, presets: PRESETS });
    const set = {
      webTitle: ' 北站 ',
      liveLayout: '',
      playbackLayout: '3x3',
      maxLicense: 0,
      licenseExpires: '',
    } as const;
    const saved = await put({ ...set, version: 1 });
    expect(saved.json().data).toEqual({ ...set, webTitle: '北站', version: 2, presets: PRESETS });
    expect(await serverInfo()).toMatchObject({
      web_title: '北站',
      simpleLive: { layout: '' },
      simplePlayback: { layout: '3x3' },
      max_license: 0,
      expired: 0,
    });
    expect((await put({ ...UNSET, version: 2 })).json().data).toEqual({ ...UNSET, version: 3, presets: PRESETS });
    expect(await serverInfo()).toMatchObject({
      web_title: PRESETS.webTitle,
      simpleLive: { layout: '3x3' },
      max_license: 25,
      expired: Date.UTC(2027, 0, 31) / 1000,
    });
  });

  it('change on the version that was read, and say what they are by now', async () => {
    await put({ ...UNSET, webTitle: 'One', version: 1 });
    const late = await put({ ...UNSET, webTitle: 'Two', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ code: 'conflict', data: { current: { webTitle: 'One', version: 2 } } });
    expect((await read()).webTitle).toBe('One');
  });

  it('are in the audit, with what they were before', async () => {
    await put({ ...UNSET, webTitle: 'One', version: 1 });
    await put({ ...UNSET, webTitle: 'One', licenseExpires: '2028-02-29', version: 2 });
    const audit = (await test.request({ url: '/api/audit/entries?action=setting.change', headers: { cookie } })).json()
      .data.rows;
    expect(audit).toMatchObject([
      { actor: 'root', before: { licenseExpires: null }, after: { licenseExpires: '2028-02-29' } },
      { actor: 'root', before: { webTitle: null }, after: { webTitle: 'One' } },
    ]);
  });

  it.each([
    ['a title of two lines', { webTitle: 'a\nb' }],
    ['a title that is too long', { webTitle: 'x'.repeat(101) }],
    ['a layout that there is none of', { liveLayout: '4x4' }],
    ['a negative number', { maxLicense: -1 }],
    ['a fraction', { maxLicense: 1.5 }],
    ['a field that there is none of', { link_key: 'x' }],
  ])('refuse %s and stay', async (_what, change) => {
    expect((await put({ ...UNSET, ...change, version: 1 })).statusCode).toBe(400);
    expect(await read()).toEqual({ ...UNSET, version: 1, presets: PRESETS });
  });

  it('refuse a day that no month has', async () => {
    const refused = await put({ ...UNSET, licenseExpires: '2027-02-29', version: 1 });
    expect([refused.statusCode, refused.json().data]).toEqual([422, { fields: { licenseExpires: 'bad-format' } }]);
    expect((await read()).version).toBe(1);
  });

  it.each([[[Permission.System]], [[Permission.Version]], [[]]])(
    'are for both permissions: not for %j',
    async (held) => {
      await test.addUser('ann', held);
      const headers = { cookie: await test.signIn('ann') };
      expect((await test.request({ url: PATH, headers })).statusCode).toBe(403);
      expect(
        (await test.request({ method: 'PUT', url: PATH, headers, body: { ...UNSET, version: 1 } })).statusCode,
      ).toBe(403);
      expect((await test.request({ url: PATH })).statusCode).toBe(401);
    },
  );
});

describe('settings of other pages', () => {
  const ELSEWHERE = '/api/version/elsewhere';
  const elsewhere = async () => (await test.request({ url: ELSEWHERE, headers: { cookie } })).json().data;
  const policy = { mode: 'ignition', quality: 'sub', schedule: [], retentionDays: 30 } as const;
  const reset = (version: number, by = cookie) =>
    test.request({ method: 'DELETE', url: `${ELSEWHERE}/recording?version=${version}`, headers: { cookie: by } });

  it('are shown with the preset, to which the default recording is reset', async () => {
    const { recording, secondFactorForAll } = await elsewhere();
    expect([recording.own, recording.version, secondFactorForAll]).toEqual([null, 0, false]);
    await test.stores.recordingPolicies.setForAll(policy, 0);
    expect((await elsewhere()).recording).toEqual({ own: policy, version: 1, preset: recording.preset });
    expect((await reset(1)).statusCode).toBe(403);

    await test.addUser('chief', [Permission.System, Permission.Version, Permission.DeviceGroup]);
    const chief = await test.signIn('chief');
    const late = await reset(7, chief);
    expect([late.statusCode, late.json().data.current.recording.version]).toEqual([409, 1]);
    expect((await reset(1, chief)).json().data.recording).toEqual(recording);
    const audit = await test.stores.audit.page({
      ...{ sort: 'at', descending: true, limit: 1, position: { at: 'offset', offset: 0 }, search: '' },
    });
    // The entry has only the fields that have changed.
    expect(audit?.rows[0]).toMatchObject({
      action: 'recording.change',
      before: { mode: 'ignition', quality: 'sub', retentionDays: 30 },
      after: { mode: 'off', quality: 'main', retentionDays: 0 },
    });
  });
});
