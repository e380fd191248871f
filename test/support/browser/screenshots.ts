// Takes a picture of every page in two sizes, two colour schemes and three languages, into test/output/screenshots.
// The command line names the gateway's address; a second argument, if any, a part of the names to take.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { answerGroups, answerServer, answerUser } from '../fakes/fakeUsers.ts';
import { launchChromium } from './chromium.ts';
import { startTap, type Tap } from './tap.ts';

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const SCHEMES = ['light', 'dark'] as const;
const LOCALES = ['en', 'zh-TW', 'jp'] as const;

interface Scene {
  readonly name: string;
  readonly path: string;
  /** Brings the page to what the picture is of. */
  readonly arrange?: (page: Page) => Promise<void>;
}

const SCENES: readonly Scene[] = [
  { name: 'home', path: '/', arrange: waitForTiles },
  { name: 'frame', path: '/dashboard' },
  { name: 'unknown', path: '/no/such/page' },
  { name: 'menu', path: '/', arrange: openMenu },
  { name: 'password', path: '/', arrange: openPasswordDialog },
  { name: 'login', path: '/innerpage/login.html' },
  { name: 'login-refused', path: '/innerpage/login.html', arrange: refuseSignIn },
  { name: 'topbar', path: '/innerpage/topbar.html' },
];

async function waitForTiles(page: Page): Promise<void> {
  await page.locator('[data-group]').first().waitFor();
}

/** On a narrow window the panel with the menu; on a wide one it is there anyway. */
async function openMenu(page: Page): Promise<void> {
  await waitForTiles(page);
  const button = page.locator('button[aria-expanded]');
  if ((await button.count()) > 0) await button.first().click();
}

async function openPasswordDialog(page: Page): Promise<void> {
  await openMenu(page);
  await page.locator('nav button[aria-label]:not([aria-expanded])').click();
  await page.locator('form input').first().waitFor();
}

async function refuseSignIn(page: Page): Promise<void> {
  await page.locator('input[name=username]').fill('yuting');
  await page.locator('input[name=password]').fill('not the password');
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').first().waitFor();
}

async function takeAll(browser: Browser, tap: Tap, part: string): Promise<number> {
  const folder = join(import.meta.dirname, '../../output/screenshots');
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const scene of SCENES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        for (const locale of LOCALES) {
          const name = `${scene.name}-${size}-${colorScheme}-${locale}`;
          if (!name.includes(part)) continue;
          const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
          await context.addInitScript((value) => localStorage.setItem('language', value), locale);
          const page = await context.newPage();
          await page.goto(tap.address + scene.path, { waitUntil: 'networkidle' });
          await scene.arrange?.(page);
          await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
          await context.close();
          count++;
        }
      }
    }
  }
  return count;
}

const [upstream, part = ''] = process.argv.slice(2);
if (upstream === undefined) throw new Error('name the address of a running gateway');
const tap = await startTap(upstream);
const browser = await launchChromium();
answerUser(tap);
answerServer(tap);
answerGroups(tap);
const refused = { error: true, code: 'bad-credentials', message: 'refused' };
tap.when({ path: '/api/user/login' }, { kind: 'answer', status: 401, body: refused });
console.log(`${await takeAll(browser, tap, part)} screenshots`);
await browser.close();
await tap.close();
