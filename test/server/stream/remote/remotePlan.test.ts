// A data plan that is used up, and recordings of the device's card.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RemoteFeed, RemoteOpening, RemoteOrder } from '../../../../server/device/playback/remoteSource.ts';
import type { PlanGate } from '../../../../server/device/usage/planGate.ts';
import { streamAnswer } from '../../../../server/netflow/rules/planAnswers.ts';
import { PLAN_REFUSALS } from '../../../../server/netflow/rules/planRefusals.ts';
import { RemotePlayback } from '../../../../server/stream/remote/remotePlayback.ts';
import type { PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { Watching } from './remoteScene.ts';

const ASKED = {
  ...{ credential: 'link', session: undefined, deviceId: 'BUS1', streamId: 1, channel: 1 },
  ...{ start: wallMs(0), durationMs: 60_000 },
};

class Plans implements Pick<PlanGate, 'mayStream' | 'subscribe'> {
  #action: PlanAction = 'none';
  readonly listeners = new Set<(deviceId: string) => void>();

  mayStream: PlanGate['mayStream'] = (_, quality, purpose) => streamAnswer(this.#action, quality, purpose);
  subscribe: PlanGate['subscribe'] = (listener) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The plan is used up, and leaves this. */
  leave(action: PlanAction, deviceId = 'BUS1'): void {
    this.#action = action;
    for (const listener of this.listeners) listener(deviceId);
  }
}

let plans: Plans;
let playback: RemotePlayback;
let closedFeeds: number;
/** What happens before the terminal begins to send. */
let opening: () => void;
beforeEach(() => {
  plans = new Plans();
  closedFeeds = 0;
  opening = () => undefined;
  const yes = async (): Promise<boolean> => true;
  const feed: RemoteFeed = {
    ...{ recordedEnd: undefined, play: yes, pause: yes, fastForward: yes, seek: yes, hold: () => undefined },
    close: () => {
      closedFeeds++;
    },
  };
  playback = new RemotePlayback({
    source: {
      open: async (): Promise<RemoteOpening> => {
        opening();
        return { ok: true, feed };
      },
    },
    plans: { gate: plans, refusals: PLAN_REFUSALS },
    now: () => 0,
    runAfter: () => () => undefined,
    hashOf: (credential) => credential,
    onFault: noFaults,
  });
});
afterEach(() => playback.close());

const play = (quality: RemoteOrder['quality']) => playback.play({ ...ASKED, quality });
const watch = (quality: RemoteOrder['quality']) => new Watching(playback, { ...ASKED, quality });

describe('playback of the card under a data plan (S-2.4.9)', () => {
  it.each([
    ['sub-stream', 'main', 'plan-sub-stream'],
    ['events-only', 'sub', 'plan-events-only'],
    ['no-video', 'any', 'plan-no-video'],
  ] as const)('with "%s" does not begin in %s quality', async (action, quality, code) => {
    plans.leave(action);
    expect(await play(quality)).toEqual({ ok: false, code });
    expect(playback.isBusy('BUS1')).toBe(false);
  });

  it.each([
    ['sub-stream', 'main', 'plan-sub-stream'],
    ['no-video', 'sub', 'plan-no-video'],
  ] as const)('ends with "%s" in %s quality, and a page that comes back is told why', async (action, quality, code) => {
    expect(await play(quality)).toEqual({ ok: true });
    const page = watch(quality);
    plans.leave(action);
    const end = { kind: 'failed', ...PLAN_REFUSALS[code] };
    expect(page.ends).toEqual([end]);
    expect(watch(quality).ends).toEqual([end]);
    expect(closedFeeds).toBe(1);
    expect(playback.isBusy('BUS1')).toBe(false);
  });

  it.each(['sub', 'any'] as const)('goes on in %s quality with "sub stream only"', async (quality) => {
    await play(quality);
    const page = watch(quality);
    plans.leave('sub-stream');
    expect(page.ends).toEqual([]);
    expect(playback.isBusy('BUS1')).toBe(true);
  });

  it('goes on when the plan of another device is used up', async () => {
    await play('main');
    plans.leave('no-video', 'BUS2');
    expect(playback.isBusy('BUS1')).toBe(true);
  });

  it('is refused for the plan that was used up while the terminal was asked', async () => {
    opening = () => plans.leave('no-video');
    expect(await play('main')).toEqual({ ok: false, code: 'plan-no-video' });
    expect(closedFeeds).toBe(1);
  });

  it('is not asked for anymore once all is closed', () => {
    playback.close();
    expect(plans.listeners.size).toBe(0);
  });
});
