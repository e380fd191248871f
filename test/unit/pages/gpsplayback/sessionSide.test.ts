import { describe, expect, it } from 'vitest';
import type { ClockState } from '../../../../pages/innerpage/gpsplayback/clock/clockState.ts';
import { SessionSide, type SteeredSession } from '../../../../pages/innerpage/gpsplayback/video/sessionSide.ts';
import { INITIAL_STATE, type PlaybackState } from '../../../../shared/player/playback/playbackState.ts';

function fakeSession() {
  const said: string[] = [];
  const session = {
    state: { ...INITIAL_STATE, isControlled: true } as PlaybackState,
    isOpen: true,
    positionMs: (): number => 0,
    seek: (positionMs: number) => void said.push(`seek ${positionMs}`),
    play: () => void said.push('play'),
    pause: () => void said.push('pause'),
    setSpeed: (speed: number) => void said.push(`speed ${speed}`),
  } satisfies SteeredSession;
  return { session, said };
}

const PLAYING: ClockState = { positionMs: 500, isPlaying: true, speed: 1, skips: false };
const RECORDED = [{ fromMs: 0, toMs: 10_000 }];

describe('the recordings on the page clock', () => {
  it('wait while the clock stands, and play when it does', () => {
    const { session, said } = fakeSession();
    const side = new SessionSide(session, RECORDED);
    side.follow({ ...PLAYING, isPlaying: false }, 'seek');
    session.state = { ...session.state, isPaused: true };
    side.follow({ ...PLAYING, speed: 4 }, 'state');
    expect(said).toEqual(['pause', 'seek 500', 'seek 500', 'speed 4', 'play']);
  });

  it('are told nothing twice while time passes', () => {
    const { session, said } = fakeSession();
    const side = new SessionSide(session, RECORDED);
    side.follow(PLAYING, 'state');
    said.length = 0;
    side.follow({ ...PLAYING, positionMs: 516 }, 'run');
    side.follow({ ...PLAYING, positionMs: 532 }, 'run');
    expect(said).toEqual([]);
  });

  it('wait above 16 times, and catch up below', () => {
    const { session, said } = fakeSession();
    const side = new SessionSide(session, RECORDED);
    side.follow(PLAYING, 'state');
    said.length = 0;
    side.follow({ ...PLAYING, speed: 32 }, 'state');
    side.follow({ ...PLAYING, speed: 32, positionMs: 4_000 }, 'run');
    side.follow({ ...PLAYING, speed: 8, positionMs: 5_000 }, 'state');
    expect(said).toEqual(['pause', 'seek 5000', 'speed 8']);
  });

  it('wait where nothing is recorded, and begin where something is again', () => {
    const { session, said } = fakeSession();
    const side = new SessionSide(session, [{ fromMs: 1_000, toMs: 2_000 }]);
    side.follow(PLAYING, 'state');
    session.state = { ...session.state, isPaused: true };
    side.follow({ ...PLAYING, positionMs: 1_000 }, 'run');
    expect(said).toEqual(['pause', 'seek 1000', 'play']);
  });

  it('are told nothing before the server has told its clock', () => {
    const { session, said } = fakeSession();
    session.state = { ...session.state, isControlled: false };
    const side = new SessionSide(session, RECORDED);
    side.follow(PLAYING, 'seek');
    expect([said, side.facts().isSteered]).toEqual([[], false]);
  });

  it('say where they came to a stand when the reader stopped them, until something else is asked for', () => {
    const { session } = fakeSession();
    const side = new SessionSide(session, RECORDED);
    const standing = { ...PLAYING, isPlaying: false };
    side.follow(PLAYING, 'state');
    expect(side.stoodAtMs).toBeUndefined();
    side.follow(standing, 'state');
    // The server doesn't know yet.
    expect(side.stoodAtMs).toBeUndefined();
    session.state = { ...session.state, isPaused: true };
    session.positionMs = () => 1_900;
    expect(side.stoodAtMs).toBe(1_900);
    side.follow({ ...standing, speed: 2 }, 'state');
    expect(side.stoodAtMs).toBe(1_900);
    side.follow({ ...standing, positionMs: 700 }, 'seek');
    expect(side.stoodAtMs).toBeUndefined();
  });

  it('do not move a clock that stands where nothing is recorded, or far from them', () => {
    const { session } = fakeSession();
    const side = new SessionSide(session, RECORDED);
    session.state = { ...session.state, isPaused: true };
    session.positionMs = () => 500;
    for (const positionMs of [20_000, 5_000]) {
      side.follow({ ...PLAYING, positionMs: 500 }, 'state');
      side.follow({ ...PLAYING, positionMs, isPlaying: false }, 'state');
      expect(side.stoodAtMs).toBeUndefined();
    }
  });
});
