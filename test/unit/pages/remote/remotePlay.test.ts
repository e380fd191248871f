import { describe, expect, it } from 'vitest';
import { deviceRanges } from '../../../../pages/remote/deviceRanges.ts';
import { RemotePlay } from '../../../../pages/remote/remotePlay.ts';
import { continuedPlay } from '../../../../pages/remote/remoteRules.ts';
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import type { RemotePlayRequest } from '../../../../shared/api/recordings/remotePlayback.ts';
import type { StreamReport } from '../../../../shared/player/engine/engine.ts';
import type { ViewerMessage } from '../../../../shared/protocol/stream/streamMessages.ts';
import { wallSeconds } from '../../../../shared/protocol/time.ts';

const START = 1_795_183_000;
const START_MS = START * 1_000;
const PLAY: RemotePlayRequest = { deviceid: 'DEV1', streamid: 77, spbtime: wallSeconds(START), duration: 60, chs: 1 };
const BUSY: ApiFailure = { ok: false, kind: 'http', status: 409, code: 'busy', message: 'busy' };

function setUp() {
  const requests: RemotePlayRequest[] = [];
  const answers: ((result: ApiResult<unknown>) => void)[] = [];
  const sent: ViewerMessage[] = [];
  let retries = 0;
  const remote = new RemotePlay(PLAY, {
    ask: (play) => {
      requests.push(play);
      return new Promise((resolve) => answers.push(resolve));
    },
    hold: () => undefined,
  });
  remote.setTile(1, { retry: () => retries++ });
  const seat = remote.session.join({ send: (message) => sent.push(message) });
  const tell = (report: StreamReport) => seat.note(report);
  const clock = (offsetMs: number, paused = false) =>
    tell({ type: 'event', event: { type: 'clock', positionMs: START_MS + offsetMs, speed: 1, paused } });
  const close = () => tell({ type: 'closed', code: 1008 });
  const answer = async (result: ApiResult<unknown>) => {
    answers.shift()?.(result);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { remote, session: remote.session, requests, sent, answer, clock, close, tell, retries: () => retries };
}

describe('a remote playback that the server has forgotten', () => {
  it('is asked for again from where it was, once, and then connected', async () => {
    const { remote, requests, answer, clock, close, retries } = setUp();
    clock(20_400);
    expect(remote.recovers('not-playing')).toBe(true);
    close();
    expect(remote.recovers('not-playing')).toBe(true);
    expect(requests.map(({ spbtime, duration }) => [spbtime - START, duration])).toEqual([[20, 40]]);
    expect(remote.state.kind).toBe('asking');
    expect(retries()).toBe(0);
    await answer({ ok: true, value: {} });
    expect(retries()).toBe(1);
    expect(remote.state.kind).toBe('settled');
  });

  it('is asked for again when the device refused, and not when it was gone before it began', async () => {
    const { remote, requests, answer, clock } = setUp();
    clock(0);
    remote.recovers('not-playing');
    await answer(BUSY);
    expect(remote.recovers('not-playing')).toBe(true);
    await answer({ ok: true, value: {} });
    expect(remote.recovers('not-playing')).toBe(false);
    expect(requests.length).toBe(2);
  });

  it('is left alone while it is paused, until the viewer plays on', async () => {
    const { remote, session, requests, answer, clock, close, sent } = setUp();
    clock(10_000, true);
    expect(remote.recovers('not-playing')).toBe(false);
    close();
    session.setSpeed(2);
    session.pause();
    expect(requests).toEqual([]);
    session.toggle();
    expect(requests.map(({ spbtime }) => spbtime - START)).toEqual([10]);
    await answer({ ok: true, value: {} });
    clock(10_000);
    // The speed that was requested meanwhile; no pause, and no seek to where it is.
    expect(sent).toEqual([{ type: 'speed', speed: 2 }]);
    expect(session.state.isPaused).toBe(false);
  });

  it('is taken to where the viewer has let go of the timeline, not to what lies on the way', () => {
    const { session, requests, clock, close } = setUp();
    clock(1_000);
    close();
    session.startDrag();
    for (const second of [10, 20, 30]) session.seek(START_MS + second * 1_000);
    expect(requests).toEqual([]);
    session.endDrag();
    expect(requests.map(({ spbtime }) => spbtime - START)).toEqual([30]);
  });

  it('says why the device does not play, until it does', async () => {
    const { remote, session, answer, clock, close } = setUp();
    clock(1_000);
    close();
    session.seek(START_MS + 5_000);
    await answer(BUSY);
    expect(remote.state).toEqual({ kind: 'failed', failure: BUSY });
    session.seek(START_MS + 6_000);
    expect(remote.state.kind).toBe('asking');
    await answer({ ok: true, value: {} });
    expect(remote.state.kind).toBe('settled');
  });
});

describe('a device that stops', () => {
  it('is asked again when it was only away, and the tile says so meanwhile', () => {
    const { remote, requests, clock } = setUp();
    clock(1_000);
    expect(remote.recovers('device-offline')).toBe(false);
    expect(requests.length).toBe(1);
  });

  it.each(['playback-broken-off', 'paused-too-long', 'taken-over', 'link-refused'])(
    'with %s is not asked again by itself; play is what comes next',
    (code) => {
      const { remote, session, requests, clock, close } = setUp();
      clock(1_000);
      expect(remote.recovers(code)).toBe(false);
      close();
      expect(requests).toEqual([]);
      expect(session.isStill).toBe(true);
    },
  );

  it('at the end of its recording plays it from the beginning', () => {
    const { session, requests, clock, tell, close } = setUp();
    clock(59_000);
    tell({ type: 'quiet', event: { type: 'ended' } });
    close();
    session.toggle();
    expect(requests.map(({ spbtime, duration }) => [spbtime - START, duration])).toEqual([[0, 60]]);
  });
});

describe('a session of a device', () => {
  it('stays within what was asked for, and has no single pictures', () => {
    const { session, sent, clock } = setUp();
    clock(5_000, true);
    session.step(1);
    session.seek(START_MS + 3_600_000);
    expect(sent).toEqual([{ type: 'seek', positionMs: START_MS + 59_000 }]);
    session.seek(START_MS - 3_600_000);
    expect(session.positionMs()).toBe(START_MS);
  });

  it('asks for the rest, and at the very end for a second', () => {
    expect(continuedPlay(PLAY, START_MS + 59_999)).toMatchObject({ spbtime: START + 59, duration: 1 });
    expect(continuedPlay(PLAY, START_MS + 90_000)).toMatchObject({ spbtime: START + 59, duration: 1 });
    expect(continuedPlay(PLAY, undefined)).toEqual(PLAY);
  });
});

describe('what a device holds', () => {
  const bounds = { fromMs: 1_000, toMs: 5_000 };
  const signal = new AbortController().signal;

  it('is asked for once, and cut to what the page plays', async () => {
    let requests = 0;
    const load = deviceRanges({
      channel: 3,
      bounds,
      ask: async () => {
        requests++;
        const value = [
          { fromMs: 0, toMs: 2_000 },
          { fromMs: 4_000, toMs: 9_000 },
          { fromMs: 9_000, toMs: 9_500 },
        ];
        return { ok: true, value };
      },
    });
    await load({ fromMs: 0, toMs: 86_400_000 }, signal);
    expect(await load({ fromMs: -86_400_000, toMs: 0 }, signal)).toEqual({
      ok: true,
      value: [
        {
          channel: 3,
          ranges: [
            { fromMs: 1_000, toMs: 2_000 },
            { fromMs: 4_000, toMs: 5_000 },
          ],
        },
      ],
    });
    expect(requests).toBe(1);
  });

  it('is asked for again after a failure', async () => {
    let requests = 0;
    const load = deviceRanges({
      channel: 1,
      bounds,
      ask: async () => (requests++ === 0 ? BUSY : { ok: true, value: [] }),
    });
    expect(await load(bounds, signal)).toEqual(BUSY);
    expect((await load(bounds, signal)).ok).toBe(true);
    expect(requests).toBe(2);
  });
});
