import { describe, expect, it } from 'vitest';
import { loadPlaybackView, type PlaybackDeps } from '../../../../pages/playback/playbackView.ts';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import type { ServerInfo } from '../../../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../../../shared/protocol/api.ts';

const MOMENT = 1_795_183_385;
const DEVICE: DeviceInfo = { chn: 4, installchs: '1111', livechs: '1111' };
const REFUSED: ApiFailure = { ok: false, kind: 'http', status: 403, message: '<i>E-77</i>' };

function setUp({ device = DEVICE, server = {} }: { device?: DeviceInfo | ApiFailure; server?: ServerInfo } = {}) {
  const titles: string[] = [];
  const requests: string[] = [];
  const deps: PlaybackDeps = {
    getServerInfo: async () => ({ ok: true, value: server }),
    getDevice: async ({ deviceid }) => {
      requests.push(deviceid);
      return 'ok' in device ? device : { ok: true, value: device };
    },
    setTitle: (title) => titles.push(title),
    random: () => 0,
  };
  return { titles, requests, load: (path: string) => loadPlaybackView(path, deps) };
}

describe('what a playback page loads', () => {
  it('S-2.6.1, S-2.6.2: is the device, from the moment on, in one session', async () => {
    const { titles, load } = setUp();
    expect(await load(`DEV1@3/17/${MOMENT}/ann/secret1`)).toEqual({
      kind: 'ready',
      source: { username: 'ann', credential: 'secret1', deviceid: 'DEV1' },
      vehicle: 'DEV1',
      channels: [1, 2],
      layout: '',
      streamId: 17,
      start: MOMENT,
      exportable: [],
    });
    expect(titles).toEqual(['DEV1 Playback']);
    expect(await load(`DEV1@3/0/${MOMENT}/ann/secret1`)).toMatchObject({ streamId: 1 });
  });

  it.each([
    ['S-2.6.4, S-2.5.6: installed, however their cameras are now', 'DEV1@13', '1011', '0000', [1, 3, 4]],
    ['S-2.6.4, S-2.5.5, S-9.2: all without a mask', 'DEV1', '', '', [1, 2, 3, 4]],
  ])('has the channels that are %s', async (_name, ref, installchs, livechs, channels) => {
    const { load } = setUp({ device: { chn: 4, installchs, livechs } });
    expect(await load(`${ref}/17/${MOMENT}/ann/secret1`)).toMatchObject({ channels });
  });

  it('S-2.6.5: lays them out as the server wants of recordings, whatever it wants of live view', async () => {
    const path = `DEV1/17/${MOMENT}/ann/secret1`;
    const ofRecordings = setUp({ server: { simplePlayback: { layout: '3x3' } } });
    expect(await ofRecordings.load(path)).toMatchObject({ layout: '3x3' });
    const ofLive = setUp({ server: { simpleLive: { layout: '3x3' } } });
    expect(await ofLive.load(path)).toMatchObject({ layout: '' });
  });

  it('is exported where the link may', async () => {
    const { load } = setUp({ device: { ...DEVICE, exportchs: '0100' } });
    expect(await load(`DEV1/17/${MOMENT}/ann/secret1`)).toMatchObject({ exportable: [2] });
  });

  it.each([
    ['S-5.4: a start that is no date', 'DEV1/0/notadate/ann/secret1', []],
    ['S-5.5: a mask of no channel', `DEV1@0/0/${MOMENT}/ann/secret1`, ['DEV1']],
    ['S-5.5: a mask above the channels', `DEV1@240/0/${MOMENT}/ann/secret1`, ['DEV1']],
  ])('is nothing with %s', async (_what, path, asked) => {
    const { titles, requests, load } = setUp();
    expect(await load(path)).toEqual({ kind: 'nothing' });
    expect([titles, requests]).toEqual([['DEV1 Playback'], asked]);
  });

  it('S-4.15: is the failure of the look-up, with the title error', async () => {
    const { titles, load } = setUp({ device: REFUSED });
    const view = await load(`DEV1/0/${MOMENT}/ann/secret1`);
    expect(view).toEqual({ kind: 'error', error: { kind: 'call', failure: REFUSED } });
    expect(titles.at(-1)).toBe('error');
  });
});
