import { expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../../support/waitFor.ts';
import { atMinute, createPlanningScene, PLANNED_AT_MS, type PlanningScene } from './planningScene.ts';

/** Minutes from the midnight to the scene's time. */
const NOW = (PLANNED_AT_MS - atMinute(0)) / 60_000;

async function openScene(): Promise<PlanningScene> {
  const scene = await createPlanningScene();
  onTestFinished(() => scene.close());
  await scene.list([[60, 70]]);
  return scene;
}

const SPAN = { fromMs: atMinute(60), toMs: atMinute(70) };

it('what was canceled because its rule did not have the device any more is planned again', async () => {
  const scene = await openScene();
  const rule = await scene.addRule();
  const id = await scene.addItem({ ...SPAN, rule, memberGroup: scene.depot, requestedBy: '' });
  await scene.stores.syncItems.change(id, { state: 'canceled', fault: 'not-allowed' }, 11);
  expect(await scene.plan()).toBe(1);
  expect(await scene.planned()).toEqual([[1, 60, 70]]);
  expect(await scene.plan()).toBe(0);
});

it('what a member canceled of a rule is not', async () => {
  const scene = await openScene();
  const rule = await scene.addRule();
  const id = await scene.addItem({ ...SPAN, rule, memberGroup: scene.depot, requestedBy: '' });
  await scene.stores.syncItems.change(id, { state: 'canceled' }, 11);
  expect(await scene.plan()).toBe(0);
});

it('a request that was canceled keeps no rule from what it was for', async () => {
  const scene = await openScene();
  const id = await scene.addItem(SPAN);
  await scene.addRule();
  await scene.stores.syncItems.change(id, { state: 'canceled' }, 11);
  expect(await scene.plan()).toBe(1);
});

it('what the device was writing when it was listed is planned a minute later', async () => {
  const scene = await openScene();
  await scene.list([
    [60, 70],
    [NOW - 5, NOW],
  ]);
  await scene.addRule();
  expect(await scene.plan()).toBe(1);
  const later = () => {
    scene.pass(5_000);
    return scene.planned();
  };
  const planned = await waitFor('the rest', later, (items) => items.length === 2);
  expect(planned).toEqual([
    [1, 60, 70],
    [1, NOW - 5, NOW],
  ]);
  // And not with the hourly planning of all.
  expect(scene.passedMs()).toBeLessThan(30 * 60_000);
});
