import { describe, expect, it } from 'vitest';
import { repository } from './sourceFiles.ts';
import { findHasty, hastyIn } from './waits/findHasty.ts';

/** Where a test has to let a time pass, and why. */
const SLEEPS: readonly { readonly file: string; readonly because: string }[] = [
  {
    file: 'test/support/browser/pageClock.ts',
    because: 'the last picture is the one after which none has come for a while',
  },
  {
    file: 'test/browser/player/playback.test.ts',
    because: 'a page stands still when its picture is the same after a while',
  },
  {
    file: 'test/support/waitFor.ts',
    because: 'the turns of a clock that is moved by hand follow one another at one pace',
  },
  { file: 'test/e2e/live/liveSoundTiming.test.ts', because: 'the clock is what is tested' },
  { file: 'test/server/device/crash.test.ts', because: 'positions come for a while before the end comes' },
  { file: 'test/server/fleet/positions/packingProgram.ts', because: 'a program lives until it is killed' },
  { file: 'test/server/reports/reportProgram.ts', because: 'a program lives until it is killed' },
  { file: 'test/server/http/recordings/export.test.ts', because: 'a reader takes nothing for a while' },
  { file: 'test/server/ports/fuzzedTerminal.ts', because: 'a terminal that is cut off dials again after a while' },
  { file: 'test/server/store/engine/reading.test.ts', because: 'a thread is started again once in a while' },
];

const hasty = findHasty(repository);

describe('a test', () => {
  it('waits for what it needs, and neither sleeps for a fixed time nor reads a page once', () => {
    const allowed = new Set(SLEEPS.map(({ file }) => file));
    const found = hasty.filter(({ file, what }) => !(what === 'a fixed sleep' && allowed.has(file)));
    expect(found.map(({ file, line, what }) => `${file}:${line}: ${what}`)).toEqual([]);
  });

  it('sleeps only where a reason is given, and no reason is left over', () => {
    const sleeping = new Set(hasty.map(({ file }) => file));
    expect(SLEEPS.filter(({ file }) => !sleeping.has(file))).toEqual([]);
  });
});

describe('what is found', () => {
  it.each([
    ['await delay(700);', 'a fixed sleep'],
    ['await delay(WAIT_MS);', 'a fixed sleep'],
    ['await page.waitForTimeout(500);', 'a fixed sleep'],
    ['await new Promise((resolve) => setTimeout(resolve, 300));', 'a fixed sleep'],
    ['expect(await page.getByRole("row").count()).toBe(2);', 'a page that is read once'],
    ['expect(await row.innerText(), "the row").toContain("Bus");', 'a page that is read once'],
    ['await page.getByRole("button").focus();', 'a focus that may not be taken'],
    ['await row.press("Enter");', 'a focus that may not be taken'],
  ])('%s', (source, what) => {
    expect(hastyIn('test/e2e/a.test.ts', source)).toEqual([{ file: 'test/e2e/a.test.ts', line: 1, what }]);
  });

  it.each([
    'await delay(random(600));',
    'await Promise.race([ended, delay(1_000)]);',
    'await expect.poll(() => page.getByRole("row").count()).toBe(2);',
    'expect(await statusOf(page)).toBe(200);',
    'await page.keyboard.press("Enter");',
    'await keyboard.press("Enter");',
  ])('is not %s', (source) => {
    expect(hastyIn('test/e2e/a.test.ts', source)).toEqual([]);
  });
});
