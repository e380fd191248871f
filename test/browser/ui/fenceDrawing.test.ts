// Geofences drawn and changed by pointer on the real map.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShapeDraft } from '../../../pages/innerpage/fencesetting/edit/shapeDraft.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { newPage, startGateway } from '../player/scene.ts';
import type { FenceHarness } from './fenceHarness/main.tsx';

declare const window: Window & { readonly fences: FenceHarness };

let folder: TempFolder;
let browser: Browser;

beforeAll(async () => {
  folder = await createTempFolder();
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'fenceHarness'),
    publicDir: join(import.meta.dirname, '../../../public'),
    mode: 'development',
    logLevel: 'warn',
    plugins: [react()],
    // The map's worker is a file of this site: the content security policy takes no other.
    build: { outDir: folder.path, emptyOutDir: true, minify: false, target: 'es2022', assetsInlineLimit: 0 },
  });
  browser = await sharedChromium();
});

afterAll(async () => {
  await folder?.remove();
});

type Pixel = readonly [number, number];

class Drawn {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async edit(kind: ShapeDraft['kind'], fields: Partial<ShapeDraft> = {}): Promise<void> {
    await this.page.evaluate(([name, given]) => window.fences.edit({ ...window.fences.empty(name), ...given }), [
      kind,
      fields,
    ] as const);
  }

  async click(...places: readonly Pixel[]): Promise<void> {
    for (const [left, top] of places) {
      await this.page.mouse.move(left, top);
      await this.page.mouse.click(left, top);
    }
  }

  async drag([fromLeft, fromTop]: Pixel, [left, top]: Pixel): Promise<void> {
    await this.page.mouse.move(fromLeft, fromTop);
    await this.page.mouse.down();
    await this.page.mouse.move((fromLeft + left) / 2, (fromTop + top) / 2, { steps: 6 });
    await this.page.mouse.move(left, top, { steps: 6 });
    await this.page.mouse.up();
  }

  /** The drafts told so far, once there are so many. */
  async drafts(count: number): Promise<readonly ShapeDraft[]> {
    await this.page.waitForFunction((wanted) => window.fences.drafts.length >= wanted, count);
    return this.page.evaluate(() => window.fences.drafts);
  }

  async last(count: number): Promise<ShapeDraft> {
    const draft = (await this.drafts(count)).at(-1);
    return draft ?? expect.fail('nothing was drawn');
  }
}

const westernmost = ({ positions }: ShapeDraft) => Math.min(...positions.map(([lng]) => lng));
const easternmost = ({ positions }: ShapeDraft) => Math.max(...positions.map(([lng]) => lng));

async function open(): Promise<Drawn> {
  const gateway = await startGateway({ webRoot: folder.path });
  const page = await newPage(browser, { viewport: { width: 800, height: 600 } });
  await page.goto(`${gateway.origin}/index.html`);
  await page.locator('[data-background]').waitFor();
  return new Drawn(page);
}

describe('drawing a geofence', () => {
  it('makes a polygon of clicks, whose vertices are moved, added and deleted', async () => {
    const drawn = await open();
    await drawn.edit('polygon');
    await drawn.click([200, 200], [500, 200], [500, 450], [200, 450], [200, 200]);
    const polygon = await drawn.last(1);
    expect(polygon.positions).toHaveLength(4);
    await drawn.drag([500, 200], [600, 150]);
    const moved = await drawn.last(2);
    expect(moved.positions).toHaveLength(4);
    expect(easternmost(moved)).toBeGreaterThan(easternmost(polygon));
    await drawn.drag([200, 325], [120, 325]);
    // The vertex is there first, and moved then.
    const added = await drawn.last(4);
    expect(added.positions).toHaveLength(5);
    expect(westernmost(added)).toBeLessThan(westernmost(moved));
    await drawn.page.mouse.click(120, 325, { button: 'right' });
    expect((await drawn.last(5)).positions).toEqual(moved.positions);
    expect(await drawn.page.evaluate(() => window.fences.lives.length)).toBeGreaterThan(4);
  });

  it('makes a circle, moved as a whole and resized at its edge', async () => {
    const drawn = await open();
    await drawn.edit('circle');
    await drawn.click([400, 300], [500, 300]);
    const circle = await drawn.last(1);
    expect(circle.positions).toHaveLength(1);
    const radius = circle.radiusMeters ?? 0;
    expect(radius).toBeGreaterThan(1_000);
    await drawn.drag([400, 300], [440, 300]);
    const moved = await drawn.last(2);
    expect(moved.positions[0]?.[0]).toBeGreaterThan(circle.positions[0]?.[0] ?? 0);
    expect(Math.abs((moved.radiusMeters ?? 0) - radius) / radius).toBeLessThan(0.02);
    await drawn.drag([540, 300], [590, 300]);
    expect((await drawn.last(3)).radiusMeters).toBeGreaterThan(radius * 1.2);
  });

  it('makes a rectangle of two corners, and a corridor that Enter ends', async () => {
    const drawn = await open();
    await drawn.edit('rectangle');
    await drawn.click([200, 200], [500, 400]);
    const rectangle = await drawn.last(1);
    const [southwest = [0, 0], northeast = [0, 0]] = rectangle.positions;
    expect([southwest[0] < northeast[0], southwest[1] < northeast[1]]).toEqual([true, true]);
    await drawn.edit('corridor');
    await drawn.click([200, 200], [400, 300], [600, 200]);
    await drawn.page.keyboard.press('Enter');
    const corridor = await drawn.last(2);
    expect([corridor.kind, corridor.widthMeters]).toEqual(['corridor', 50]);
    expect(corridor.positions.length).toBeGreaterThanOrEqual(3);
  });

  it('goes on when the map changes between light and dark', async () => {
    const drawn = await open();
    await drawn.edit('polygon');
    await drawn.click([200, 200], [500, 200]);
    await drawn.page.evaluate(() => window.fences.setDark(true));
    await drawn.click([500, 450], [200, 450], [200, 200]);
    expect((await drawn.last(1)).positions).toHaveLength(4);
    await drawn.page.evaluate(() => window.fences.setDark(false));
    await drawn.drag([500, 200], [600, 150]);
    expect((await drawn.last(2)).positions).toHaveLength(4);
  });

  it('leaves the map as it was: geofences are selected again', async () => {
    const drawn = await open();
    await drawn.page.evaluate(() =>
      window.fences.show([
        {
          id: 7,
          name: 'Depot',
          kind: 'circle',
          color: '#1a5fb4',
          geometry: { type: 'Point', coordinates: [121, 23] },
          radiusMeters: 500,
          widthMeters: 0,
        },
      ]),
    );
    await drawn.edit('circle');
    await drawn.click([400, 300], [450, 300]);
    await drawn.drafts(1);
    expect(await drawn.page.evaluate(() => window.fences.selected)).toEqual([]);
    await drawn.page.evaluate(() => window.fences.stop());
    await drawn.click([400, 300]);
    await drawn.page.waitForFunction(() => window.fences.selected.length > 0);
    expect(await drawn.page.evaluate(() => window.fences.selected)).toEqual([7]);
  });
});
