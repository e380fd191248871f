// Today Event in the shell, in a Chromium of its own, and when it shows the event of which device.
import type { Browser, Frame, Page } from 'playwright-core';
import { collectConsoleNoise } from '../../support/browser/chromium.ts';
import { signIn } from '../../support/gateway/site.ts';

/**
 * High enough for all rows that a second may bring: what is not in sight is not in the document. The pixels are as many as those of
 * a usual screen, and so is the work of drawing them.
 */
const WINDOW = { viewport: { width: 1440, height: 5_600 }, deviceScaleFactor: 0.4 };
const READY_WITHIN_MS = 60_000;

export interface EventPage {
  /** By device id, epoch milliseconds. */
  shownAtMs(): Promise<Readonly<Record<string, number>>>;
  /** How long nothing has changed in the list. */
  quietMs(): Promise<number>;
  /** What it has logged as errors. */
  readonly noise: readonly { readonly text: string }[];
}

export async function openEventPage(browser: Browser, address: string, username: string): Promise<EventPage> {
  const context = await browser.newContext({ ...WINDOW, locale: 'en-US', timezoneId: 'UTC', baseURL: address });
  await signIn(context, address, username);
  const page = await context.newPage();
  const noise = collectConsoleNoise(page);
  // What compiles this file names functions by a helper, which a page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(probe);
  await page.goto('/todayevent');
  await page.frameLocator('iframe').getByText('No events today').waitFor({ timeout: READY_WITHIN_MS });
  const frame = frameOf(page);
  return {
    shownAtMs: () => frame.evaluate(() => globalThis.alarmProbe.shownAtMs),
    quietMs: () => frame.evaluate(() => Date.now() - globalThis.alarmProbe.changedAtMs),
    noise,
  };
}

function frameOf(page: Page): Frame {
  const frame = page.frames().find((each) => new URL(each.url()).pathname === '/innerpage/todayevent.html');
  if (frame === undefined) throw new Error('the shell has no frame of Today Event');
  return frame;
}

interface Probe {
  /** By device id: when its first row was on the screen, epoch milliseconds. */
  readonly shownAtMs: Record<string, number>;
  changedAtMs: number;
}

declare global {
  var alarmProbe: Probe;
}

/** Runs in the page: looks for rows that come into the document, and waits until their frame was drawn. */
function probe(): void {
  const noted: Probe = { shownAtMs: {}, changedAtMs: Date.now() };
  globalThis.alarmProbe = noted;
  const deviceOf = (row: Element): string => /LOAD-\d{11}/.exec(row.textContent ?? '')?.[0] ?? '';
  const note = (devices: readonly string[]): void => {
    requestAnimationFrame(() => {
      // A task that is posted from within a frame runs once this frame was drawn.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const nowMs = Date.now();
        for (const device of devices) noted.shownAtMs[device] ??= nowMs;
      };
      port2.postMessage(undefined);
    });
  };
  new MutationObserver((records) => {
    const added = records
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter((node): node is Element => node instanceof Element);
    const rows = added.flatMap((node) => [
      ...(node.matches('[data-event-id]') ? [node] : []),
      ...node.querySelectorAll('[data-event-id]'),
    ]);
    if (rows.length > 0) note(rows.map(deviceOf));
    if (rows.length > 0 || records.some(({ target }) => target.parentElement?.closest('[role="grid"]')))
      noted.changedAtMs = Date.now();
  }).observe(document, { childList: true, characterData: true, subtree: true });
}
