import { describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../../server/firmware/delivery/delivery.ts';
import { hasEnded } from '../../../../server/firmware/rules/course.ts';
import { FirmwareWorld } from '../../../support/firmware/firmwareWorld.ts';
import { createRandom, pick, type Random } from '../../../support/fuzz.ts';
import { runs } from '../../../support/runs.ts';

const MINUTE_MS = 60_000;
const RUNS = runs(40);
const FAULTS: readonly DeliveryOutcome[] = [
  { ok: false, fault: 'disconnected', isPassing: true, detail: '' },
  { ok: false, fault: 'no-answer', isPassing: true, detail: '' },
  { ok: false, fault: 'refused', isPassing: false, detail: '' },
];

/** What terminals do: `badOf10` of ten deliveries fail, and as many of those that don't bring no new version. */
async function live(world: FirmwareWorld, random: Random, badOf10: number): Promise<void> {
  for (const { terminal } of [...world.open]) {
    if (random(3) > 0) continue;
    if (random(4) === 0) {
      await world.arriveUnheard(terminal.incarnation);
      await fallSilent(world, terminal.incarnation, random);
      continue;
    }
    const isBad = random(10) < badOf10;
    await world.settle(terminal.incarnation, isBad ? pick(FAULTS, random) : { ok: true });
  }
  for (const { id, state } of [...world.rows.values()]) {
    if (state === 'sent' && random(2) === 0) await world.leave(id);
    else if (state === 'rebooting' && random(2) === 0) {
      const isNew = random(10) >= badOf10;
      await world.enter(id, isNew ? 'V2.0' : world.terminal(id).version);
    }
  }
  if (random(8) === 0) await world.restart();
}

/** It has all of the image, and the gateway does not hear of that. */
async function fallSilent(world: FirmwareWorld, id: number, random: Random): Promise<void> {
  if (random(2) === 0) await world.restart();
  else await world.settle(id, pick(FAULTS.slice(0, 2), random));
  await world.leave(id);
  // Many sign in once more before they install.
  if (random(2) === 0) await world.enter(id);
  await world.pass(random(10) * MINUTE_MS, MINUTE_MS);
  await world.leave(id);
  await world.enter(id, 'V2.0');
}

describe('firmware tasks, whatever terminals do', () => {
  it.each(Array.from({ length: RUNS }, (_, seed) => seed))(
    'end with every device in a true state (seed %i)',
    async (seed) => {
      const random = createRandom(seed + 1);
      const concurrency = 1 + random(4);
      const abortDevices = 2 + random(4);
      const world = new FirmwareWorld(4 + random(12), {
        canaries: random(2) === 0 ? ['BUS2'] : [],
        stages: random(2) === 0 ? [30, 60, 100] : [100],
        requiredPercent: 0,
        abortDevices,
        abortPercent: 1,
        concurrency,
      });
      const badOf10 = random(4);
      await world.start();
      for (let round = 0; round < 600 && world.task.state === 'running'; round++) {
        await live(world, random, badOf10);
        await world.pass(MINUTE_MS, MINUTE_MS / 2);
        const late = [...world.rows.values()].filter(({ stage, attempts }) => stage > world.task.stage && attempts > 0);
        expect(late, 'devices of later stages').toEqual([]);
        expect(world.open.length).toBeLessThanOrEqual(concurrency);
      }
      await world.pass(80 * MINUTE_MS, MINUTE_MS);
      const rows = [...world.rows.values()];
      expect(rows.filter(({ state }) => !hasEnded(state)).map(({ id, state }) => [id, state])).toEqual([]);
      expect(['done', 'stopped']).toContain(world.task.state);
      const failures = rows.filter(({ state }) => state === 'failed' || state === 'refused').length;
      if (world.task.state === 'stopped') expect(failures).toBeGreaterThanOrEqual(abortDevices);
      for (const { id, state } of rows) {
        const { version, flashes } = world.terminal(id);
        // Only an installed image counts as done, and what has one is not sent it again.
        if (state === 'done') expect({ id, version }).toEqual({ id, version: 'V2.0' });
        expect({ id, most: flashes <= 1 }).toEqual({ id, most: true });
      }
      expect(world.faults).toEqual([]);
    },
  );
});
