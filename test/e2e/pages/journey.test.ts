// From an empty installation to the first pictures, as its people do it in their browsers: an administrator sets it up, an
// operator finds the vehicle and watches it, a manager gives a link away and takes it back. A terminal over TCP, no store
// that was filled before.
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const ADMIN_PASSWORD = 'first of the house';
const PASSWORD = 'given by the chief';
const LIVE_STREAM = { path: '/stream/liveview/video.fuho' };
/** For what takes several steps of the gateway, the terminal and the browser on a busy machine. */
const PATIENCE_MS = 60_000;

const VEHICLE: VehicleProfile = {
  deviceId: 'unused',
  name: 'unused',
  number: '13800000042',
  edition: '2019',
  plate: 'KEE-0042',
  channels: 1,
  lapShare: 0,
  // Says where it is when it signs in, and not again: a mark on the map that is to be clicked must not drive off.
  positionSeconds: 86_400,
};

let product: Product;
let tap: Tap;
let browser: Browser;
let terminal: SimulatedTerminal;

beforeAll(async () => {
  product = await startProduct(async () => undefined, { ADMIN_PASSWORD });
  tap = await startTap(product.address);
  // Software draws the map here; browsers with a graphics card need no flag for it.
  browser = await sharedChromium(['--enable-unsafe-swiftshader']);
  const gateway = { host: '127.0.0.1', port: product.jt808Port };
  terminal = new SimulatedTerminal({ profile: VEHICLE, gateway, clip: await loadDemoClip('road') });
  terminal.start();
});
afterAll(async () => {
  terminal?.stop();
  await tap?.close();
  await product?.stop();
});

/** Somebody at a computer of their own, signed in on the sign-in page. */
async function signInAs(username: string, password: string, allowed: readonly AllowedNoise[] = []): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Asia/Taipei',
    baseURL: tap.address,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  consoleGuard(page, allowed);
  await page.goto('/');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await menu(page).getByRole('link', { name: 'Dashboard' }).waitFor();
  return page;
}

const menu = (page: Page) => page.getByRole('navigation');

/** What the shell frames, after a click on the menu's entry. */
async function openFromMenu(page: Page, name: string): Promise<FrameLocator> {
  await menu(page).getByRole('link', { name, exact: true }).click();
  return page.frameLocator('iframe');
}

async function addGroup(page: FrameLocator, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add group' }).click();
  const form = page.getByRole('dialog', { name: 'Add group' });
  await form.getByLabel('Group name').fill(name);
  await form.getByRole('button', { name: 'Save' }).click();
  await groupItem(page, name).waitFor();
}

const groupItem = (page: FrameLocator, name: string) => page.getByRole('treeitem', { name: `${name}, devices:` });

async function addMember(page: FrameLocator, username: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Add member', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Add member' });
  await form.getByLabel('Username').fill(username);
  await form.getByLabel('First sign-in').selectOption({ label: 'With a password that you set' });
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByLabel('Role').selectOption({ label: role });
  await form.getByRole('combobox', { name: 'Member groups' }).click();
  await page.getByRole('option', { name: 'Northern fleet' }).click();
  await form.getByRole('button', { name: 'Add member' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: username }).waitFor();
}

/** Two pictures that differ: the camera's mp4 runs. */
async function seePicturesMove(shown: Parameters<typeof readFrameNumber>[0]): Promise<void> {
  const isPicture = (frame: number | undefined): boolean => frame !== undefined;
  const first = await waitFor('a picture', () => readFrameNumber(shown), isPicture, PATIENCE_MS);
  const isNext = (frame: number | undefined): boolean => frame !== undefined && frame !== first;
  await waitFor('another picture', () => readFrameNumber(shown), isNext, PATIENCE_MS);
}

const streams = () => tap.openSockets(LIVE_STREAM).length;

it('an administrator makes groups, adopts the terminal that knocked, and gives an operator one group to see', async () => {
  const chief = await signInAs('admin', ADMIN_PASSWORD);
  const devices = await openFromMenu(chief, 'Device Group');
  await devices.getByText("You aren't in a member group.").waitFor();
  await addGroup(devices, 'Harbour');
  await addGroup(devices, 'Depot');

  await groupItem(devices, 'Depot').click();
  await devices.getByRole('button', { name: 'Add device' }).first().click();
  const added = devices.getByRole('dialog', { name: 'Add device' });
  await added.getByLabel('Device ID').fill('DEPOT-1');
  await added.getByLabel('Name', { exact: false }).first().fill('Depot van');
  await added.getByRole('button', { name: 'Save' }).click();
  await devices.getByRole('row').filter({ hasText: 'Depot van' }).waitFor();

  await groupItem(devices, 'Harbour').click();
  await devices.getByRole('button', { name: 'Terminals awaiting approval: 1' }).click({ timeout: PATIENCE_MS });
  await devices.getByRole('button', { name: `Adopt ${VEHICLE.number}` }).click();
  const adopted = devices.getByRole('dialog', { name: `Adopt terminal ${VEHICLE.number}` });
  await expect.poll(() => adopted.getByLabel('Plate').inputValue()).toBe(VEHICLE.plate);
  await expect.poll(() => adopted.getByLabel('Group').inputValue()).toBe('Harbour');
  await adopted.getByLabel('Device ID').fill('BUS-42');
  await adopted.getByLabel('Name').fill('Harbour bus');
  await adopted.getByRole('button', { name: 'Adopt' }).click();
  const row = devices.getByRole('row').filter({ hasText: 'Harbour bus' });
  await row.getByText('Online').waitFor({ timeout: PATIENCE_MS });

  const accounts = await openFromMenu(chief, 'Account');
  await accounts.getByRole('tab', { name: 'Member groups' }).click();
  await accounts.getByRole('button', { name: 'Add member group' }).first().click();
  const group = accounts.getByRole('dialog', { name: 'Add member group' });
  await group.getByLabel('Name', { exact: false }).first().fill('Northern fleet');
  await group.getByRole('combobox', { name: 'Device groups' }).click();
  await accounts.getByRole('option', { name: 'Harbour' }).click();
  await group.getByRole('button', { name: 'Save' }).click();
  await accounts.getByRole('row').filter({ hasText: 'Northern fleet' }).getByText('Harbour').waitFor();
  await accounts.getByRole('tab', { name: 'Members', exact: true }).click();
  await addMember(accounts, 'olga', 'Operator');
  await addMember(accounts, 'marek', 'Manager');
}, 180_000);

