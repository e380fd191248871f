// The geofence page on the real gateway: what a member does in it, and how it looks in every language. Who reaches it:
// test/e2e/pages/tracks/trackPages.test.ts.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCES_PATH, FENCES_SHOWN_PATH, type Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { CIRCLE, FENCE, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
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

  test('imports a file after a look at its rows', async () => {
    const page = await openFences(scene);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const buffer = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: FEATURES }));
    const file = { name: 'areas.geojson', mimeType: 'application/geo+json', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Add: 1, change: 0, no change: 0, reject: 1').waitFor();
    await page.getByRole('button', { name: 'Import (1)' }).click();
    await row(page, 'Quarry').waitFor();
    expect(await row(page, 'Bow tie').count()).toBe(0);
  });
});

const featureOf = (name: string, ...ring: readonly (readonly [number, number])[]) => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
});
/** The edges of the second cross. */
const FEATURES = [
  featureOf('Quarry', [121, 23.1], [121.01, 23.1], [121.01, 23.11], [121, 23.11]),
  featureOf('Bow tie', [121, 23.2], [121.01, 23.21], [121.01, 23.2], [121, 23.21]),
];

test.each([
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const)('S-1.4, S-9.11 geofences are accessible in every language, and fit: %s, %i px, %s', async (...look) => {
  const [locale, width, colorScheme] = look;
  const page = await scene.openPage('chief', FENCE, { locale, width, colorScheme });
  await row(page, 'Depot').waitFor();
  await lookAt(page, 'the list', locale);
  await edit(page, 'Depot').click();
  await page.locator('input[name=name]').waitFor();
  await lookAt(page, 'the form', locale);
});

async function lookAt(page: Page, what: string, locale: 'en' | 'zh-TW' | 'jp'): Promise<void> {
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what);
    await expectFits(page, what);
    expectWords(await page.locator('body').innerText(), locale);
  });
}
