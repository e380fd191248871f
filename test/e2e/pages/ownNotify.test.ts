// How a member is told, on the account page of the real gateway.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../support/browser/looks.ts';
import { expectWords } from '../../support/browser/words.ts';
import { type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';

const PAGE = '/innerpage/account.html';

let product: Product;
let people: People;
beforeAll(async () => {
  product = await startProduct(addPeople);
  const browser: Browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function addPeople({ users }: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  for (const username of ['ann', 'mei']) {
    await users.insert({ username, passwordHash, permissions: [] }, wallMs(Date.now()));
  }
}

describe('how a member is told', () => {
  test('is chosen by the member and kept', async () => {
    const page = await people.openPage('ann');
    await page.goto(PAGE);
    const part = page.getByRole('region', { name: 'Notifications' });
    await part.getByLabel('Email address').fill('ann@example.com');
    await part.getByLabel('Phone number').fill('+886 912 345 678');
    await part.getByLabel('Text message').uncheck();
    await part.getByRole('button', { name: 'Add quiet hours' }).click();
    await part.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Notification settings saved.').waitFor();
    await page.reload();
    await part.getByLabel('Email address').waitFor();
    expect(await part.getByLabel('Email address').inputValue()).toBe('ann@example.com');
    expect(await part.getByLabel('Phone number').inputValue()).toBe('+886912345678');
    expect(await part.getByLabel('Text message').isChecked()).toBe(false);
    expect(await part.getByLabel('Start').inputValue()).toBe('22:00');
  });

  test.each([
    ['en', 360, 'light'],
    ['zh-TW', 1280, 'dark'],
    ['jp', 360, 'dark'],
  ] as const)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await people.openPage('mei', { locale, width, colorScheme });
    await page.goto(PAGE);
    await page.locator('input[type=tel]').waitFor();
    await page.locator('input[name=email]').fill('mei');
    await page.locator('input[type=tel]').fill('0912');
    await page.locator('input[type=tel]').press('Enter');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await atBothWidths(page, async (isOther) => {
      if (!isOther) await expectAccessible(page, 'the account');
      await expectFits(page, 'the account');
      expectWords(await page.locator('body').innerText(), locale);
    });
  });
});
