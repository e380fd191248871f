import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inGatewayOrder } from '../../../../../server/tracks/line/gatewayOrder.ts';
import { DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';
import { heldTrack } from '../heldTrack.ts';

async function timesOf(clock: DeviceClock, deviceTimes: readonly number[], span = { fromMs: 0, toMs: 10_000 }) {
  const reading = heldTrack(deviceTimes.map((deviceTimeMs) => ({ deviceTimeMs, speedKmh: deviceTimeMs })));
  const times: number[] = [];
  for await (const { atMs, count, speedKmh, deviceTimeMs } of inGatewayOrder(
    reading,
    { incarnation: 1, clock, ...span },
    ['speedKmh'],
  )) {
    expect([atMs.length, speedKmh]).toEqual([count, deviceTimeMs]);
    times.push(...atMs);
  }
  return { times, asked: reading.asked };
}

const offset = fc.integer({ min: -3_000, max: 3_000 });
const someSteps = fc.array(fc.record({ deviceFromMs: fc.nat(10_000), offsetMs: offset }), { maxLength: 6 });

describe('positions in the order of the gateway', () => {
  it('are all those of the span, each once', async () => {
    await fc.assert(
      fc.asyncProperty(someSteps, fc.array(fc.nat(12_000), { maxLength: 60 }), async (steps, deviceTimes) => {
        const clock = new DeviceClock(steps);
        const { times } = await timesOf(clock, deviceTimes);
        const expected = deviceTimes.map((atMs) => clock.toGateway(atMs)).filter((atMs) => atMs >= 0 && atMs < 10_000);
        expect(times).toEqual(expected.sort((left, right) => left - right));
      }),
    );
  });

  it('are read one stretch after the other, and those of a wrong year where they were stored', async () => {
    const yearsMs = 73 * 365 * 86_400_000;
    const clock = new DeviceClock([
      { deviceFromMs: 0, offsetMs: 0 },
      { deviceFromMs: yearsMs, offsetMs: -yearsMs + 500 },
    ]);
    const { times, asked } = await timesOf(clock, [100, 200, yearsMs + 50, yearsMs + 60]);
    expect(times).toEqual([100, 200, 550, 560]);
    expect(asked).toBe(2);
  });
});
