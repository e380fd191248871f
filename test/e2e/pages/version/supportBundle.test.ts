// A support bundle as an administrator downloads it in the browser, of an installation full of secrets and names.
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUNDLE_FILES } from '../../../../shared/protocol/api/system/bundle.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import {
  foundIn,
  LOGGED,
  PLANTED_ENVIRONMENT,
  plantAll,
  STORED,
  storedText,
  UNKEPT,
} from '../../../support/bundle/plantedTexts.ts';
import { newPage, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { readArchive } from '../../../support/media/readArchive.ts';

let product: Product;
beforeAll(async () => {
  // The log names the file of the street map, which isn't there, in its fields and in its words.
  product = await startProduct(plantAll, { ...PLANTED_ENVIRONMENT, MAP_PMTILES: LOGGED.loggedPath, LOG_LEVEL: 'info' });
});
afterAll(() => product?.stop());

async function signIn(context: BrowserContext): Promise<string> {
  const data = { username: STORED.username, password: UNKEPT.password };
  const headers = { origin: product.address };
  expect((await context.request.post('/api/user/login', { data, headers })).status()).toBe(200);
  // A name where a password was asked for, and a secret in an address.
  const wrong = { username: STORED.displayName, password: UNKEPT.adminPassword };
  expect((await context.request.post('/api/user/login', { data: wrong, headers })).status()).toBe(401);
  await context.request.get(`/live/${UNKEPT.linkSecret}?x=${UNKEPT.metricsToken}`);
  const [session] = await context.cookies();
  return session?.value ?? expect.fail('no session');
}

it('none of forty secrets and names is in a bundle that was downloaded on the page Version (N-1, S-2.4.16)', async () => {
  const context = await peopleAt(await sharedChromium(), product.address).strangersContext();
  const session = await signIn(context);
  const page = await newPage(context);
  await page.goto('/innerpage/version.html?tab=settings');
  await page.getByRole('textbox', { name: 'Title' }).fill(STORED.title);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').first().waitFor();

  await page.getByRole('tab', { name: 'Support' }).click();
  const listed = page.getByRole('region', { name: 'What it has' });
  for (const name of BUNDLE_FILES) await listed.getByText(name, { exact: true }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download support bundle' }).click();
  const zip = readArchive(readFileSync(await (await download).path()), true);
  const files = new Map([...zip].map(([name, bytes]) => [name, bytes.toString()]));
  expect([...files.keys()]).toEqual(BUNDLE_FILES);

  const held = `${storedText(product.dataDir)}\n${product.log()}`;
  const kept = [...Object.values(STORED), LOGGED.loggedPath];
  expect(kept.filter((text) => !held.includes(text))).toEqual([]);
  const planted = [...Object.values(UNKEPT), ...kept, session, product.dataDir];
  expect(planted.length).toBeGreaterThanOrEqual(40);
  expect(foundIn(files, planted)).toEqual([]);
  // It was made of that installation: its log has the line without the path, its devices are counted.
  expect(files.get('log.jsonl')).toContain('request');
  expect(files.get('metrics.txt')).toContain('fleetglass_http_request_duration_seconds_count');
  expect(JSON.parse(files.get('terminals.json') ?? '').kinds).toMatchObject([{ manufacturer: 'FLGLS', devices: 1 }]);
});
