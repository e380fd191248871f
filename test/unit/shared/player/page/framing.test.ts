import { describe, expect, it } from 'vitest';
import {
  answerFramingRequest,
  type FramedPlayer,
  readFramingRequest,
} from '../../../../../shared/player/page/framing.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

describe('what a framing page asks', () => {
  it('is read when its version and its kind are known', () => {
    expect(readFramingRequest({ type: 'fleetglass:mute', version: 1, id: 'a' })).toEqual({
      kind: 'sound',
      isOn: false,
      channel: undefined,
      id: 'a',
    });
    expect(readFramingRequest({ type: 'fleetglass:snapshot', version: 1, channel: 2, format: 'jpeg' })).toEqual({
      kind: 'snapshot',
      format: 'jpeg',
      channel: 2,
      id: undefined,
    });
  });

  it.each([
    undefined,
    null,
    'fleetglass:mute',
    { type: 'fleetglass:mute' },
    { type: 'fleetglass:mute', version: 2 },
    { type: 'fleetglass:reboot', version: 1 },
    { type: 'fleetglass:mute', version: 1, channel: '1' },
    { type: 'mute', version: 1 },
  ])('is left alone otherwise (%j)', (data) => {
    expect(readFramingRequest(data)).toBeUndefined();
  });
});

function players() {
  const log: string[] = [];
  const make = (channel: number, hasPicture: boolean): FramedPlayer => ({
    setSound: (isOn) => log.push(`${channel} ${isOn ? 'on' : 'off'}`),
    snapshot: async (format) =>
      hasPicture
        ? { image: new Blob([], { type: `image/${format}` }), size: { width: 64, height: 36 }, deviceTimeMs: wallMs(7) }
        : undefined,
  });
  return {
    log,
    all: new Map([
      [1, make(1, true)],
      [3, make(3, false)],
    ]),
  };
}

describe('the answer', () => {
  it('to mute silences all, to unmute lets the first be heard', async () => {
    const { log, all } = players();
    await answerFramingRequest({ kind: 'sound', isOn: false, channel: undefined, id: 1 }, all);
    const answer = await answerFramingRequest({ kind: 'sound', isOn: true, channel: undefined, id: 2 }, all);
    expect(log).toEqual(['1 off', '3 off', '1 on']);
    expect(answer).toEqual({ type: 'fleetglass:answer', version: 1, id: 2, ok: true });
  });

  it('to a snapshot holds the image with its size and its time', async () => {
    const { all } = players();
    const { snapshot } = await answerFramingRequest(
      { kind: 'snapshot', format: 'jpeg', channel: undefined, id: 1 },
      all,
    );
    expect(snapshot).toMatchObject({ channel: 1, width: 64, height: 36, deviceTimeMs: 7 });
    expect(snapshot?.image.type).toBe('image/jpeg');
  });

  it('says what is missing', async () => {
    const { all } = players();
    const ask = (channel: number) => answerFramingRequest({ kind: 'snapshot', format: 'png', channel, id: 1 }, all);
    expect([(await ask(3)).error, (await ask(2)).error]).toEqual(['no-picture', 'no-such-channel']);
  });
});
