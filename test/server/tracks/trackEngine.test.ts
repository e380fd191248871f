import { afterEach, expect, it } from 'vitest';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { randomOf, someDays } from '../../support/tracks/drives.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';
import { sortedResult, TrackScene } from './trackScene.ts';

/** Each is another order, and costs seconds of thousands of reports. */
const SEEDS = IS_LONG ? { sqlite: [1, 2, 3], postgres: [1, 2, 3] } : { sqlite: [1], postgres: [2] };
const FROM_MS = Date.UTC(2026, 10, 20);

describeOnBothEngines('tracks, in whatever order positions come', (engine) => {
  let scene: TrackScene | undefined;
  afterEach(async () => {
    await scene?.engine.close();
    await scene?.database.close();
  });

  it.each(SEEDS[engine])('come to what the sorted list comes to, seed %i', async (seed) => {
    const random = randomOf(seed);
    scene = await TrackScene.open(engine, FROM_MS);
    const all = someDays(random, FROM_MS, 2);
    const ownLate = all.map(() => random() < 0.15);
    // Stretches without a network, and single positions.
    let isAway = false;
    const isLate = all.map((_, at) => {
      if (at % 50 === 0) isAway = random() < 0.3;
      return isAway || ownLate[at] === true;
    });
    const late = all.filter((_, at) => isLate[at] === true).map((position) => ({ position, key: random() }));
    const sent: Position[] = [];
    let held: typeof late = [];
    const ready: Position[] = [];
    for (const [at, position] of all.entries()) {
      if (isLate[at] === true) {
        held.push(...late.filter((each) => each.position === position));
        continue;
      }
      sent.push(position);
      ready.push(position);
      if (random() > 0.1) continue;
      scene.goOnTo(position.deviceTimeMs);
      await scene.report(ready.splice(0));
      if (random() < 0.2) {
        const receivedAtMs = wallMs(position.deviceTimeMs + 1);
        const part = held.toSorted((left, right) => left.key - right.key).slice(0, Math.ceil(held.length * random()));
        held = held.filter((each) => !part.includes(each));
        const positions = part.map((each) => ({ ...each.position, receivedAtMs, isLate: true }));
        sent.push(...positions);
        await scene.report(positions);
        // The same again: it was not confirmed in time.
        if (random() < 0.3) await scene.report(positions.slice(0, 3));
      }
      if (random() < 0.02) await scene.settle();
      if (random() < 0.03) await scene.restart(random() < 0.5 ? 'closed' : 'killed');
    }
    const receivedAtMs = wallMs(FROM_MS + 2 * 86_400_000);
    scene.goOnTo(receivedAtMs);
    const positions = held.map((each) => ({ ...each.position, receivedAtMs, isLate: true }));
    await scene.report(ready);
    await scene.report(positions);
    sent.push(...positions);
    await scene.settle();
    expect(scene.faults).toEqual([]);
    expect(await scene.stored()).toEqual(sortedResult(sent));
  });
});
