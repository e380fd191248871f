// The top bar's search where it is laid out and stored: in a browser.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { newPage, startGateway } from '../player/scene.ts';

let folder: TempFolder;
let browser: Browser;

beforeAll(async () => {
  folder = await createTempFolder();
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'harness'),
    publicDir: join(import.meta.dirname, '../../../public'),
    mode: 'development',
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir: folder.path, emptyOutDir: true, minify: false, target: 'es2022' },
  });
  browser = await sharedChromium();
});

afterAll(async () => {
  await folder?.remove();
});

async function open(width = 1_440): Promise<Page> {
  const gateway = await startGateway({ webRoot: folder.path });
  const page = await newPage(browser, { viewport: { width, height: 800 } });
  await page.goto(`${gateway.origin}/index.html`);
  await search(page).waitFor();
  return page;
}

const search = (page: Page) => page.getByRole('searchbox');
const rows = (page: Page) => page.getByRole('listitem').allTextContents();
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('search'));

describe('the search', () => {
  it.each([
    [1_440, 288],
    [1_000, 200],
    [600, 150],
    [360, 150],
  ])('S-9.13: at %i px is %i px wide', async (windowWidth, expected) => {
    const page = await open(windowWidth);
    const width = (await search(page).boundingBox())?.width ?? 0;
    expect(Math.abs(width - expected)).toBeLessThanOrEqual(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  it('S-4.6, S-4.8: stores and passes on each keystroke, and is as it was after a reload', async () => {
    const page = await open();
    await focusOn(search(page));
    const seen: unknown[] = [];
    for (const key of ['a', 'b', 'b']) {
      await page.keyboard.press(key);
      seen.push([await stored(page), await rows(page)]);
    }
    expect(seen).toEqual([
      ['a', ['abacus', 'abbey', 'acorn']],
      ['ab', ['abacus', 'abbey']],
      ['abb', ['abbey']],
    ]);
    await page.reload();
    await search(page).waitFor();
    await expect.poll(() => search(page).inputValue()).toBe('abb');
    expect(await rows(page)).toEqual(['abbey']);
  });

  it('S-4.7: gives way to a text from outside, in the storage too', async () => {
    const page = await open();
    await search(page).fill('abb');
    await page.getByRole('button', { name: 'acorn' }).click();
    expect([await search(page).inputValue(), await stored(page)]).toEqual(['acorn', 'acorn']);
  });
});
