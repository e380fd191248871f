// The delivery under a clock that is set while it runs.
import { expect, it } from 'vitest';
import { Deliverer, type DelivererDeps } from '../../../../server/notify/delivery/deliverer.ts';
import { turnUntil, waitFor } from '../../../support/waitFor.ts';
import { type DeliveryScene, openDeliveryScene } from './deliveryScene.ts';

const HOUR_MS = 60 * 60_000;

/** With a clock of its own, beside the timers. */
async function open(change: (scene: DeliveryScene) => Partial<DelivererDeps> = () => ({})) {
  const faults: string[] = [];
  const scene = await openDeliveryScene({ onFault: (error) => faults.push(error.message) });
  const clock = { setByMs: 0 };
  const now = (): number => scene.now() + clock.setByMs;
  const deliverer = new Deliverer({ ...scene.deps, now, ...change(scene) });
  /** Due by each of the clocks. */
  const add = async (sender: number): Promise<number> => {
    return (await scene.add({ sender, dueAtMs: scene.now() - 2 * HOUR_MS })).id;
  };
  return { scene, clock, deliverer, faults, add };
}

it('a sender with a pace goes on when the clock is set back', async () => {
  const { scene, clock, deliverer, add } = await open();
  const sender = await scene.addSender({ perMinute: 6 });
  const [first, second] = [await add(sender), await add(sender)];
  await deliverer.start();
  await scene.reaches(first, 'sent');
  clock.setByMs = -HOUR_MS;
  await turnUntil('the next one is sent', () => {
    scene.timers.advance(1_000);
    return scene.sent.length === 2;
  });
  await scene.reaches(second, 'sent');
  expect(scene.timers.now()).toBeLessThan(HOUR_MS / 2);
  await deliverer.close();
});

it('a sender goes on after a fault of the database when the clock is set back', async () => {
  let isBroken = true;
  const { scene, clock, deliverer, faults, add } = await open(({ deps: { queue } }) => {
    const due: typeof queue.due = (...given) =>
      isBroken ? Promise.reject(new Error('no database')) : queue.due(...given);
    return { queue: { ...queue, due } };
  });
  const id = await add(await scene.addSender());
  await deliverer.start();
  await waitFor('it fails', () => faults.length > 0);
  isBroken = false;
  clock.setByMs = -HOUR_MS;
  scene.timers.advance(10_000);
  await scene.reaches(id, 'sent');
  await deliverer.close();
});

it('a database that is away is asked again now and then, and nothing is lost', async () => {
  let isBroken = true;
  let asked = 0;
  const { scene, deliverer, faults, add } = await open(({ deps: { queue } }) => {
    const due: typeof queue.due = (...given) => {
      asked++;
      return isBroken ? Promise.reject(new Error('no database')) : queue.due(...given);
    };
    return { queue: { ...queue, due } };
  });
  const sender = await scene.addSender();
  const id = await add(sender);
  await deliverer.start();
  for (let second = 0; second < 60; second++) {
    deliverer.wake([sender]);
    scene.timers.advance(1_000);
    // Lets what was begun come to its end.
    await scene.stores.notifyQueue.waitingCount();
  }
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(7);
  expect(new Set(faults)).toEqual(new Set(['messages that are due could not be read']));
  isBroken = false;
  scene.timers.advance(10_000);
  await scene.reaches(id, 'sent');
  expect(scene.sent).toHaveLength(1);
  await deliverer.close();
});
