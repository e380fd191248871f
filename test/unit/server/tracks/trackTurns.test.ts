import { describe, expect, it } from 'vitest';
import { TRACKS_ACCOUNT_LIMIT, type TrackAsker, TrackTurns } from '../../../../server/tracks/trackTurns.ts';
import { ONE_OWNER, OWNERS_BY_HUNDRED } from '../../../support/fakes/deviceOwners.ts';

const there = new AbortController().signal;

const member = (account: string, memberGroup = 1): TrackAsker => ({ account, memberGroup });

async function takeAll(turns: TrackTurns, account: string, count: number): Promise<(() => void)[]> {
  const taken: (() => void)[] = [];
  for (let index = 0; index < count; index++) {
    const turn = await turns.take(member(account), there);
    if (typeof turn !== 'function') throw new Error(turn);
    taken.push(turn);
  }
  return taken;
}

describe('turns of those who read tracks', () => {
  it('lets one account wait while another has places', async () => {
    const turns = new TrackTurns({ owners: ONE_OWNER, onLimit: () => undefined });
    const [first] = await takeAll(turns, 'ann', TRACKS_ACCOUNT_LIMIT.max);
    let hasTurn = false;
    const waiting = turns.take(member('ann'), there).then((turn) => {
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
    const turns = new TrackTurns({ owners: ONE_OWNER, onLimit: () => undefined });
    const [first, second] = await takeAll(turns, 'ann', TRACKS_ACCOUNT_LIMIT.max);
    const gone = new AbortController();
    const left = turns.take(member('ann'), gone.signal);
    const stays = turns.take(member('ann'), there);
    gone.abort();
    expect(await left).toBe('gone');
    expect(await turns.take(member('ann'), AbortSignal.abort())).toBe('gone');
    first?.();
    expect(await stays).toBeTypeOf('function');
    second?.();
    await takeAll(turns, 'ann', 1);
  });

  describe('of several member groups', () => {
    const [CROWD, FEW, OTHERS] = [1, 2, 3];

    function open() {
      const reached: string[] = [];
      const turns = new TrackTurns({ owners: OWNERS_BY_HUNDRED, onLimit: ({ name }) => void reached.push(name) });
      const begun: string[] = [];
      const give = new Map<string, () => void>();
      /** Each of an account of its own. */
      const ask = async (name: string, memberGroup: number): Promise<void> => {
        void turns.take(member(name, memberGroup), new AbortController().signal).then((turn) => {
          if (typeof turn === 'string') return begun.push(`${name}: ${turn}`);
          give.set(name, turn);
          return begun.push(name);
        });
        await passed();
      };
      const end = async (name: string): Promise<void> => {
        give.get(name)?.();
        await passed();
      };
      return { ask, end, begun, reached };
    }

    const passed = () => new Promise((resolve) => setImmediate(resolve));

    it('leaves places for another group, however many accounts there are', async () => {
      const { ask, begun, reached } = open();
      for (let at = 0; at < 20; at++) await ask(`crowd ${at}`, CROWD);
      expect(begun).toHaveLength(6);
      expect(new Set(reached)).toEqual(new Set(['tracks.running.process']));
      await ask('few', FEW);
      expect(begun.at(-1)).toBe('few');
    });

    it('gives the next turn to the group with the fewest', async () => {
      const { ask, end, begun } = open();
      for (let at = 0; at < 20; at++) await ask(`crowd ${at}`, CROWD);
      for (const name of ['few 1', 'few 2', 'few 3']) await ask(name, FEW);
      await ask('other', OTHERS);
      expect(begun.slice(6)).toEqual(['few 1', 'few 2']);
      await end('crowd 0');
      expect(begun.at(-1)).toBe('other');
      await end('crowd 1');
      expect(begun.at(-1)).toBe('few 3');
    });

    it('leaves room to wait', async () => {
      const { ask, begun, reached } = open();
      for (let at = 0; at <= 6 + 192; at++) await ask(`crowd ${at}`, CROWD);
      expect(begun.at(-1)).toBe('crowd 198: full');
      expect(reached.at(-1)).toBe('tracks.waiting.process');
      for (const name of ['few 1', 'few 2', 'few 3']) await ask(name, FEW);
      expect(begun.slice(-2)).toEqual(['few 1', 'few 2']);
    });
  });
});
