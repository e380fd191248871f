import { describe, expect, it } from 'vitest';
import { type LiveDeps, loadLiveView } from '../../../../pages/live/liveView.ts';
import type { ApiResult } from '../../../../shared/api/client.ts';
import type { DeviceQuery } from '../../../../shared/api/devices/device.ts';
import type { ServerInfo } from '../../../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../../../shared/protocol/api.ts';
import { openLink, sealLink } from '../../../../shared/protocol/videoLink.ts';

const LINK_KEY = '11'.repeat(32);
const ONES = '1'.repeat(8);
const link = { device: 'DEV1@3', username: 'ann', credential: 'secret1' };
const query: DeviceQuery = { deviceid: 'DEV1', username: 'ann', credential: 'secret1' };
const down: ApiResult<never> = { ok: false, kind: 'network', message: 'Failed to fetch' };

interface Scene {
  readonly server?: ApiResult<ServerInfo>;
  readonly device?: ApiResult<DeviceInfo>;
}

function setUp({ server, device }: Scene = {}) {
  const titles: string[] = [];
  const sealed: string[] = [];
  const requests: DeviceQuery[] = [];
  const deps: LiveDeps = {
    getServerInfo: async () => server ?? { ok: true, value: { linkKey: LINK_KEY } },
    getDevice: async (device_) => {
      requests.push(device_);
      return device ?? { ok: true, value: { chn: 4, installchs: '1111', livechs: '1111' } };
    },
    showSealed: (hex) => sealed.push(hex),
    setTitle: (title) => titles.push(title),
  };
  return { deps, titles, sealed, requests };
}

describe('loadLiveView', () => {
  it('S-2.5.3: takes device, mask, user name and credential from a plain link', async () => {
    const { deps, requests, titles } = setUp();
    const view = await loadLiveView('DEV1@3/ann/secret1', deps);
    expect(view).toMatchObject({ kind: 'ready', source: query, channels: [1, 2], layout: '' });
    expect(requests).toEqual([query]);
    expect(titles).toEqual(['DEV1 liveview']);
  });

  it.each([
    ['the key of the server', LINK_KEY],
    ['the built-in key where the server has none', undefined],
  ])('S-2.5.1, S-2.5.4: seals a plain link with %s', async (_which, linkKey) => {
    const { deps, sealed } = setUp({ server: { ok: true, value: linkKey === undefined ? {} : { linkKey } } });
    await loadLiveView('DEV1@3/ann/secret1/', deps);
    expect(sealed.map((hex) => openLink(hex, linkKey))).toEqual([link]);
  });

  it.each([
    ['S-2.5.5, S-9.2: no mask is 255', 'DEV1', { chn: 8, installchs: ONES, livechs: ONES }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['S-2.5.6: the mask', 'DEV1@10', { chn: 4, installchs: '1111', livechs: '1111' }, [2, 4]],
    ['S-2.5.6: the channel count', 'DEV1@10', { chn: 3, installchs: '1111', livechs: '1111' }, [2]],
    ['S-2.5.6: the installed ones', 'DEV1@255', { chn: 4, installchs: '1011', livechs: '1111' }, [1, 3, 4]],
    ['S-2.5.6: the live ones', 'DEV1@255', { chn: 4, installchs: '1111', livechs: '0111' }, [2, 3, 4]],
    ['S-2.5.7, S-9.1: at most eight', 'DEV1@65535', { chn: 16, installchs: '', livechs: '' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['S-2.5.8: numbered from 1', 'DEV1@1', { chn: 4, installchs: '', livechs: '' }, [1]],
    ['S-5.5: none for no bit set', 'DEV1@0', { chn: 8, installchs: '', livechs: '' }, []],
    ['S-5.5: none for bits above the channel count', 'DEV1@256', { chn: 8, installchs: '', livechs: '' }, []],
  ] as const)('names the channels, %s', async (_name, ref, device, channels) => {
    const { deps } = setUp({ device: { ok: true, value: device } });
    expect(await loadLiveView(`${ref}/ann/secret1`, deps)).toMatchObject({ kind: 'ready', channels });
  });

  it('names the channels whose cameras give no picture, and the vehicle', async () => {
    const info = { chn: 4, installchs: '1111', livechs: '0111', name: 'Bus 12', plate: 'ABC-123' };
    const { deps } = setUp({ device: { ok: true, value: info } });
    const view = await loadLiveView('DEV1@7/ann/secret1', deps);
    expect(view).toMatchObject({ channels: [2, 3], lost: [1], vehicle: 'Bus 12 · ABC-123' });
  });

  it.each([
    ['the key of the server', LINK_KEY],
    ['the built-in key where the server has none', null],
  ])('S-2.5.2, S-2.5.4: opens a link sealed with %s', async (_which, linkKey) => {
    const { deps, requests, sealed } = setUp({ server: { ok: true, value: { linkKey } } });
    const view = await loadLiveView(sealLink(link, linkKey).toUpperCase(), deps);
    expect(view.kind).toBe('ready');
    expect(requests).toEqual([query]);
    expect(sealed).toEqual([]);
  });

  it.each(['zz', 'abc', '', 'DEV1/ann', 'DEV1/ann/secret1/more', 'DEV1/ann/%zz', `${sealLink(link, '22'.repeat(32))}`])(
    'S-2.5.2: says that %s does not open',
    async (path) => {
      const { deps, requests, titles } = setUp();
      expect(await loadLiveView(path, deps)).toEqual({ kind: 'error', error: { kind: 'link' } });
      expect(titles).toEqual(['error']);
      expect(requests).toEqual([]);
    },
  );

  it('S-4.15: gives the failure of the device lookup, and the title error', async () => {
    const failure = { ok: false, kind: 'http', status: 403, message: '<i>E-77</i>' } as const;
    const { deps, titles } = setUp({ device: failure });
    expect(await loadLiveView('DEV1/ann/secret1', deps)).toEqual({ kind: 'error', error: { kind: 'call', failure } });
    expect(titles.at(-1)).toBe('error');
  });

  it('shows a plain link though the server information is not to be had, and leaves the address as it is', async () => {
    const { deps, sealed } = setUp({ server: down });
    expect((await loadLiveView('DEV1/ann/secret1', deps)).kind).toBe('ready');
    expect(sealed).toEqual([]);
  });

  it('says that the server is out of reach when that is why a sealed link does not open', async () => {
    const { deps } = setUp({ server: down });
    const view = await loadLiveView(sealLink(link, LINK_KEY), deps);
    expect(view).toEqual({ kind: 'error', error: { kind: 'call', failure: down } });
  });

  it('asks for the device without waiting for the server information', async () => {
    const { deps, requests } = setUp();
    const never = new Promise<never>(() => {});
    void loadLiveView('DEV1/ann/secret1', { ...deps, getServerInfo: () => never });
    await Promise.resolve();
    expect(requests).toHaveLength(1);
  });

  it("S-2.5.14: passes the server's layout of live view on, and not that of recordings", async () => {
    const { deps } = setUp({ server: { ok: true, value: { simpleLive: { layout: '3x3' } } } });
    expect(await loadLiveView('DEV1/ann/secret1', deps)).toMatchObject({ layout: '3x3' });
    const ofRecordings = setUp({ server: { ok: true, value: { simplePlayback: { layout: '3x3' } } } });
    expect(await loadLiveView('DEV1/ann/secret1', ofRecordings.deps)).toMatchObject({ layout: '' });
  });
});