it('the operator sees that group alone, opens live view from the map, watches, and logs out', async () => {
  const page = await signInAs('olga', PASSWORD, [
    // What was open when the session ended asks once more, and is told.
    { url: /\/api\//, status: 401 },
    { url: /\/stream\//, status: 401 },
    { url: /\/api\//, status: 403 },
  ]);
  await expect.poll(() => menu(page).getByRole('link').allTextContents()).not.toContain('Device Group');
  expect((await page.request.get('/api/devicegroup/devices')).status()).toBe(403);

  const dashboard = await openFromMenu(page, 'Dashboard');
  await dashboard.locator('[data-device="BUS-42"]').getByText('Harbour bus').waitFor();
  await dashboard.locator('[data-card="online"] > span').first().filter({ hasText: /^1$/ }).waitFor();
  await expect.poll(() => dashboard.locator('[data-card="total"] > span').first().textContent()).toBe('1');
  await expect.poll(() => dashboard.locator('[data-device]').count()).toBe(1);

  // The map begins with all devices in view: the only one stands in its middle. A background is drawn after the devices.
  const map = dashboard.locator('[data-background="built-in"]');
  await map.waitFor({ timeout: PATIENCE_MS });
  // The view is so close that a reader expects streets. Only whoever can set a map up is told how.
  const notice = dashboard.getByRole('alert').filter({ hasText: 'No street map is set up.' });
  await expect.poll(() => notice.innerText()).not.toContain('MAP_PMTILES');
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  await map.click();
  const panel = dashboard.locator('[data-panel="BUS-42"]');
  await panel.waitFor({ timeout: PATIENCE_MS });
  const opened = page.waitForEvent('popup');
  await panel.getByRole('button', { name: 'Live view' }).click();
  const live = await opened;
  await live.waitForURL(/\/live\/BUS-42\//);
  await seePicturesMove(live);
  expect(streams()).toBe(1);

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/innerpage/login.html');
  // The window that was left open on another screen ends with the session.
  await waitFor('the end of the stream', streams, (count) => count === 0, PATIENCE_MS);
}, 180_000);

it("a manager's link opens in a frame of another site until it is revoked, and then not within two seconds", async () => {
  const page = await signInAs('marek', PASSWORD);
  const accounts = await openFromMenu(page, 'Account');
  await accounts.getByRole('tab', { name: 'Share links' }).click();
  await accounts.getByRole('button', { name: 'Create share link' }).first().click();
  const form = accounts.getByRole('dialog', { name: 'Create share link' });
  await form.getByRole('combobox', { name: 'Device' }).fill('harbour');
  await accounts.getByRole('option', { name: 'Harbour bus' }).click();
  await form.getByRole('button', { name: 'Create' }).click();
  const made = accounts.getByRole('dialog', { name: 'Share link created' });
  const snippet = await made.getByLabel('Embed code', { exact: true }).inputValue();
  expect(snippet).toMatch(/<iframe src="[^"]+\/live\/[0-9a-f]{100,}"/);
  const plain = made.getByLabel('Plain URL', { exact: true });
  await expect.poll(() => plain.inputValue()).toMatch(/\/live\/BUS-42%40\d+\/marek\/\w{27}$/);
  await made.getByRole('img', { name: 'QR code of the link' }).waitFor();
  await made.getByRole('button', { name: 'Close' }).click();
  const row = accounts.getByRole('row').filter({ hasText: 'Harbour bus' });
  await row.waitFor();

  const foreign = await (await browser.newContext({ locale: 'en-US' })).newPage();
  onTestFinished(() => foreign.context().close());
  consoleGuard(foreign, [{ url: /\/api\/device\/device/, status: 403 }]);
  await foreign.goto(await startHostPage(snippet));
  const frame = foreign.frameLocator('iframe');
  await frame.locator('.video-tile').first().waitFor();
  const framed = foreign.frames().find((each) => each !== foreign.mainFrame());
  if (framed === undefined) throw new Error('the page of the other site frames nothing');
  await seePicturesMove(framed);
  expect(streams()).toBe(1);

  await row.getByRole('button', { name: /^Revoke the share link of Harbour bus/ }).click();
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await accounts.getByRole('button', { name: 'Revoke', exact: true }).click();
  expect((await revoked).ok()).toBe(true);
  // Two seconds, and what the reading takes.
  await within(2_500, () => waitFor('the end of the stream', streams, (count) => count === 0, PATIENCE_MS));
  await frame.getByRole('alert').getByText("This link isn't valid").waitFor();
  await foreign.reload();
  await frame.getByText("This link isn't valid").first().waitFor();
  expect(streams()).toBe(0);
}, 180_000);
