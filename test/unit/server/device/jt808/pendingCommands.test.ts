import { beforeEach, describe, expect, it } from 'vitest';
import { PendingCommands } from '../../../../../server/device/jt808/pendingCommands.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const LIVE_REQUEST = 0x9101;

describe('PendingCommands', () => {
  let timers: ManualTimers;
  let pending: PendingCommands;

  beforeEach(() => {
    timers = new ManualTimers();
    pending = new PendingCommands(timers.runAfter);
  });

  it('gives each command its own answer', async () => {
    const first = pending.await({ first: 1, last: 1 }, LIVE_REQUEST, 1_000);
    const second = pending.await({ first: 2, last: 2 }, LIVE_REQUEST, 1_000);
    pending.answer(2, LIVE_REQUEST, 1);
    pending.answer(1, LIVE_REQUEST, 0);
    expect(await first).toEqual({ ok: true });
    expect(await second).toEqual({ ok: false, reason: 'refused', result: 1 });
    expect(timers.pending).toBe(0);
  });

  it('ignores an answer to something else, and a second answer', async () => {
    const answer = pending.await({ first: 1, last: 1 }, LIVE_REQUEST, 1_000);
    pending.answer(1, 0x8104, 0);
    pending.answer(7, LIVE_REQUEST, 0);
    pending.answer(1, LIVE_REQUEST, 3);
    pending.answer(1, LIVE_REQUEST, 0);
    expect(await answer).toEqual({ ok: false, reason: 'refused', result: 3 });
  });

  it('ends a command of several packages with the last, or with the first that is refused', async () => {
    const long = pending.await({ first: 0xfffe, last: 1 }, LIVE_REQUEST, 1_000);
    for (const serial of [0xfffe, 0xffff, 0]) pending.answer(serial, LIVE_REQUEST, 0);
    expect(timers.pending).toBe(1);
    pending.answer(1, LIVE_REQUEST, 0);
    expect(await long).toEqual({ ok: true });
    const refused = pending.await({ first: 2, last: 4 }, LIVE_REQUEST, 1_000);
    pending.answer(2, LIVE_REQUEST, 2);
    expect(await refused).toEqual({ ok: false, reason: 'refused', result: 2 });
  });

  it('leaves none hanging when the terminal is silent or gone', async () => {
    const silent = pending.await({ first: 1, last: 1 }, LIVE_REQUEST, 1_000);
    timers.advance(1_000);
    expect(await silent).toEqual({ ok: false, reason: 'timeout' });
    const cut = pending.await({ first: 2, last: 2 }, LIVE_REQUEST, 1_000);
    pending.close();
    expect(await cut).toEqual({ ok: false, reason: 'closed' });
    expect(timers.pending).toBe(0);
  });
});
