import { beforeEach, describe, expect, it } from 'vitest';
import { type QualityState, type TileEnvironment, TilePlayer } from '../../../../shared/player/tile/tilePlayer.ts';
import type { TileState } from '../../../../shared/player/tile/tileState.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { fakePlayer, stubBrowserParts } from '../setUp.tsx';

let browserParts: ReturnType<typeof stubBrowserParts>;

beforeEach(() => {
  browserParts = stubBrowserParts();
  document.body.replaceChildren();
});

function setUp() {
  const { engine, stream, video } = fakePlayer();
  const timers = new ManualTimers();
  const host = document.createElement('div');
  document.body.append(host);
  const states: TileState['kind'][] = [];
  const qualities: QualityState[] = [];
  let isVisible = true;
  let sleptMs = 0;
  let wake: (() => void) | undefined;
  let tellView: (isInView: boolean) => void = () => {};
  const environment: TileEnvironment = {
    now: timers.now,
    wallNow: () => timers.now() + sleptMs,
    random: () => 0,
    isVisible: () => isVisible,
    every: (intervalMs, run) => {
      let cancel = () => {};
      const arm = () => {
        cancel = timers.runAfter(intervalMs, () => {
          arm();
          run();
        });
      };
      arm();
      return () => cancel();
    },
    watchView: (_element, onChange) => {
      tellView = onChange;
      return () => {
        tellView = () => {};
      };
    },
    onWake: (run) => {
      wake = run;
      return () => {
        wake = undefined;
      };
    },
  };
  const player = new TilePlayer(
    engine,
    {
      host,
      url: 'ws://gateway/1',
      channel: 1,
      hasQualities: true,
      onState: ({ kind }) => states.push(kind),
      onQuality: (quality) => qualities.push(quality),
    },
    environment,
  );
  return {
    player,
    host,
    states,
    qualities,
    timers,
    stream,
    video,
    setVisible: (value: boolean) => {
      isVisible = value;
    },
    wake: () => wake?.(),
    scroll: (isInView: boolean) => tellView(isInView),
    sleep: (ms: number) => {
      sleptMs += ms;
    },
    opened: () => stream.say({ type: 'opened', streamId: 1, connection: 1 }),
    videoSwitches: () =>
      stream.posted.flatMap((message) => {
        const { message: sent } = message as { readonly message?: { readonly on?: boolean } };
        return sent?.on === undefined ? [] : [sent.on];
      }),
    hasWakeListener: () => wake !== undefined,
    shown: () => video.say({ type: 'progress', streams: [{ streamId: 1, decoded: 1, shown: 1, newestAgeMs: 0 }] }),
    data: () => stream.say({ type: 'activity', streams: [{ streamId: 1, packets: 1, bytes: 1, newestAgeMs: 0 }] }),
    fault: (kind: string) => video.say({ type: 'fault', streamId: 1, fault: { kind, message: '' } }),
    reconnects: () => stream.types.filter((type) => type === 'reconnect').length,
  };
}

