import { expect, it } from 'vitest';
import { askedUntil } from '../../../../../server/sync/engine/attempts/attempt.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

it('a device is asked to the end of the second in which what is missing ends', () => {
  const askedFor = (deviceToMs: number): number => askedUntil({ deviceToMs: wallMs(deviceToMs) });
  expect([39_000, 39_001, 39_753, 40_000].map(askedFor)).toEqual([39_000, 40_000, 40_000, 40_000]);
});
