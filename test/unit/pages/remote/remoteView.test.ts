import { describe, expect, it } from 'vitest';
import { loadRemoteView, type RemoteDeps } from '../../../../pages/remote/remoteView.ts';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import type { RemotePlayRequest } from '../../../../shared/api/recordings/remotePlayback.ts';
import type { DeviceInfo } from '../../../../shared/protocol/api.ts';

const MOMENT = 1_795_183_385;
const DEVICE = { chn: 4, installchs: '', livechs: '' } as DeviceInfo;
const REFUSED: ApiFailure = { ok: false, kind: 'http', status: 409, code: 'device-offline', message: 'away' };

function setUp(answers: Partial<Pick<RemoteDeps, 'getDevice' | 'playRemote'>> = {}) {
  const calls: string[] = [];
  const requests: RemotePlayRequest[] = [];
  const titles: string[] = [];
  const deps: RemoteDeps = {
    getDevice: async (query) => {
      calls.push(`device ${query.deviceid}`);
      return answers.getDevice?.(query) ?? { ok: true, value: DEVICE };
    },
    playRemote: async (link, play) => {
      calls.push(`play ${link.username} ${link.credential}`);
      requests.push(play);
      return answers.playRemote?.(link, play) ?? { ok: true, value: {} };
    },
    newStreamId: () => 77,
    setTitle: (title) => titles.push(title),
  };
  return { calls, requests, titles, load: (path: string) => loadRemoteView(path, deps) };
}

describe('what a remote playback page loads', () => {
  it('S-2.7.1, S-4.16: is the device, and then its recording', async () => {
    const { calls, requests, titles, load } = setUp();
    const view = await load(`DEV1@4/90/${MOMENT}/ann/secret1`);
    expect(calls).toEqual(['device DEV1', 'play ann secret1']);
    const play = { deviceid: 'DEV1', streamid: 77, spbtime: MOMENT, duration: 90, chs: 4 };
    expect(requests).toEqual([play]);
    const source = { username: 'ann', credential: 'secret1', deviceid: 'DEV1' };
    expect(view).toEqual({ kind: 'ready', source, vehicle: 'DEV1', channel: 3, play });
    expect(titles).toEqual(['DEV1 Playback']);
  });

  it.each([
    ['the first of the mask', 'DEV1@12', 3],
    ['1 without a mask', 'DEV1', 1],
    ['the first of those there are', 'DEV1@255', 1],
  ])('S-2.7.2, S-2.7.3, S-2.7.4, S-9.2: plays one channel, %s', async (_, ref, channel) => {
    const { requests, load } = setUp();
    expect(await load(`${ref}/60/${MOMENT}/ann/secret1`)).toMatchObject({ kind: 'ready', channel });
    expect(requests.map(({ chs }) => chs)).toEqual([2 ** (channel - 1)]);
  });

  it.each([
    ['a date', 'DEV1/60/notadate/ann/secret1', []],
    ['a date that is not 0', 'DEV1/60/0/ann/secret1', []],
    ['a day that there is', 'DEV1/60/2026-02-30/ann/secret1', []],
    ['a channel in the mask', `DEV1@0/60/${MOMENT}/ann/secret1`, ['device DEV1']],
    ['a channel that the device has', `DEV1@16/60/${MOMENT}/ann/secret1`, ['device DEV1']],
  ])('S-5.4, S-5.5, S-2.7.4: is nothing without %s', async (_, path, expected) => {
    const { calls, load } = setUp();
    expect(await load(path)).toEqual({ kind: 'nothing' });
    expect(calls).toEqual(expected);
  });

  it.each(['', 'DEV1', 'DEV1/60', `DEV1/60/${MOMENT}/u/c/x`])(
    'is an error for an address with too few or too many parts (%s), and nobody is asked',
    async (path) => {
      const { calls, titles, load } = setUp();
      expect(await load(path)).toEqual({ kind: 'error', error: { kind: 'link' } });
      expect([calls, titles]).toEqual([[], ['error']]);
    },
  );

  it('is what the look-up says when it fails; the device is left alone', async () => {
    const { calls, load } = setUp({ getDevice: async () => REFUSED });
    const view = await load(`DEV1/60/${MOMENT}/ann/secret1`);
    expect(view).toEqual({ kind: 'error', error: { kind: 'call', failure: REFUSED } });
    expect(calls).toEqual(['device DEV1']);
  });

  it('S-8.10: is what the server says when the device does not play', async () => {
    const { titles, load } = setUp({ playRemote: async () => REFUSED });
    const view = await load(`DEV1/60/${MOMENT}/ann/secret1`);
    expect(view).toEqual({ kind: 'error', error: { kind: 'play', failure: REFUSED } });
    expect(titles.at(-1)).toBe('error');
  });
});
