import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SERVER_PATH } from '../../support/fakes/fakeUsers.ts';
import { answerFrames, newPage, openShell, type Site, sharedSite, textsOf } from '../../support/gateway/site.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const BAR = '/innerpage/topbar.html';
const MESSAGE = "Can't load server information. Reload the page to try again.";
const toast = (page: Page) => page.locator('[data-kind]');

describe('the server information', () => {
  // Every failure in every language, and for how long a notification stays: test/dom/ui/notifications.test.tsx.
  test('S-8.4, S-1.5 that does not come is one error notification in the language of the page; S-4.17, S-4.18, S-9.19 it enters in 400 ms, leaves at a click at once, in 400 ms, and is then taken away', async () => {
    const page = await newPage(site, {
      user: 'chief',
      allowed: [{ url: /system\/server$/, status: 500 }],
      reducedMotion: 'no-preference',
    });
    site.tap.when({ path: SERVER_PATH }, { kind: 'answer', status: 500, body: { error: true } });
    await page.addInitScript(() => localStorage.setItem('language', 'zh-TW'));
    await noteTransitions(page);
    await page.goto(BAR);
    await toast(page).waitFor();
    const shown = await toast(page).evaluateAll((all) =>
      all.map((each) => [each.textContent, each.getAttribute('data-kind'), each.getAttribute('role')]),
    );
    expect(shown).toEqual([[(await textsOf(page, 'zh-TW', 'Common'))[MESSAGE], 'error', 'alert']]);
    // One that is still on its way in would finish that first.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    expect(await transitions(page)).toEqual([400]);
    const tookMs = await toast(page).evaluate((element) => {
      const clickedAt = performance.now();
      (element as HTMLElement).click();
      return new Promise<number>((resolve) => {
        new MutationObserver((_, observer) => {
          if (element.isConnected) return;
          observer.disconnect();
          resolve(performance.now() - clickedAt);
        }).observe(document.body, { childList: true, subtree: true });
      });
    });
    expect(await transitions(page)).toEqual([400, 400]);
    expect(tookMs).toBeGreaterThan(400);
    // The gap that it leaves closes in another 175 ms; the rest is what a busy machine may take.
    expect(tookMs).toBeLessThan(1_500);
  });

  /** Notes on `window.moves` how long the notification's own movements are meant to take. */
  async function noteTransitions(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const moves: number[] = [];
      Object.assign(window, { moves });
      addEventListener('transitionrun', ({ target, propertyName }) => {
        if (!(target instanceof Element) || propertyName !== 'transform' || !target.matches('[data-kind]')) return;
        const running = target
          .getAnimations()
          .find((each) => (each as CSSTransition).transitionProperty === 'transform');
        moves.push(Number(running?.effect?.getTiming().duration));
      });
    });
  }

  function transitions(page: Page): Promise<number[]> {
    return page.evaluate(() => (window as unknown as { moves: number[] }).moves);
  }
});

