import { describe, expect, it } from 'vitest';
import { TRACKS_ACCOUNT_LIMIT, TrackTurns } from '../../../../server/tracks/trackTurns.ts';

const there = new AbortController().signal;

async function takeAll(turns: TrackTurns, account: string, count: number): Promise<(() => void)[]> {
  const taken: (() => void)[] = [];
  for (let index = 0; index < count; index++) {
    const turn = await turns.take(account, there);
    if (typeof turn !== 'function') throw new Error(turn);
    taken.push(turn);
  }
  return taken;
}

describe('turns of those who read tracks', () => {
  it('lets one account wait while another has places', async () => {
    const turns = new TrackTurns(() => undefined);
    const [first] = await takeAll(turns, 'ann', TRACKS_ACCOUNT_LIMIT.max);
    let hasTurn = false;
    const waiting = turns.take('ann', there).then((turn) => {
      hasTurn = true;
      return turn;
    });
    const [other] = await takeAll(turns, 'bob', 1);
    // A place that ann may not have.
    other?.();
    await takeAll(turns, 'bob', 1);
    expect(hasTurn).toBe(false);
    first?.();
    expect(await waiting).toBeTypeOf('function');
  });

  it('forgets whoever has gone', async () => {
    const turns = new TrackTurns(() => undefined);
    const [first, second] = await takeAll(turns, 'ann', TRACKS_ACCOUNT_LIMIT.max);
    const gone = new AbortController();
    const left = turns.take('ann', gone.signal);
    const stays = turns.take('ann', there);
    gone.abort();
    expect(await left).toBe('gone');
    expect(await turns.take('ann', AbortSignal.abort())).toBe('gone');
    first?.();
    expect(await stays).toBeTypeOf('function');
    second?.();
    await takeAll(turns, 'ann', 1);
  });
});
