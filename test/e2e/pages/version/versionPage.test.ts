// The page Version as administrators see it: the built gateway and pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ABOUT_PATH, type About } from '../../../../shared/protocol/api/system/about.ts';
import { BUNDLE_FILES } from '../../../../shared/protocol/api/system/bundle.ts';
import { NOTICES_PATH, type Notices } from '../../../../shared/protocol/api/system/notices.ts';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { expectTranslated, expectWords } from '../../../support/browser/words.ts';
import type { PageOptions } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';

const VERSION = '/innerpage/version.html';

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addChief);
});
afterAll(() => site?.close());

async function openPage(query = '', options: PageOptions = {}): Promise<Page> {
  const page = await site.people.openPage('chief', options);
  await page.goto(VERSION + query);
  return page;
}

describe('the page Version (S-1.2, S-2.4.16)', () => {
  it('says that what is running is well, with the ports that it really listens on', async () => {
    const page = await openPage('?tab=health');
    const ports = page.getByRole('region', { name: 'Ports' });
    await ports.getByText(`Port: ${new URL(site.product.address).port}`, { exact: true }).waitFor();
    await ports.getByText('OK', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Tables' })
      .getByRole('button', { name: /^Show all/ })
      .click();
    await page.getByRole('region', { name: 'Tables' }).getByText('app_user', { exact: true }).waitFor();
  });

  it('says what runs, and since when', async () => {
    const page = await openPage();
    const product = page.getByRole('region', { name: 'Product' });
    await product.getByText(/^[0-9a-f]{12} · \d{4}-\d\d-\d\d/).waitFor();
    await product.getByText(/^SQLite \d/).waitFor();
    const server = page.getByRole('region', { name: 'Server', exact: true });
    await server.getByText(process.version, { exact: true }).waitFor();
    await server.getByText(/same as this browser$/).waitFor();
    await page.getByText(/\(this server\)/).waitFor();
    await page.getByText(/^-----BEGIN PUBLIC KEY-----/).waitFor();
    await page.getByRole('region', { name: "What's new" }).getByRole('heading', { name: 'Added' }).first().waitFor();
  });

  it('lists what was bundled with its licenses', async () => {
    const page = await openPage();
    await page.getByRole('tab', { name: 'Third-party notices' }).click();
    await page.getByRole('searchbox', { name: 'Name or license' }).fill('mediabunny');
    await page.getByRole('button', { name: /^mediabunny / }).click();
    await page
      .getByRole('dialog')
      .getByText(/Mozilla Public License/)
      .first()
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.goBack();
    await page.getByRole('region', { name: 'Product' }).waitFor();
  });

  it.each([
    ['en', 1280, 'light'],
    ['zh-TW', 360, 'dark'],
    ['jp', 1280, 'dark'],
  ] as const)('S-1.4, S-9.11 speaks the language, is accessible and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    for (const { tab, landmark, hasTimes } of TABS) {
      const page = await openPage(`?tab=${tab}`, { locale, width, colorScheme });
      await page.getByRole('tabpanel').getByRole(landmark).first().waitFor();
      const said = await translatedText(page);
      expectWords(await withoutData(page, said), locale);
      await expectTranslated(page, said, locale, NAMESPACES);
      if (hasTimes) expect([tab, said]).toEqual([tab, expect.stringMatching(/\d{4}-\d\d-\d\d \d\d:\d\d/)]);
      await atBothWidths(page, () => expectAccessible(page, `${tab} in ${locale}`));
    }
  });
});

const TABS = [
  { tab: 'about', landmark: 'region', hasTimes: true },
  { tab: 'health', landmark: 'region', hasTimes: true },
  { tab: 'settings', landmark: 'textbox', hasTimes: false },
  { tab: 'support', landmark: 'region', hasTimes: false },
  { tab: 'notices', landmark: 'searchbox', hasTimes: false },
] as const;
const NAMESPACES = ['Version', 'HealthWords', 'Common', 'Form', 'Menu', 'TopBar'];

/** All but keys, license texts and the change log, which are the same in every language. */
function translatedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { body } = document;
    const hiding = document.createElement('style');
    hiding.textContent = 'body pre, body [lang="en"] { display: none }';
    body.append(hiding);
    const text = body.innerText;
    hiding.remove();
    return text;
  });
}

/** Names of files and products look like keys without a text, and numbers of versions like dates. */
async function withoutData(page: Page, text: string): Promise<string> {
  const read = async (path: string) => (await (await page.request.get(path)).json()).data;
  const { packages } = (await read(NOTICES_PATH)) as Notices;
  const { version, platform, database } = (await read(ABOUT_PATH)) as About;
  const shipped = packages.flatMap((each) => [each.name, each.version, each.license]);
  const names = new Set<string>([
    'Node.js',
    version,
    process.version,
    platform,
    database.version,
    ...BUNDLE_FILES,
    ...shipped,
  ]);
  return [...names].reduce((rest, name) => (name === '' ? rest : rest.replaceAll(name, '')), text);
}
