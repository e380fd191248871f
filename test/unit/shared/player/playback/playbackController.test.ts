import { describe, expect, it } from 'vitest';
import { PlaybackController } from '../../../../../shared/player/playback/playbackController.ts';
import type { ViewerMessage } from '../../../../../shared/protocol/stream/streamMessages.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

function setUp() {
  const timers = new ManualTimers();
  const held: boolean[] = [];
  const session = new PlaybackController((isOn) => held.push(isOn), { now: timers.now, runAfter: timers.runAfter });
  const sent: ViewerMessage[] = [];
  const join = () => session.join({ send: (message) => sent.push(message) });
  const seat = join();
  const tell = (positionMs: number, { speed = 1, paused = false } = {}, told = seat) =>
    told.note({ type: 'event', event: { type: 'clock', positionMs, speed, paused } });
  return { timers, session, sent, held, seat, join, tell };
}

describe('the page’s end of a playback session', () => {
  it('is not steered before the server has told its clock', () => {
    const { session, seat, tell } = setUp();
    seat.note({ type: 'opened' });
    expect(session.state.isControlled).toBe(false);
    expect(session.positionMs()).toBeUndefined();
    tell(5_000);
    expect(session.state).toEqual({ isControlled: true, isPaused: false, speed: 1, hasEnded: false, isRefused: false });
  });

  it('is refused when every stream of it was, until the server tells its clock again', () => {
    const { session, seat, join, tell } = setUp();
    const second = join();
    tell(5_000);
    const refuse = (refused: typeof seat) =>
      refused.note({ type: 'event', event: { type: 'error', code: 'link-refused', message: '' } });
    refuse(seat);
    expect(session.state.isRefused).toBe(false);
    refuse(second);
    expect(session.state.isRefused).toBe(true);
    tell(5_000);
    expect(session.state.isRefused).toBe(false);
  });

  it('knows where play is between two words of the server', () => {
    const { session, timers, tell } = setUp();
    tell(5_000, { speed: 4 });
    timers.advance(250);
    expect(session.positionMs()).toBe(6_000);
  });

  it('pauses and goes on, at once for the viewer', () => {
    const { session, timers, sent, held, tell } = setUp();
    tell(5_000);
    timers.advance(100);
    session.toggle();
    expect(session.state.isPaused).toBe(true);
    timers.advance(1_000);
    expect(session.positionMs()).toBe(5_100);
    session.toggle();
    expect(sent).toEqual([{ type: 'pause' }, { type: 'resume' }]);
    expect(held).toEqual([true, false]);
  });

  it('stays at the picture that it paused at, where the server stopped before it', () => {
    const { session, seat, sent, tell } = setUp();
    tell(5_000);
    session.pause();
    tell(5_030, { paused: true });
    seat.note({ type: 'ahead', positionMs: 5_040 });
    expect(sent).toEqual([{ type: 'pause' }, { type: 'seek', positionMs: 5_040 }]);
    expect(session.positionMs()).toBe(5_040);
  });

  it('does not go back to the picture that it paused at when the viewer has gone on', () => {
    const { session, seat, sent, tell } = setUp();
    tell(5_000);
    session.step(1);
    tell(5_030, { paused: true });
    seat.note({ type: 'ahead', positionMs: 5_040 });
    expect(sent).toEqual([{ type: 'pause' }, { type: 'step', frames: 1 }]);
  });

  it('does not go back to it for a seek that still waits for its turn', () => {
    const { session, seat, timers, sent, tell } = setUp();
    tell(5_000);
    session.seek(6_000);
    session.pause();
    session.seek(9_000);
    seat.note({ type: 'ahead', positionMs: 5_040 });
    tell(6_000, { paused: true });
    timers.advance(100);
    expect(sent.at(-1)).toEqual({ type: 'seek', positionMs: 9_000 });
  });

  it('follows one stream, since another one’s word may be late', () => {
    const { session, join, tell } = setUp();
    tell(5_000, { paused: true });
    tell(4_000, {}, join());
    expect(session.state.isPaused).toBe(true);
    expect(session.positionMs()).toBe(5_000);
  });

  it('sends of quick seeks only the newest, and shows where the viewer wants to be', () => {
    const { session, timers, sent, tell } = setUp();
    tell(0, { paused: true });
    for (const atMs of [10_000, 20_000, 30_000]) session.seek(atMs);
    expect(sent).toEqual([{ type: 'seek', positionMs: 10_000 }]);
    expect(session.positionMs()).toBe(30_000);
    tell(10_000, { paused: true });
    expect(session.positionMs()).toBe(30_000);
    timers.advance(100);
    expect(sent.at(-1)).toEqual({ type: 'seek', positionMs: 30_000 });
    tell(30_000, { paused: true });
    timers.advance(100);
    expect(sent).toHaveLength(2);
    expect(session.positionMs()).toBe(30_000);
  });

  it('believes the server again when a seek is never answered', () => {
    const { session, timers, tell } = setUp();
    tell(0, { paused: true });
    session.seek(10_000);
    timers.advance(3_000);
    expect(session.positionMs()).toBe(0);
  });

  it('stands still while the viewer drags, and then goes on as before', () => {
    const { session, sent, tell } = setUp();
    tell(0);
    session.startDrag();
    session.seek(6_000);
    session.seek(7_000);
    session.endDrag();
    const seeks = [
      { type: 'seek', positionMs: 6_000 },
      { type: 'seek', positionMs: 7_000 },
    ];
    expect(sent).toEqual([{ type: 'pause' }, ...seeks, { type: 'resume' }]);
    tell(7_000, { paused: true });
    session.startDrag();
    session.endDrag();
    expect(sent).toHaveLength(4);
  });

  it('steps in a pause', () => {
    const { session, sent, tell } = setUp();
    tell(0);
    session.step(-1);
    session.step(1);
    expect(sent).toEqual([{ type: 'pause' }, { type: 'step', frames: -1 }, { type: 'step', frames: 1 }]);
  });

  it('plays faster with each L, backwards with J, faster with each, and stops with K', () => {
    const { session, timers, sent, tell } = setUp();
    tell(60_000, { paused: true });
    session.forward();
    tell(60_000);
    session.forward();
    tell(60_000, { speed: 2 });
    expect(sent).toEqual([{ type: 'resume' }, { type: 'speed', speed: 2 }]);
    sent.length = 0;
    session.backward();
    session.backward();
    for (let step = 0; step < 5; step++) {
      timers.advance(100);
      const requests = sent.findLast((message) => message.type === 'seek');
      if (requests !== undefined) tell(requests.positionMs, { paused: true });
    }
    expect(session.positionMs()).toBeLessThan(60_000 - 600);
    session.pause();
    const count = sent.length;
    timers.advance(1_000);
    expect(sent.slice(count).filter(({ type }) => type === 'seek').length).toBeLessThanOrEqual(1);
  });

  it('tells a server that has forgotten the session where it was, how fast and whether it stood', () => {
    const { session, timers, sent, held, seat, tell } = setUp();
    tell(90_000, { speed: 2 });
    timers.advance(500);
    seat.note({ type: 'closed', code: 1006 });
    expect(held).toEqual([true]);
    timers.advance(20_000);
    expect(session.positionMs()).toBe(91_000);
    seat.note({ type: 'opened' });
    tell(5_000);
    expect(sent).toEqual([
      { type: 'speed', speed: 2 },
      { type: 'seek', positionMs: 91_000 },
    ]);
    expect(held).toEqual([true, false]);
    tell(91_000, { speed: 2 });
    expect(session.positionMs()).toBe(91_000);
  });

  it('says a seek again that a broken connection may have lost', () => {
    const { session, timers, sent, seat, tell } = setUp();
    tell(5_000);
    session.seek(90_000);
    seat.note({ type: 'closed', code: 1006 });
    timers.advance(20_000);
    expect(session.positionMs()).toBe(90_000);
    seat.note({ type: 'opened' });
    tell(25_000);
    expect(sent.filter(({ type }) => type === 'seek')).toEqual([
      { type: 'seek', positionMs: 90_000 },
      { type: 'seek', positionMs: 90_000 },
    ]);
    tell(90_000);
    expect(session.positionMs()).toBe(90_000);
  });

  it('asks nothing of a server that has kept it', () => {
    const { timers, sent, seat, tell } = setUp();
    tell(90_000, { speed: 2 });
    timers.advance(500);
    seat.note({ type: 'closed', code: 1006 });
    timers.advance(2_000);
    tell(91_040, { speed: 2 });
    expect(sent).toEqual([]);
  });

  it('has ended when all its streams have, and not at late word of pictures before it', () => {
    const { session, timers, seat, join, tell } = setUp();
    const other = join();
    tell(0);
    timers.advance(1_000);
    seat.note({ type: 'quiet', event: { type: 'ended' } });
    expect(session.state.hasEnded).toBe(false);
    other.note({ type: 'quiet', event: { type: 'ended' } });
    other.note({ type: 'shown', ageMs: 100 });
    expect(session.state.hasEnded).toBe(true);
    timers.advance(500);
    other.note({ type: 'shown', ageMs: 0 });
    expect(session.state.hasEnded).toBe(false);
  });
});
