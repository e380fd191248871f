import { expect, it } from 'vitest';
import { timedAbout } from '../../../../pages/innerpage/version/about/timedAbout.ts';
import type { About } from '../../../../shared/protocol/api/system/about.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const clock =
  (...times: number[]) =>
  () =>
    times.shift() ?? Number.NaN;
const answered = (nowMs: number) => async () => ({ ok: true, value: { nowMs: wallMs(nowMs) } as About }) as const;

it('compares the clocks in the middle of the call', async () => {
  expect(await timedAbout(answered(1_150), clock(1_000, 1_300))).toMatchObject({ value: { aheadMs: 0 } });
  expect(await timedAbout(answered(61_150), clock(1_000, 1_300))).toMatchObject({ value: { aheadMs: -60_000 } });
});

it('gives the failure of the call', async () => {
  const failure = { ok: false, kind: 'aborted' } as const;
  expect(await timedAbout(async () => failure, clock(1))).toEqual(failure);
});
