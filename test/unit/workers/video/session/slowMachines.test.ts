// Whatever the machine's pace and the network's: where a session stands, its picture is shown.
import { describe, expect, it } from 'vitest';
import { createRandom, pick, type Random } from '../../../../support/fuzz.ts';
import { runs } from '../../../../support/runs.ts';
import { closedGroups, ORDERS } from '../decode/pictureOrders.ts';
import { SimulatedSession } from './simulatedSession.ts';

const PICTURES = 900;
/** Longer than the slowest machine takes for a group of pictures, twice, and for one that it hangs at. */
const SETTLED_MS = 15_000;
/** Ten times as fast as the pictures are shown, and three times as slow. */
const UNIT_MS = [4, 10, 30, 60, 120];
/** One picture in a hundred takes a machine that has other things to do so much longer. */
const HICCUP_MS = 1_500;

type Order = (typeof ORDERS)[number];

/** Gives what was done, and the pictures that were missed. */
async function played([, order, heldBack]: Order, random: Random): Promise<string[]> {
  const usualMs = pick(UNIT_MS, random);
  const networkMs = pick([10, 10, 300], random);
  // Groups of pictures that take about as long as those of vehicles.
  const parts = Math.ceil(8 / order.length);
  const group = Array.from({ length: parts }, (_, part) => order.map((place) => place + part * order.length)).flat();
  const session = new SimulatedSession({
    pictures: closedGroups(group, Math.ceil(PICTURES / (3 * group.length))),
    heldBack,
    unitMs: () => (random(100) === 0 ? random(HICCUP_MS) : usualMs * (0.3 + random(100) / 100)),
    delayMs: () => random(networkMs),
  });
  const done: string[] = [`${usualMs} ms a picture, ${networkMs} ms away`];
  const missed: string[] = [];
  session.seek(random(250), false);
  await session.pass(500 + random(3_000));
  session.pause(random(2) === 0);
  for (let move = 0; move < 4; move++) {
    if (move > 0) done.push(await makeMove(session, random));
    await session.settle(SETTLED_MS);
    const wanted = Math.floor(session.position);
    if (session.painted.at(-1) !== wanted) {
      missed.push(`${done.join(', ')}: ${session.painted.at(-1)} instead of ${wanted}`);
    }
  }
  session.close();
  return missed;
}

async function makeMove(session: SimulatedSession, random: Random): Promise<string> {
  const move = pick(['seek', 'step', 'play'], random);
  if (move === 'seek') session.seek(random(350), true);
  else if (move === 'step') session.step();
  else {
    session.play();
    await session.pass(random(3_000));
    session.pause(random(2) === 0);
  }
  return move;
}

describe('a stream of a playback session on a slow machine', { timeout: 120_000 }, () => {
  it.each(ORDERS.slice(0, 5).map((order) => [order[0], order] as const))(
    '%s: comes to the picture at which the session stands',
    async (_name, order) => {
      const missed: string[] = [];
      for (let run = 0; run < runs(60); run++) missed.push(...(await played(order, createRandom(run))));
      expect(missed).toEqual([]);
    },
  );

  it.each(ORDERS.slice(0, 5).map((order) => [order[0], order] as const))(
    '%s: plays on, however slowly',
    async (_name, [, order, heldBack]) => {
      const random = createRandom(order.length);
      for (const usualMs of UNIT_MS) {
        const session = new SimulatedSession({
          pictures: closedGroups(order, PICTURES / order.length),
          heldBack,
          unitMs: () => (random(100) === 0 ? random(3 * HICCUP_MS) : usualMs),
          delayMs: () => random(200),
        });
        session.seek(20, false);
        for (let second = 0; second < 10; second++) {
          const before = session.painted.length;
          await session.pass(6_000);
          expect(session.painted.length, `${usualMs} ms a picture`).toBeGreaterThan(before);
        }
        session.close();
      }
    },
  );
});