describe('TilePlayer', () => {
  it('goes from connecting to playing, and to stalled five seconds after the last picture', () => {
    const { states, shown, timers } = setUp();
    expect(states).toEqual(['connecting']);
    shown();
    timers.advance(4_900);
    expect(states).toEqual(['connecting', 'playing']);
    timers.advance(300);
    expect(states).toEqual(['connecting', 'playing', 'stalled']);
    shown();
    expect(states.at(-1)).toBe('playing');
  });

  it('connects anew at most 200 ms after silence has lasted too long', () => {
    const { timers, data, reconnects } = setUp();
    timers.advance(20_000);
    expect(reconnects()).toBe(1);
    data();
    timers.advance(10_000);
    expect(reconnects()).toBe(1);
    timers.advance(5_200);
    expect(reconnects()).toBe(2);
  });

  it('leaves a page alone that is out of sight, and looks after it as soon as it is back', () => {
    const { timers, setVisible, wake, reconnects } = setUp();
    setVisible(false);
    timers.advance(600_000);
    expect(reconnects()).toBe(0);
    setVisible(true);
    wake();
    expect(reconnects()).toBe(1);
  });

  it('asks for sound alone out of sight, and for pictures again as soon as it is back', () => {
    const { setVisible, wake, opened, videoSwitches } = setUp();
    opened();
    setVisible(false);
    wake();
    expect(videoSwitches()).toEqual([false]);
    opened();
    expect(videoSwitches()).toEqual([false, false]);
    setVisible(true);
    wake();
    wake();
    expect(videoSwitches()).toEqual([false, false, true]);
  });

  it('asks for sound alone when it has been scrolled out of view for two seconds, and for pictures as soon as it is back', () => {
    const { scroll, timers, opened, videoSwitches } = setUp();
    opened();
    scroll(false);
    timers.advance(1_800);
    scroll(true);
    timers.advance(10_000);
    expect(videoSwitches()).toEqual([]);
    scroll(false);
    timers.advance(2_200);
    expect(videoSwitches()).toEqual([false]);
    scroll(true);
    expect(videoSwitches()).toEqual([false, true]);
  });

  it('connects anew soon after the network is back when the old socket brings nothing more', () => {
    const { timers, wake, opened, data, reconnects } = setUp();
    opened();
    timers.advance(20_000);
    const before = reconnects();
    data();
    timers.advance(3_000);
    wake();
    timers.advance(1_400);
    expect(reconnects()).toBe(before);
    timers.advance(400);
    expect(reconnects()).toBe(before + 1);
  });

  it('leaves a stream alone that goes on after the network was away', () => {
    const { timers, wake, opened, data, reconnects } = setUp();
    opened();
    data();
    timers.advance(3_000);
    wake();
    timers.advance(500);
    data();
    timers.advance(8_000);
    expect(reconnects()).toBe(0);
  });

  it('notices by the clock that the machine has slept', () => {
    const { timers, opened, data, sleep, reconnects } = setUp();
    opened();
    timers.advance(3_000);
    data();
    sleep(3_600_000);
    timers.advance(2_000);
    expect(reconnects()).toBe(1);
  });

  it('passes the size of its place on to the decoder', () => {
    const { video } = setUp();
    browserParts.resize(640, 360);
    browserParts.resize(0, 0);
    const resizes = video.posted.filter((message) => message.type === 'resize');
    expect(resizes).toEqual([{ type: 'resize', streamId: 1, box: { width: 640, height: 360 } }]);
  });

  it.each(['decode', 'canvas'])(
    'S-4.13: builds a new canvas after a %s fault and keeps the old picture until then',
    (kind) => {
      const { host, fault, video } = setUp();
      const before = host.querySelector('canvas');
      fault(kind);
      expect(video.types).toContain('canvas');
      expect(host.querySelectorAll('canvas')).toHaveLength(2);
      video.say({ type: 'first-picture', streamId: 1 });
      expect(host.querySelectorAll('canvas')).toHaveLength(1);
      expect(host.querySelector('canvas')).not.toBe(before);
    },
  );

  it('never piles canvases up', () => {
    const { host, fault } = setUp();
    for (let round = 0; round < 5; round++) fault('decode');
    expect(host.querySelectorAll('canvas')).toHaveLength(2);
  });

  it.each(['reclaimed', 'codec'])('keeps its canvas after a %s fault', (kind) => {
    const { host, fault } = setUp();
    const before = host.querySelector('canvas');
    fault(kind);
    expect(host.querySelector('canvas')).toBe(before);
  });

  it('leaves nothing behind when closed, and may be closed twice', () => {
    const { player, host, timers, stream, video, states, shown, fault, hasWakeListener } = setUp();
    fault('decode');
    player.close();
    player.close();
    shown();
    expect(host.children).toHaveLength(0);
    expect(browserParts.observed.size).toBe(0);
    expect(timers.pending).toBe(0);
    expect(hasWakeListener()).toBe(false);
    expect([stream.types.at(-1), video.types.at(-1)]).toEqual(['close', 'detach']);
    expect(states).toEqual(['connecting']);
  });
});

