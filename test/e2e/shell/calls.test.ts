import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdClock, pageNow, runUntil } from '../../support/browser/pageClock.ts';
import { answerUser, SERVER_PATH } from '../../support/fakes/fakeUsers.ts';
import { newPage, openShell, type Site, sharedSite, textsOf } from '../../support/gateway/site.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const BAR = '/innerpage/topbar.html';
/** All that pages may ask for; the specification names the first three. */
const NAMESPACES = [
  'Common',
  'TopBar',
  'Menu',
  ...readdirSync(join(import.meta.dirname, '../../../public/locales/en')).map((name) => name.replace(/\.json$/, '')),
];
const MESSAGE = "Can't load server information. Reload the page to try again.";
const toast = (page: Page) => page.locator('[data-kind]');

describe('the server information', () => {
  // Every failure in every language: test/dom/ui/notifications.test.tsx.
  test('S-8.4, S-1.5 that does not come is one error notification in the language of the page', async () => {
    const page = await newPage(site, { user: 'chief', allowed: [{ url: /system\/server$/, status: 500 }] });
    site.tap.when({ path: SERVER_PATH }, { kind: 'answer', status: 500, body: { error: true } });
    await page.addInitScript(() => localStorage.setItem('language', 'zh-TW'));
    await page.goto(BAR);
    await toast(page).first().waitFor();
    await expect.poll(() => toast(page).allTextContents()).toEqual([(await textsOf(page, 'zh-TW', 'Common'))[MESSAGE]]);
    await expect.poll(() => toast(page).getAttribute('data-kind')).toBe('error');
    await expect.poll(() => toast(page).getAttribute('role')).toBe('alert');
  });

  test('S-4.17, S-9.19 the notification is gone 5.3 to 6.2 s after it appeared', async () => {
    const page = await newPage(site, {
      allowed: [{ url: /system\/server$/, status: 500 }],
      reducedMotion: 'no-preference',
    });
    await page.clock.install();
    const shownAtMs = await noteToast(page);
    await noteTransitions(page);
    site.tap.when({ path: SERVER_PATH }, { kind: 'answer', status: 500, body: { error: true } });
    const run = await holdClock(page);
    await page.goto(BAR);
    await runUntil(run, async () => (await toast(page).count()) === 1);
    const appearedMs = await shownAtMs();
    // Its movements keep to the real time, and take 400 ms of it: the page's clock stands meanwhile.
    const stands = async () => (await page.evaluate(() => document.getAnimations().length)) === 0;
    await waitFor('the end of its movement', stands);
    await run(appearedMs + 4_990 - (await pageNow(page)));
    await expect.poll(() => toast(page).count()).toBe(1);
    const before = await transitions(page);
    while ((await pageNow(page)) < appearedMs + 6_200) {
      await run(110);
      await waitFor('the end of its movement', stands);
    }
    // One movement more: it began to leave after those 4,990 ms.
    expect(await transitions(page)).toEqual([...before, 400]);
    await expect.poll(() => toast(page).count()).toBe(0);
  });

  test('S-4.17, S-4.18 enters in 400 ms, leaves at a click at once, in 400 ms, and is then taken away', async () => {
    const page = await newPage(site, {
      allowed: [{ url: /system\/server$/, status: 500 }],
      reducedMotion: 'no-preference',
    });
    site.tap.when({ path: SERVER_PATH }, { kind: 'answer', status: 500, body: { error: true } });
    await noteTransitions(page);
    await page.goto(BAR);
    await toast(page).waitFor();
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

  /** Notes when a notification appeared, by the page's clock. */
  async function noteToast(page: Page): Promise<() => Promise<number>> {
    await page.addInitScript(() => {
      const watch = new MutationObserver(() => {
        if (document.querySelector('[data-kind]') === null) return;
        watch.disconnect();
        Object.assign(window, { toastAtMs: Date.now() });
      });
      watch.observe(document, { childList: true, subtree: true });
    });
    return () => page.evaluate(() => (window as unknown as { toastAtMs: number }).toastAtMs);
  }

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
  const file = '/locales/load/jp/TopBar';

  /** Notes in the page when it asks for the file, and when an answer is there, by its own clock. */
  async function noteReads(page: Page): Promise<() => Promise<{ requests: number[]; answered: number[] }>> {
    await page.addInitScript((wanted) => {
      const [requests, answered]: [number[], number[]] = [[], []];
      Object.assign(window, { reads: { requests, answered } });
      const native = window.fetch;
      window.fetch = async (...args) => {
        if (!String(args[0]).endsWith(wanted)) return native(...args);
        requests.push(Date.now());
        const answer = await native(...args);
        answered.push(Date.now());
        return answer;
      };
    }, file);
    return () =>
      page.evaluate(() => (window as unknown as { reads: { requests: number[]; answered: number[] } }).reads);
  }

  test('S-8.5, S-8.7, A-33 a file that fails is asked for six times; the page is there within 2 s, in English', async () => {
    const page = await newPage(site, { allowed: [{ url: /jp\/TopBar$/, status: 503 }] });
    await page.clock.install();
    site.tap.when({ path: file }, { kind: 'answer', status: 503, body: '' });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    const reads = await noteReads(page);
    const run = await holdClock(page);
    await page.goto(BAR);
    await runUntil(run, async () => (await reads()).requests.length > 0);
    const allAnswered = () => waitFor('an answer', reads, (all) => all.answered.length === all.requests.length);
    for (let ranMs = 0; ranMs < 2_000; ranMs += 100) {
      await allAnswered();
      await run(100);
    }
    // The page's clock stands: it is there within two seconds, or never.
    await page.getByRole('combobox', { name: 'Language' }).waitFor();
    const { requests, answered } = await waitFor(
      'six reads',
      async () => {
        await run(100);
        return allAnswered();
      },
      (all) => all.answered.length === 6,
    );
    for (const [index, expected] of [350, 700, 1_400, 2_800, 5_600].entries()) {
      const gap = (requests[index + 1] ?? 0) - (requests[index] ?? 0);
      expect(gap).toBeGreaterThanOrEqual(expected - 10); // the timer rounds down
      // The clock moves a tenth of a second at a time.
      expect((requests[index + 1] ?? 0) - (answered[index] ?? 0)).toBeLessThanOrEqual(expected + 100);
    }
    await run(60_000);
    expect(site.tap.requests({ path: file })).toHaveLength(6);
  });

  test('S-8.7 a file that is refused is asked for once', async () => {
    const page = await newPage(site, { allowed: [{ url: /jp\/TopBar$/, status: 404 }] });
    await page.clock.install();
    site.tap.when({ path: file }, { kind: 'answer', status: 404, body: '' });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    await page.goto(BAR);
    await page.getByRole('combobox').waitFor();
    await page.clock.runFor(60_000);
    expect(site.tap.requests({ path: file })).toHaveLength(1);
  });

  test('A-33 a file that comes late is swapped in', async () => {
    const page = await newPage(site);
    let release: () => void = () => undefined;
    site.tap.when({ path: file }, { kind: 'hold', until: new Promise<void>((resolve) => (release = resolve)) });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    await page.goto(BAR);
    await within(4_000, () => page.getByRole('combobox', { name: 'Language' }).waitFor());
    release();
    await page.getByRole('combobox', { name: (await textsOf(page, 'jp', 'TopBar')).Language ?? '' }).waitFor();
  });

  test('S-7.1, S-7.20 a key that the language lacks is shown in English, and not posted; the server information is asked for once', async () => {
    const page = await newPage(site, { user: 'chief' });
    site.tap.when({ path: '/locales/load/jp/Common' }, { kind: 'edit', edit: withoutKey('Logout') });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    await openShell(page);
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect(site.tap.requests({ path: /^\/locales\/add\// })).toEqual([]);
    expect(site.tap.requests({ path: SERVER_PATH })).toHaveLength(1);
  });

  test('S-7.12 a key that English lacks, too, is posted once to the language in use', async () => {
    const page = await newPage(site, { user: 'chief' });
    site.tap.when({ path: /^\/locales\/load\/(jp|en)\/Common$/ }, { kind: 'edit', edit: withoutKey('Logout') });
    site.tap.when({ path: /^\/locales\/add\// }, { kind: 'answer', body: { error: false } });
    await page.addInitScript(() => localStorage.setItem('language', 'jp'));
    await openShell(page);
    await waitFor('the post', () => site.tap.requests({ path: /^\/locales\/add\// }).length > 0);
    await page.getByRole('main').getByRole('link').first().waitFor();
    const posts = site.tap.requests({ path: /^\/locales\/add\// });
    expect(posts.map(({ method, path, body }) => [method, path, Object.keys(JSON.parse(body) as object)])).toEqual([
      ['POST', '/locales/add/jp/Common', ['Logout']],
    ]);
  });

  const withoutKey = (key: string) => (text: string) => {
    const { [key]: _, ...rest } = JSON.parse(text) as Record<string, string>;
    return JSON.stringify(rest);
  };
});

describe('a part of the page that does not load', () => {
  test('S-8.14 aborted, is named, with a way to load again', async () => {
    const page = await newPage(site, { user: 'chief', allowed: [{ url: /\/assets\//, status: 'failed' }] });
    await openShell(page, '/report');
    site.tap.when({ path: /^\/assets\/.*\.js$/ }, { kind: 'cut' });
    const before = site.tap.requests({ path: /^\/assets\/.*\.js$/ }).length;
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const [first] = site.tap.requests({ path: /^\/assets\/.*\.js$/ }).slice(before);
    await expect.poll(() => alert.textContent()).toContain(first?.path.split('/').at(-1));
    site.tap.reset();
    await alert.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('main').getByRole('link').first().waitFor();
  });

  test('S-8.14 stalled, is an error after 120 s and not after 119', async () => {
    const page = await newPage(site, { user: 'chief' });
    await page.clock.install();
    await openShell(page, '/report');
    site.tap.when({ path: /^\/assets\/HomeTiles.*\.js$/ }, { kind: 'stall' });
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await waitFor('the call for the part', () => site.tap.requests({ path: /HomeTiles/ }).length > 0);
    await page.clock.runFor(119_000);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.clock.runFor(2_000);
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/HomeTiles-[\w-]+\.js/);
  });
});

describe('the calls as the gateway answers them', () => {
  test('S-3.1, S-7.2 the status has its types, times in seconds; nobody is login false', async () => {
    const page = await newPage(site, { user: 'operator' });
    const { data } = (await (await page.request.get('/api/user/status')).json()) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ login: true, username: 'operator', retentiondays: 30, expirydate: 0 });
    expect(typeof data.membergroup).toBe('number');
    const nobody = await newPage(site);
    const answer = await nobody.request.get('/api/user/status');
    expect([answer.status(), await answer.json()]).toEqual([200, { error: false, data: { login: false } }]);
  });

  test('S-2.1.1 every path but the video ones is the shell, and a missing inner page is not', async () => {
    const page = await newPage(site);
    const script = async (path: string) => {
      const answer = await page.request.get(path);
      return /<script type="module"[^>]* src="([^"]+)"/.exec(await answer.text())?.[1] ?? `none (${answer.status()})`;
    };
    const shell = await script('/');
    expect(await Promise.all(['/x', '/a/b/c', '/dashboard'].map(script))).toEqual([shell, shell, shell]);
    const others = await Promise.all(['/live/x', '/playback/x', '/remote/x'].map(script));
    expect(new Set([shell, ...others]).size).toBe(4);
    expect(await script('/innerpage/nothing.html')).toBe('none (404)');
  });

  test('S-7.11, S-7.18 translations are there for everyone in three languages, and for no other', async () => {
    const page = await newPage(site);
    for (const namespace of NAMESPACES) {
      const keys = await Promise.all(
        ['en', 'zh-TW', 'jp'].map(async (locale) => Object.keys(await textsOf(page, locale, namespace)).sort()),
      );
      expect(keys[0]?.length).toBeGreaterThan(0);
      expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
    }
    for (const path of ['fr/Common', '..%2f../Common', 'en/Nothing', 'en/..%5C..%5Cpackage']) {
      expect((await page.request.get(`/locales/load/${path}`)).status(), path).toBe(404);
    }
  });
});

test('X-11 who has no system is not shown the server data, even when it is sent', async () => {
  answerUser(site.tap, { permission: ['event'], retentiondays: 0, expirydate: 0 as never });
  site.tap.when(
    { path: SERVER_PATH },
    { kind: 'answer', body: { error: false, data: { version: '9.9.9', max_license: 7, expired: 1_893_369_600 } } },
  );
  const page = await newPage(site, { user: 'chief' });
  await openShell(page);
  await page.getByRole('main').getByRole('link').first().waitFor();
  await expect.poll(() => page.locator('body').innerText()).not.toMatch(/9\.9\.9|2029-12-31/);
});
