import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { collectConsoleNoise, consoleGuard, sharedChromium } from '../../../support/browser/chromium.ts';
import { waitFor } from '../../../support/waitFor.ts';

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  browser = await sharedChromium();
  server = createServer((request, response) => {
    response.statusCode = request.url === '/' ? 200 : 404;
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>quiet</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  return page;
}

describe('consoleGuard', () => {
  it('is content with a page that logs no error', async () => {
    const page = await openPage();
    consoleGuard(page);
    await page.goto(origin);
    expect(await page.title()).toBe('quiet');
  });

  it('is content with a failed request that the test declares', async () => {
    const page = await openPage();
    consoleGuard(page, [{ url: `${origin}/missing`, status: 404 }]);
    await page.goto(origin);
    expect(await page.evaluate(async () => (await fetch('/missing')).status)).toBe(404);
  });

  // The hook that fails the test runs after its body, so the failure itself is what these expect.
  it.fails('fails the test on a failed request that it does not declare', async () => {
    const page = await openPage();
    consoleGuard(page);
    await page.goto(origin).catch(ignore);
    await page.evaluate(() => fetch('/missing')).catch(ignore);
  });
});

describe('collectConsoleNoise', () => {
  it('hears of failed requests, logged errors and errors that a page or a worker throws', async () => {
    const page = await openPage();
    const noise = collectConsoleNoise(page);
    await page.goto(origin);
    await page.evaluate(async () => {
      await fetch('/missing');
      console.error('logged');
      console.warn('a warning is no error');
      setTimeout(() => {
        throw new Error('in the page');
      });
      const code = new Blob(['setTimeout(() => { throw new Error("in the worker") })'], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(code));
      await new Promise((resolve) => worker.addEventListener('error', resolve));
    });
    await waitFor(
      'four errors',
      () => noise.length,
      (count) => count >= 4,
    );
    const heads = noise.map(({ text }) => text.split('\n')[0]).sort();
    expect(heads).toEqual([
      'Error: in the page',
      expect.stringMatching(/^(Uncaught )?Error: in the worker/),
      'Failed to load resource: the server responded with a status of 404 (Not Found)',
      'logged',
    ]);
  });
});

function ignore(): void {
  // Another failure than the expected one may not pass for it.
}
