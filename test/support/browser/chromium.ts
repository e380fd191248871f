import { statfsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findChromium } from '../../../server/setup/tools.mjs';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { type AllowedNoise, type ConsoleNoise, undeclared } from './consoleNoise.ts';

/** Starts a Chromium without a window. The caller closes it. */
export async function launchChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: set CHROME_PATH, or run the tests with `npm test`');
  // Playwright has Chromium share its memory through files on the disk, for containers that have next to none of this kind.
  const ignoreDefaultArgs = hasSharedMemory() ? ['--disable-dev-shm-usage'] : [];
  const args = [...FLAGS, ...extraFlags];
  return patient(await chromium.launch({ executablePath, headless: true, ignoreDefaultArgs, args }));
}

/** Shorter than a test may take, so that a failure names what was waited for. */
const PATIENCE_MS = 100_000;

/** Its pages wait longer than Playwright's half minute: a gateway does some of its work at the lowest priority, beside everything else that runs. */
function patient(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** What a Chromium of each worker takes, many times over. */
const SHARED_MEMORY_BYTES = 2 ** 30;

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= SHARED_MEMORY_BYTES;
  } catch {
    return false; // no Linux
  }
}

interface Shared {
  readonly flags: string;
  readonly browser: Promise<Browser>;
}

let shared: Shared | undefined;

/**
 * The one Chromium of this worker, for the files that it runs one after another: nobody closes it, and each test opens a
 * context of its own. Other flags than those of the file before take another Chromium in its place.
 */
export async function sharedChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  const flags = extraFlags.join(' ');
  const before = shared;
  if (before?.flags === flags && (await before.browser).isConnected()) return before.browser;
  // Playwright takes a browser and its profile away when its own process exits.
  if (before === undefined) atWorkerEnd(() => undefined);
  shared = { flags, browser: launchChromium(extraFlags) };
  await (await before?.browser)?.close();
  return shared.browser;
}

const DISABLED_FEATURES = [
  // Each window loads the pages of an address bar's menu that nobody sees: a third of what a short test costs.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // A page that opens starts the process of another that nobody opens: a quarter of what an empty page costs.
  'SpareRendererForSitePerProcess',
  // The last such list on the command line counts: these are of Playwright's own.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'ThirdPartyStoragePartitioning',
  'PaintHolding',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const FLAGS = [
  // Chromium's sandbox does not start as root, which is what containers run tests as.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  // Nothing but the page under test may use the network or the processor.
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/**
 * Fails the running test when the page, or a worker of it, logs an error or throws one that `allowed` does not declare.
 * Call it inside a test or a `beforeEach`, before the page goes anywhere.
 */
export function consoleGuard(page: Page, allowed: readonly AllowedNoise[] = []): void {
  const noise = collectConsoleNoise(page);
  onTestFinished(async () => {
    await flushEvents(page);
    expect(undeclared(noise, allowed), 'errors in the console that the test does not declare').toEqual([]);
  });
}

/** What the page and its workers log as errors from now on; the list grows while they run. */
export function collectConsoleNoise(page: Page): readonly ConsoleNoise[] {
  const noise: ConsoleNoise[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') noise.push({ text: message.text(), url: message.location().url });
  });
  page.on('pageerror', (error) => noise.push({ text: error.stack ?? error.message, url: page.url() }));
  return noise;
}

/** One round trip through the page: what it logged before is delivered by then. */
async function flushEvents(page: Page): Promise<void> {
  if (page.isClosed()) return;
  // A page that is gone or navigating has nothing more to deliver.
  await page.evaluate(() => undefined).catch(() => undefined);
}
