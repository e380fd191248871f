// The geofence page on the real gateway: what a member does in it. Drawing and importing have files of their own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCES_PATH, FENCES_SHOWN_PATH, type Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import { CIRCLE, GPS_PLAYBACK, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { begin, edit, fenceOf, field, openFences, row, save } from './fenceTools.ts';

const DEPOT = { ...CIRCLE, name: 'Depot' };

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
  await scene.call('chief', 'POST', FENCES_PATH, DEPOT);
});
afterAll(() => scene?.close());

async function shownNames(member: 'viewer' | 'stranger'): Promise<readonly string[]> {
  return ((await scene.call(member, 'GET', FENCES_SHOWN_PATH)) as readonly Fence[]).map(({ name }) => name);
}

describe('S-2.4.15, S-6.2 the geofence page', () => {
  test('takes a rectangle and a corridor by numbers', async () => {
    const page = await openFences(scene);
    for (const [kind, name, numbers] of [
      ['Rectangle', 'Yard', { North: '23.01', South: '23' }],
      ['Corridor', 'Road', { 'Latitude 1': '23.02', 'Latitude 2': '23.03', 'Width (m)': '80' }],
    ] as const) {
      await begin(page, kind, name);
      await page.getByRole('button', { name: 'Place in the middle of the map' }).click();
      for (const [label, text] of Object.entries(numbers)) await field(page, label).fill(text);
      await save(page, name);
    }
    expect(await fenceOf(scene, 'Road')).toMatchObject({ kind: 'corridor', widthMeters: 80 });
    const { geometry } = await fenceOf(scene, 'Yard');
    const [ring = []] = geometry.type === 'Polygon' ? geometry.coordinates : [];
    expect([...new Set(ring.map(([, lat]) => lat))].sort()).toEqual([23, 23.01]);
  });

  test('saves what is changed when told to, for this group alone', async () => {
    await scene.call('chief', 'POST', FENCES_PATH, { ...DEPOT, name: 'Harbor' });
    const page = await openFences(scene);
    await edit(page, 'Harbor').click();
    await field(page, 'Radius (m)').fill('5');
    await page.getByRole('alert').first().waitFor();
    await field(page, 'Radius (m)').fill('450');
    expect((await fenceOf(scene, 'Harbor')).radiusMeters).toBe(300);
    await save(page, 'Harbor');
    expect((await fenceOf(scene, 'Harbor')).radiusMeters).toBe(450);
    expect(await shownNames('viewer')).toContain('Harbor');
    expect(await shownNames('stranger')).toEqual([]);
  });
  test('S-1.5 says that a geofence was turned off by a notice of success', async () => {
    await scene.call('chief', 'POST', FENCES_PATH, { ...DEPOT, name: 'Quay' });
    const page = await openFences(scene);
    await row(page, 'Quay').getByRole('button', { name: /more/i }).click();
    await page.getByRole('menuitem', { name: 'Turn off Quay' }).click();
    const notice = page.locator('[data-kind]').filter({ hasText: 'Quay turned off.' });
    await notice.waitFor();
    await expect.poll(() => notice.getAttribute('data-kind')).toBe('success');
  });

  test.each([
    ['History Event', '/innerpage/historyevent.html?view=map'],
    ['GPS Playback', `${GPS_PLAYBACK}?device=BUS1`],
  ])('has its geofences on the map of %s', async (_name, path) => {
    const page = await scene.openPage('chief', path);
    await page.locator('[data-map=ready][data-fences]:not([data-fences="0"])').waitFor();
  });
});
