import { expect, it, onTestFinished } from 'vitest';
import { atMinute, createPlanningScene, type PlanningScene } from './planningScene.ts';

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
