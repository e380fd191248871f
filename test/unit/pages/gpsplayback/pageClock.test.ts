import { describe, expect, it } from 'vitest';
import type { ClockState, VideoFacts } from '../../../../pages/innerpage/gpsplayback/clock/clockState.ts';
import {
  type ClockChange,
  PageClock,
  type VideoSide,
} from '../../../../pages/innerpage/gpsplayback/clock/pageClock.ts';

/** Time and pictures of the screen, as the test has them pass. */
class Screen {
  nowMs = 0;
  #due: (() => void) | undefined;
  readonly now = () => this.nowMs;
  readonly nextFrame = (run: () => void) => {
    this.#due = run;
    return () => {
      this.#due = undefined;
    };
  };

  get isIdle(): boolean {
    return this.#due === undefined;
  }

  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#due;
    this.#due = undefined;
    due?.();
  }
}

class FakeVideo implements VideoSide {
  at: number | undefined = 0;
  told: (readonly [ClockChange, number, boolean])[] = [];
  known: VideoFacts = { isSteered: true, hasEnded: false, recorded: [{ fromMs: 0, toMs: 60_000 }] };
  facts = () => this.known;
  positionMs = () => this.at;
  follow(state: ClockState, change: ClockChange): void {
    if (change !== 'run') this.told.push([change, state.positionMs, state.isPlaying]);
  }
}

function open() {
  const screen = new Screen();
  const clock = new PageClock(screen);
  clock.setCourse({ fromMs: 0, toMs: 100_000, still: [{ fromMs: 30_000, toMs: 50_000 }] });
  const drawn: number[] = [];
  clock.draw((positionMs) => drawn.push(positionMs));
  return { screen, clock, drawn };
}

describe('the clock of the page', () => {
  it('loses no time in which it is drawn', () => {
    const { screen, clock } = open();
    clock.play();
    clock.draw(() => {
      screen.nowMs += 30;
    });
    for (let frame = 0; frame < 10; frame++) screen.pass(40);
    // It began at 0, and the last drawing came after it was moved on.
    expect(clock.state.positionMs).toBe(screen.nowMs - 30);
    clock.pause();
    screen.nowMs += 500;
    clock.play();
    const restedMs = clock.state.positionMs;
    screen.pass(100);
    expect(clock.state.positionMs).toBe(restedMs + 100);
  });

  it('draws once a picture of the screen while it plays, and asks for none in a pause', () => {
    const { screen, clock, drawn } = open();
    expect(screen.isIdle).toBe(true);
    clock.play();
    screen.pass(100);
    screen.pass(100);
    expect(drawn).toEqual([0, 100, 200]);
    clock.pause();
    expect(screen.isIdle).toBe(true);
  });

  it('tells of what changes, and not of each position', () => {
    const { screen, clock } = open();
    let told = 0;
    clock.subscribe(() => told++);
    clock.play();
    screen.pass(100);
    screen.pass(100);
    clock.setSpeed(8);
    screen.pass(100);
    expect([told, clock.state.positionMs]).toEqual([2, 1_000]);
  });

  it('goes on where it was after the page was in the background', () => {
    const { screen, clock } = open();
    clock.play();
    screen.pass(3_600_000);
    expect(clock.state.positionMs).toBeLessThanOrEqual(1_000);
  });

  it('stays within its course, whatever it is set to', () => {
    const { clock } = open();
    clock.seek(-5);
    expect(clock.state.positionMs).toBe(0);
    clock.seek(1e15);
    expect(clock.state.positionMs).toBe(100_000);
    clock.setCourse({ fromMs: 10, toMs: 20, still: [] });
    expect(clock.state.positionMs).toBe(20);
  });

  it('is where the video is while that leads, and tells it when it is set', () => {
    const { screen, clock } = open();
    const video = new FakeVideo();
    clock.setVideo(video);
    clock.play();
    expect(clock.leader).toBe('session');
    video.at = 730;
    screen.pass(100);
    expect(clock.state.positionMs).toBe(730);
    clock.seek(5_000);
    expect(video.told).toEqual([
      ['seek', 0, false],
      ['state', 0, true],
      ['seek', 5_000, true],
    ]);
  });

  it('leads itself above 16 times, and where the recordings end', () => {
    const { screen, clock } = open();
    const video = new FakeVideo();
    clock.setVideo(video);
    clock.play();
    clock.setSpeed(32);
    expect(clock.leader).toBe('page');
    screen.pass(100);
    expect(clock.state.positionMs).toBe(3_200);
    clock.setSpeed(1);
    video.at = 60_001;
    screen.pass(100);
    expect([clock.leader, clock.state.positionMs]).toEqual(['page', 60_001]);
    screen.pass(100);
    expect(clock.state.positionMs).toBe(60_101);
  });

  it('skips for the video too', () => {
    const { screen, clock } = open();
    const video = new FakeVideo();
    clock.setVideo(video);
    clock.setSkips(true);
    clock.seek(32_900);
    clock.play();
    video.at = 33_200;
    screen.pass(300);
    expect(clock.state.positionMs).toBe(50_200);
    expect(video.told.at(-1)).toEqual(['seek', 50_200, true]);
  });

  it('goes on by itself when the video that leads stands, until it is set again', () => {
    const { screen, clock } = open();
    const video = new FakeVideo();
    clock.setVideo(video);
    clock.play();
    for (let second = 0; second < 4; second++) screen.pass(1_000);
    expect([clock.leader, clock.state.positionMs]).toEqual(['page', 0]);
    screen.pass(500);
    expect(clock.state.positionMs).toBe(500);
    clock.seek(2_000);
    expect(clock.leader).toBe('session');
  });

  it('draws nothing any more once it is closed', () => {
    const { screen, clock, drawn } = open();
    clock.play();
    clock.close();
    clock.close();
    screen.pass(100);
    expect(drawn).toEqual([0]);
  });

  it('tells of the picture at which the video came to a stand, and says nothing of it to the video', () => {
    const { screen, clock, drawn } = open();
    const video = new FakeVideo();
    clock.setVideo(video);
    clock.play();
    clock.stand(7_000);
    expect(clock.state.positionMs).toBe(0);
    video.at = 1_000;
    screen.pass(16);
    clock.pause();
    video.told.length = 0;
    clock.stand(1_400);
    expect([clock.state.positionMs, drawn.at(-1), video.told, screen.isIdle]).toEqual([1_400, 1_400, [], true]);
  });
});
