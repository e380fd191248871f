// What a terminal is told while its page says more than it follows.
import { describe, expect, it } from 'vitest';
import type { RemoteFeed } from '../../../../../server/device/playback/remoteSource.ts';
import { RemoteSession } from '../../../../../server/stream/remote/remoteSession.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';

const START = Date.UTC(2026, 10, 20, 14);

function setUp() {
  const timers = new ManualTimers();
  const told: string[] = [];
  const answers: ((hasObeyed: boolean) => void)[] = [];
  const say = (order: string): Promise<boolean> => {
    told.push(order);
    return new Promise((resolve) => answers.push(resolve));
  };
  const feed: RemoteFeed = {
    recordedEnd: undefined,
    play: () => say('play'),
    pause: () => say('pause'),
    fastForward: (speed) => say(`fast-forward ${speed}`),
    seek: () => say('seek'),
    hold: () => undefined,
    close: () => undefined,
  };
  const order = { deviceId: 'BUS1', channel: 1, quality: 'any', start: wallMs(START) } as const;
  const session = new RemoteSession(
    { ...order, end: wallMs(START + 60_000) },
    { now: timers.now, runAfter: timers.runAfter, onOver: () => undefined, onFault: noFaults },
  );
  session.start(feed);
  /** Until the terminal has nothing to answer any more. */
  const answerAll = async (): Promise<void> => {
    while (answers.length > 0) {
      for (const answer of answers.splice(0)) answer(true);
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    }
  };
  return { session, told, answers, answerAll };
}

describe('a terminal whose page says more than it follows', () => {
  it('has a few orders to answer, and in the end the state that was wanted last', async () => {
    const { session, told, answers, answerAll } = setUp();
    for (let round = 0; round < 5_000; round++) {
      session.handle({ type: 'pause' });
      session.handle({ type: 'speed', speed: round % 2 === 0 ? 2 : 4 });
      session.handle({ type: 'resume' });
    }
    expect(answers.length).toBeLessThanOrEqual(4);
    await answerAll();
    expect(told.length).toBeLessThan(20);
    expect(told.slice(-2)).toEqual(['play', 'fast-forward 4']);
  });

  it('is paused in the end when that was wanted last', async () => {
    const { session, told, answerAll } = setUp();
    for (let round = 0; round < 1_000; round++) session.handle({ type: round % 2 === 0 ? 'resume' : 'pause' });
    await answerAll();
    expect(told.at(-1)).toBe('pause');
  });

  it('is told at once what a page says now and then, also while it has not answered', () => {
    const { session, told } = setUp();
    session.handle({ type: 'pause' });
    session.handle({ type: 'resume' });
    session.handle({ type: 'speed', speed: 4 });
    expect(told).toEqual(['pause', 'play', 'fast-forward 4']);
  });
});
