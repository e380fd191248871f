// The geofence page as a member handles it: geofences drawn and dragged by pointer, typed, and saved.
import type { Page } from 'playwright-core';
import { FENCES_PATH, type Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { CIRCLE, FENCE, type TrackScene } from '../tracks/trackScene.ts';

const ROW = '[role=row][data-id]';

/** Pixels to the right of the middle of the map, and down. */
export type MapPlace = readonly [right: number, down: number];

export const row = (page: Page, name: string) => page.locator(ROW).filter({ hasText: name });
export const edit = (page: Page, name: string) => row(page, name).getByRole('button', { name }).first();
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Opens the page, and waits for the map. */
export async function openFences(scene: TrackScene): Promise<Page> {
  const page = await scene.openPage('chief', FENCE, { width: 1280, height: 900 });
  await page.locator('[data-map=ready]').waitFor();
  return page;
}

export async function begin(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add geofence' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  await field(page, 'Name').fill(name);
}

export async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await row(page, name).waitFor();
}

/** Adds a small geofence: the map, which shows all there are, then has it in its middle, at its closest zoom. */
export async function addLandmark(scene: TrackScene, [lng, lat]: readonly [number, number]): Promise<void> {
  const rules = { ...CIRCLE.rules, enter: false, leave: false };
  const geometry = { type: 'Point', coordinates: [lng, lat] };
  await scene.call('chief', 'POST', FENCES_PATH, { ...CIRCLE, name: 'Landmark', geometry, radiusMeters: 20, rules });
}

export async function fenceOf(scene: TrackScene, name: string): Promise<Fence> {
  const { rows } = (await scene.call('chief', 'GET', `${FENCES_PATH}?search=${encodeURIComponent(name)}`)) as {
    readonly rows: readonly Fence[];
  };
  const found = rows.find((fence) => fence.name === name);
  if (found === undefined) throw new Error(`no geofence ${name}`);
  return found;
}

/** Clicks as soon as the drawing tool is there. */
export async function clickMap(page: Page, ...places: readonly MapPlace[]): Promise<void> {
  await page.locator('[data-map] canvas[style*=crosshair]').first().waitFor();
  for (const place of places) {
    const [left, top] = await pointOf(page, place);
    await page.mouse.move(left, top, { steps: 3 });
    await page.mouse.click(left, top);
  }
}

/** Drags a vertex, an edge or all of what is edited, as soon as the drawing tool lets it. */
export async function dragOnMap(page: Page, from: MapPlace, to: MapPlace): Promise<void> {
  const [[fromLeft, fromTop], [toLeft, toTop]] = [await pointOf(page, from), await pointOf(page, to)];
  await waitFor('something to drag', async () => {
    await page.mouse.move(fromLeft + 2, fromTop);
    await page.mouse.move(fromLeft, fromTop);
    return page.locator('[data-map] canvas[style*=move]').count();
  });
  await page.mouse.down();
  // The tool counts what is dragged from the first movement on.
  await page.mouse.move(fromLeft + 1, fromTop);
  await page.mouse.move(toLeft, toTop, { steps: 6 });
  await page.mouse.up();
}

async function pointOf(page: Page, [right, down]: MapPlace): Promise<readonly [number, number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('[data-map]').boundingBox()) ?? {};
  return [x + width / 2 + right, y + height / 2 + down];
}