describe('a change of streams', () => {
  const playing = () => {
    const scene = setUp();
    scene.opened();
    scene.shown();
    const openUrls = () =>
      scene.stream.posted.flatMap((message) =>
        message.type === 'open' ? [(message as unknown as { url: string }).url] : [],
      );
    const closedIds = () =>
      scene.stream.posted.flatMap((message) =>
        message.type === 'close' ? [(message as unknown as { streamId: number }).streamId] : [],
      );
    const firstPicture = (streamId: number) => scene.video.say({ type: 'first-picture', streamId });
    return { ...scene, openUrls, closedIds, firstPicture };
  };

  it('opens the other stream beside the present one, which goes when the other has a picture', () => {
    const { player, host, openUrls, closedIds, firstPicture, states, qualities, reconnects } = playing();
    const before = host.querySelector('canvas');
    player.setQuality('sub');
    expect(openUrls()).toEqual(['ws://gateway/1', 'ws://gateway/1?quality=sub']);
    expect(closedIds()).toEqual([]);
    expect(qualities.at(-1)).toEqual({ choice: 'sub', running: 'main', isSwitching: true, hasFailed: false });
    firstPicture(2);
    expect(closedIds()).toEqual([1]);
    expect([...host.querySelectorAll('canvas')].includes(before as HTMLCanvasElement)).toBe(false);
    expect(host.querySelectorAll('canvas')).toHaveLength(1);
    expect(qualities.at(-1)).toEqual({ choice: 'sub', running: 'sub', isSwitching: false, hasFailed: false });
    expect([states, reconnects()]).toEqual([['connecting', 'playing'], 0]);
  });

  it('keeps the present stream when the other gives no picture in time, and says so', () => {
    const { player, host, timers, shown, closedIds, qualities, states } = playing();
    player.setQuality('sub');
    for (let second = 0; second < 13; second++) {
      timers.advance(1_000);
      shown();
    }
    expect(closedIds()).toEqual([2]);
    expect(host.querySelectorAll('canvas')).toHaveLength(1);
    expect(qualities.at(-1)).toEqual({ choice: 'main', running: 'main', isSwitching: false, hasFailed: true });
    expect(states).toEqual(['connecting', 'playing']);
  });

  it('S-2.4.9 stands for the main stream, and says why it is the sub stream, until a data plan leaves more', () => {
    const { player, stream, timers, closedIds, firstPicture, qualities } = playing();
    player.setQuality('sub');
    firstPicture(2);
    player.setQuality('main');
    const limit = { type: 'notice', code: 'plan-sub-stream', message: 'less' } as const;
    stream.say({ type: 'event', streamId: 3, connection: 1, event: limit });
    firstPicture(3);
    expect(closedIds()).toEqual([1, 2]);
    const main = { choice: 'main', running: 'main', isSwitching: false, hasFailed: false } as const;
    expect(qualities.at(-1)).toEqual({ ...main, limit });
    // The server ends it when the plan leaves the main stream again.
    stream.say({ type: 'closed', streamId: 3, connection: 1, code: 1012 });
    timers.advance(1_000);
    expect(stream.posted.at(-1)).toMatchObject({ type: 'reconnect', streamId: 3, url: 'ws://gateway/1' });
    expect(qualities.at(-1)).toEqual({ ...main, limit: undefined });
  });

  it('goes back to what ran when the mind is changed before the picture', () => {
    const { player, closedIds, openUrls, qualities } = playing();
    player.setQuality('sub');
    player.setQuality('main');
    expect(closedIds()).toEqual([2]);
    expect(openUrls()).toHaveLength(2);
    expect(qualities.at(-1)?.isSwitching).toBe(false);
  });

  it('ends both streams when the tile ends, and hears no more of either', () => {
    const { player, host, closedIds, firstPicture } = playing();
    player.setQuality('sub');
    player.close();
    firstPicture(2);
    expect(closedIds()).toEqual([2, 1]);
    expect(host.children).toHaveLength(0);
  });

  it('loses nothing where there is nothing to lose: it connects anew', () => {
    const { player, stream, reconnects } = setUp();
    player.setQuality('sub');
    expect([stream.types.filter((type) => type === 'open').length, reconnects()]).toEqual([1, 1]);
  });

  it('happens by itself to a tile far smaller than its picture', () => {
    const { video, timers, shown, openUrls } = playing();
    video.say({ type: 'picture-size', streamId: 1, size: { width: 1920, height: 1080 } });
    browserParts.resize(320, 180);
    for (let second = 0; second < 5; second++) {
      timers.advance(1_000);
      shown();
    }
    expect(openUrls().at(-1)).toContain('quality=sub');
  });

  it('is tried by itself when the browser cannot decode the main stream, which says so until then', () => {
    const { fault, timers, openUrls, closedIds, firstPicture, states, qualities } = playing();
    fault('codec');
    timers.advance(200);
    expect(openUrls()).toEqual(['ws://gateway/1', 'ws://gateway/1?quality=sub']);
    expect(states.at(-1)).toBe('failed');
    firstPicture(2);
    expect([states.at(-1), qualities.at(-1)?.running, closedIds()]).toEqual(['playing', 'sub', [1]]);
  });

  it('is tried once where that has none either, and the notice stays', () => {
    const { fault, timers, openUrls, states, qualities } = playing();
    fault('codec');
    timers.advance(200);
    timers.advance(30_000);
    expect(openUrls()).toHaveLength(2);
    expect([states.at(-1), qualities.at(-1)?.running]).toEqual(['failed', 'main']);
  });

  it('asks for no pictures while another tile covers it, and for them again', () => {
    const { player, videoSwitches } = playing();
    player.setCovered(true);
    player.setCovered(true);
    player.setCovered(false);
    expect(videoSwitches()).toEqual([false, true]);
  });

  it('gives a second place a feed of each stream that it opens', () => {
    const { player, firstPicture, setVisible, wake, videoSwitches } = playing();
    let made = 0;
    player.setMirror(() => {
      made++;
      return new WritableStream<VideoFrame>();
    });
    setVisible(false);
    wake();
    expect(videoSwitches()).toEqual([]);
    player.setQuality('sub');
    firstPicture(2);
    expect(made).toBe(2);
  });
});
