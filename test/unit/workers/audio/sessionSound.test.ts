import { describe, expect, it } from 'vitest';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs } from '../../../../shared/protocol/time.ts';
import { SessionSound } from '../../../../workers/audio/sessionSound.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

function setUp() {
  const timers = new ManualTimers();
  /** `position@moment` of every frame played, and `silence`. */
  const heard: string[] = [];
  const sound = new SessionSound({
    ...timers,
    play: ({ mediaTimeUs }) => heard.push(`${mediaTimeUs / 1_000}@${timers.now()}`),
    silence: () => heard.push('silence'),
  });
  const tell = (positionMs: number, { speed = 1, paused = false } = {}) => sound.clock({ positionMs, speed, paused });
  const send = (...positionsMs: readonly number[]) => {
    for (const positionMs of positionsMs) {
      const frame = { codec: Codec.G711A, discontinuity: false, bytes: new Uint8Array(1) };
      sound.push({ ...frame, mediaTimeUs: mediaUs(positionMs * 1_000) });
    }
  };
  return { timers, heard, sound, tell, send };
}

describe('sound of a playback session', () => {
  it('is played at its moment, however early it came', () => {
    const { timers, heard, tell, send } = setUp();
    tell(1_000);
    send(1_000, 1_040, 1_400);
    timers.advance(100);
    timers.advance(400);
    expect(heard).toEqual(['silence', '1000@0', '1040@30', '1400@390']);
  });

  it('of before the position, and of a position that was left, is not played', () => {
    const { timers, heard, tell, send } = setUp();
    tell(10_000);
    send(9_000, 10_040, 10_080);
    tell(60_000);
    send(60_000);
    timers.advance(1_000);
    expect(heard.filter((entry) => entry !== 'silence')).toEqual(['60000@0']);
  });

  it('is not heard while the recording stands, and begins with the picture that stands', () => {
    const { timers, heard, tell, send } = setUp();
    tell(10_000, { paused: true });
    send(9_900, 9_960, 10_000, 10_040);
    timers.advance(1_000);
    expect(heard).toEqual(['silence']);
    tell(10_000);
    timers.advance(100);
    expect(heard.filter((entry) => entry !== 'silence')).toEqual(['10000@1000', '10040@1030']);
  });

  it('stops at once with a pause, and goes on where it was', () => {
    const { timers, heard, sound, tell, send } = setUp();
    tell(0);
    send(0, 40, 80, 120, 160);
    timers.advance(70);
    sound.hold();
    timers.advance(5_000);
    expect(heard.at(-1)).toBe('silence');
    const before = heard.length;
    tell(75, { paused: true });
    tell(75);
    timers.advance(100);
    expect(heard.slice(before).filter((entry) => entry !== 'silence')).toEqual(['120@5105', '160@5145']);
  });

  it.each([0.25, 2, 16])('is not heard at %d times the speed', (speed) => {
    const { timers, heard, tell, send } = setUp();
    tell(0, { speed });
    send(0, 40, 80);
    timers.advance(1_000);
    expect(heard.filter((entry) => entry !== 'silence')).toEqual([]);
  });
});
