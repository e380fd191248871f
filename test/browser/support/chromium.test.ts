import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleGuard, launchChromium } from '../../support/chromium.ts';

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  browser = await launchChromium();
  server = createServer((request, response) => {
    response.statusCode = request.url === '/' ? 200 : 404;
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>quiet</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

describe('consoleGuard', () => {
  it('is content with a page that logs no error', async () => {
    const page = await browser.newPage();
    consoleGuard(page);
    await page.goto(origin);
    expect(await page.title()).toBe('quiet');
  });

  it('is content with a failed request that the test declares', async () => {
    const page = await browser.newPage();
    consoleGuard(page, [{ url: `${origin}/missing`, status: 404 }]);
    await page.goto(origin);
    expect(await page.evaluate(async () => (await fetch('/missing')).status)).toBe(404);
  });

  it.fails('fails the test on a failed request that it does not declare', async () => {
    const page = await browser.newPage();
    consoleGuard(page);
    await page.goto(origin);
    await page.evaluate(() => fetch('/missing'));
  });

  it.fails('fails the test on an error that a worker throws', async () => {
    const page = await browser.newPage();
    consoleGuard(page);
    await page.goto(origin);
    await page.evaluate(async () => {
      const code = new Blob(['setTimeout(() => { throw new Error("in the worker") })'], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(code));
      await new Promise((resolve) => worker.addEventListener('error', resolve));
    });
  });
});
