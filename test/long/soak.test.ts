import { expect, it } from 'vitest';
import { type SoakMinute, soak } from '../bench/soak/measure.ts';

const MINUTES = 10;
/** The first two warm caches and just-in-time compilers. */
const WARM_MINUTES = 2;
/** What a collector that has not come round yet leaves standing. */
const MOST_GROWTH = 1.1;

it('eight channels played and recorded for ten minutes take no more memory at the end than at the beginning', async () => {
  const minutes = await soak(MINUTES, ({ minute, ...figures }) =>
    process.stdout.write(`${minute} ${JSON.stringify(figures)}\n`),
  );
  const warm = minutes.slice(WARM_MINUTES);
  const half = Math.floor(warm.length / 2);
  const growth = (pick: (minute: SoakMinute) => number): number =>
    mean(warm.slice(-half).map(pick)) / mean(warm.slice(0, half).map(pick));
  expect(growth(({ browserMib }) => browserMib)).toBeLessThan(MOST_GROWTH);
  expect(growth(({ heapMib }) => heapMib)).toBeLessThan(MOST_GROWTH);
  expect(growth(({ gatewayMib }) => gatewayMib)).toBeLessThan(MOST_GROWTH);
  // It played all the while: eight channels of 25 pictures a second, but for what a busy machine leaves out.
  for (const { pictures } of minutes) expect(pictures).toBeGreaterThan(0.9 * 8 * 25 * 60);
});

const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;