describe('translations', () => {
  // Files that fail, and how often they are asked for: test/dom/i18n/start.test.ts.
  test('A-33 a file that comes late is swapped in; S-7.1, S-7.20 a key that the language lacks is shown in English, and not posted; S-7.12 one that English lacks, too, is posted once; the server information is asked for once', async () => {
    const page = await newPage(site, { user: 'chief' });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    site.tap.when({ path: '/locales/load/jp/TopBar' }, { kind: 'hold', until: released });
    site.tap.when({ path: '/locales/load/jp/Common' }, { kind: 'edit', edit: withoutKeys(['Logout']) });
    site.tap.when({ path: '/locales/load/jp/Shell' }, { kind: 'edit', edit: withoutKeys(['Change password']) });
    site.tap.when({ path: '/locales/load/en/Shell' }, { kind: 'edit', edit: withoutKeys(['Change password']) });
    site.tap.when({ path: /^\/locales\/add\// }, { kind: 'answer', body: { error: false } });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    await page.goto('/');
    await within(4_000, () => page.getByRole('combobox', { name: 'Language' }).waitFor());
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    await page.getByRole('main').getByRole('link').first().waitFor();
    release();
    await page.getByRole('combobox', { name: (await textsOf(page, 'jp', 'TopBar')).Language ?? '' }).waitFor();
    // What was drawn before all texts were there is asked for again when it is drawn again.
    await page.getByRole('button', { name: 'Change password' }).click();
    await waitFor('the post', () => site.tap.requests({ path: /^\/locales\/add\// }).length > 0);
    const posts = site.tap.requests({ path: /^\/locales\/add\// });
    expect(posts.map(({ method, path, body }) => [method, path, Object.keys(JSON.parse(body) as object)])).toEqual([
      ['POST', '/locales/add/jp/Shell', ['Change password']],
    ]);
    expect(site.tap.requests({ path: SERVER_PATH })).toHaveLength(1);
  });

  const withoutKeys = (keys: readonly string[]) => (text: string) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(JSON.parse(text) as Record<string, string>).filter(([key]) => !keys.includes(key)),
      ),
    );
});

describe('a part of the page that does not load', () => {
  const PART = /^\/assets\/HomeTiles.*\.js$/;

  // The two minutes to the millisecond: test/dom/ui/chunks.test.tsx.
  test('S-8.14 stalled or aborted, is named, with a way to load again', async () => {
    answerFrames(site.tap);
    const page = await newPage(site, { user: 'chief', allowed: [{ url: /\/assets\//, status: 'failed' }] });
    await page.clock.install();
    await openShell(page, '/report');
    const goOn = site.tap.when({ path: PART }, { kind: 'stall' });
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await waitFor('the call for the part', () => site.tap.requests({ path: PART }).length > 0);
    await page.clock.runFor(119_000);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.clock.runFor(2_000);
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/HomeTiles-[\w-]+\.js/);
    goOn();

    const again = site.tap.when({ path: PART }, { kind: 'cut' });
    await page.getByRole('alert').getByRole('button', { name: 'Reload page' }).click();
    await expect.poll(() => site.tap.requests({ path: PART }).length).toBeGreaterThan(1);
    const [, aborted] = site.tap.requests({ path: PART });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toContain(aborted?.path.split('/').at(-1));
    again();
    await alert.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('main').getByRole('link').first().waitFor();
  });
});

describe('the calls as the gateway answers them', () => {
  /** All that pages may ask for; the specification names the first three. */
  const NAMESPACES = [
    'Common',
    'TopBar',
    'Menu',
    ...readdirSync(join(import.meta.dirname, '../../../public/locales/en')).map((name) => name.replace(/\.json$/, '')),
  ];
  const get = (path: string) => fetch(site.tap.address + path);

  test('S-3.1, S-7.2 nobody is login false', async () => {
    const answer = await get('/api/user/status');
    expect([answer.status, await answer.json()]).toEqual([200, { error: false, data: { login: false } }]);
  });

  test('S-2.1.1 every path but the video ones is the shell, and a missing inner page is not', async () => {
    const script = async (path: string) => {
      const answer = await get(path);
      return /<script type="module"[^>]* src="([^"]+)"/.exec(await answer.text())?.[1] ?? `none (${answer.status})`;
    };
    const shell = await script('/');
    expect(await Promise.all(['/x', '/a/b/c', '/dashboard'].map(script))).toEqual([shell, shell, shell]);
    const others = await Promise.all(['/live/x', '/playback/x', '/remote/x'].map(script));
    expect(new Set([shell, ...others]).size).toBe(4);
    expect(await script('/innerpage/nothing.html')).toBe('none (404)');
  });

  test('S-7.11, S-7.18 translations are there for everyone in three languages, and for no other', async () => {
    const keysOf = async (locale: string, namespace: string) =>
      Object.keys((await (await get(`/locales/load/${locale}/${namespace}`)).json()) as object).sort();
    for (const namespace of NAMESPACES) {
      const keys = await Promise.all(['en', 'zh-TW', 'jp'].map((locale) => keysOf(locale, namespace)));
      expect(keys[0]?.length).toBeGreaterThan(0);
      expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
    }
    for (const path of ['fr/Common', '..%2f../Common', 'en/Nothing', 'en/..%5C..%5Cpackage']) {
      expect((await get(`/locales/load/${path}`)).status, path).toBe(404);
    }
  });
});
