// Exports as a viewer makes them: the playback page, the browser's own download, and the mp4s that come out of it.

import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FRAME_MS, frameAt } from '../../../server/demo/clip/clipFormat.ts';
import { loadDemoClips } from '../../../server/demo/clip/loadClip.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { burntInFrames } from '../../support/browser/burntInFrames.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { openRecordedPage } from '../../support/browser/recordedPage.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import {
  RECORDED_DEVICE,
  RECORDED_OWNER,
  type RecordedGateway,
  startRecordedGateway,
} from '../../support/gateway/recordedGateway.ts';
import { PASSWORD, signIn } from '../../support/gateway/site.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { readArchive } from '../../support/media/readArchive.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const MINUTE = 60_000;
/** A whole minute, so that it begins with a key frame; long enough ago that all of it has been. */
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 60 * MINUTE;
const NOW = wallMs(Date.now());
/** More than a download can hold in buffers on its way. */
const LONG = 20 * MINUTE;
const EXPORT = '/api/playback/local/export';
/** What a refused download and the questions about it leave in the console. */
const REFUSED: readonly AllowedNoise[] = [403, 404].map((status) => ({ url: /\/api\/playback\/local\//, status }));

let recorded: RecordedGateway;
let tap: Tap;
let browser: Browser;
let folder: TempFolder;

beforeAll(async () => {
  [recorded, folder, browser] = await Promise.all([
    startRecordedGateway([Permission.Evidence]),
    createTempFolder(),
    sharedChromium(),
  ]);
  const clips = await loadDemoClips();
  const short = { fromMs: START, toMs: START + MINUTE };
  await recorded.record({
    channel: 1,
    clip: clips.road,
    spans: [{ ...short, toMs: START + LONG }],
    withSound: true,
  });
  // Its pictures are coded in another order than they are shown in.
  await recorded.record({ channel: 2, clip: clips.cabin, spans: [short] });
  tap = await startTap(recorded.gateway.address);
});

afterAll(async () => {
  await tap?.close();
  await recorded?.close();
  await folder?.remove();
});

beforeEach(() => tap.reset());

interface Opening {
  readonly credential: string;
  /** Who is signed in beside the link. */
  readonly member?: string;
  readonly mask?: number;
  readonly allowed?: readonly AllowedNoise[];
}

const openPage = ({ member, mask = 3, ...opening }: Opening): Promise<Page> =>
  openRecordedPage(browser, {
    ...opening,
    address: tap.address,
    atMs: START,
    mask,
    prepare: async (page) => {
      if (member !== undefined) await signIn(page.context(), tap.address, member);
    },
  });

const exportLink = async () => (await recorded.link(['playback', 'export'])).credential;
const moment = (atMs: number) => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');

/** Opens the dialog and fills in a range. */
async function fillDialog(page: Page, fromMs: number, toMs: number): Promise<Locator> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('textbox', { name: 'Start', exact: true }).fill(moment(fromMs));
  await dialog.getByRole('textbox', { name: 'End', exact: true }).fill(moment(toMs));
  return dialog;
}

const start = (dialog: Locator) => dialog.getByRole('button', { name: 'Start export' }).click();

async function download(page: Page, dialog: Locator): Promise<Download> {
  const [begun] = await Promise.all([page.waitForEvent('download'), start(dialog)]);
  return begun;
}

const says = (dialog: Locator, text: string | undefined) =>
  waitFor(
    `the words "${text}"`,
    () => dialog.getByRole('status').textContent(),
    (shown) => shown === text,
  );

/** The numbers of the pictures from one moment to another, that one not included. */
const framesOf = (fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / FRAME_MS }, (_, index) => frameAt(fromMs + index * FRAME_MS));

async function clipFrames(mp4: Buffer): Promise<(number | undefined)[]> {
  const file = join(folder.path, 'mp4.mp4');
  await writeFile(file, mp4);
  return burntInFrames(findFfmpeg()?.ffmpegPath ?? '', file);
}

/** The last download that the page asked for, as the gateway tells of it. */
async function stateOnServer(): Promise<unknown> {
  const requests = tap.requests({ path: EXPORT }).at(-1);
  const address = `${recorded.gateway.address}${EXPORT}/progress?${requests?.query}`;
  return ((await (await fetch(address)).json()) as { data: unknown }).data;
}

describe.skipIf(findFfmpeg() === undefined)('the mp4s of an export', () => {
  it('are one of each channel in an archive, with every picture of the range', async () => {
    const page = await openPage({ credential: await exportLink() });
    const [fromMs, toMs] = [START + 10_000, START + 30_000];
    const dialog = await fillDialog(page, fromMs, toMs);
    const archive = await download(page, dialog);
    expect(archive.suggestedFilename()).toMatch(/^BUS1_\d{8}T\d{6}Z\.zip$/);
    const mp4s = readArchive(await readFile(await archive.path()));
    const name = (channel: number) =>
      `BUS1_ch${channel}_${moment(fromMs).replaceAll(/[-:]/g, '').replace(' ', 'T')}Z.mp4`;
    expect([...mp4s.keys()]).toEqual([name(1), name(2)]);
    for (const mp4 of mp4s.values()) expect(await clipFrames(mp4)).toEqual(framesOf(fromMs, toMs));
    await says(dialog, 'Export complete.');
  });

  it('is one alone when one channel is chosen, and is no archive', async () => {
    const page = await openPage({ credential: await exportLink() });
    const [fromMs, toMs] = [START + 20_000, START + 24_000];
    const dialog = await fillDialog(page, fromMs, toMs);
    await dialog.getByRole('checkbox', { name: 'ch 1' }).uncheck();
    const mp4 = await download(page, dialog);
    expect(mp4.suggestedFilename()).toMatch(/^BUS1_ch2_\d{8}T\d{6}Z\.mp4$/);
    expect(await clipFrames(await readFile(await mp4.path()))).toEqual(framesOf(fromMs, toMs));
    await dialog.getByRole('checkbox', { name: 'ch 2' }).uncheck();
    await expect.poll(() => dialog.getByRole('button', { name: 'Start export' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'ch 2' }).check();
    await expect.poll(() => dialog.getByRole('button', { name: 'Start export' }).isDisabled()).toBe(false);
    await dialog.getByRole('textbox', { name: 'End', exact: true }).fill('tomorrow');
    await expect.poll(() => dialog.getByRole('button', { name: 'Start export' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('an export that lasts', () => {
  it('shows how far it is, and a cancel ends it in the browser and on the server', async () => {
    tap.when({ path: EXPORT }, { kind: 'slow', bytesPerSecond: 1_000_000 });
    const page = await openPage({ credential: await exportLink(), mask: 1 });
    const dialog = await fillDialog(page, START, START + LONG);
    const mp4 = await download(page, dialog);
    await says(dialog, 'Downloading…');
    const share = async () => Number(await dialog.getByRole('progressbar').getAttribute('value'));
    const first = await waitFor('a share', share);
    await waitFor('a larger share', share, (value) => value > first);
    expect(await stateOnServer()).toMatchObject({ state: 'running' });
    await dialog.getByRole('button', { name: 'Cancel export' }).click();
    await says(dialog, 'Export canceled.');
    await expect.poll(() => dialog.getByRole('progressbar').count()).toBe(0);
    expect(await mp4.failure()).not.toBeNull();
    const ended = await stateOnServer();
    expect(ended).toMatchObject({ state: 'cancelled' });
    // Nothing is written any more: the share stands where it stood.
    expect((ended as { share: number }).share).toBeLessThan(1);
    // What was cancelled can be asked for anew, under the same dialog.
    tap.reset();
    await dialog.getByRole('textbox', { name: 'End' }).fill(moment(START + 2_000));
    await (await download(page, dialog)).path();
    await says(dialog, 'Export complete.');
  });

  it('is cancelled though the server had not begun it when it was asked to', async () => {
    let pass = () => {};
    const after = new Promise<void>((resolve) => {
      pass = resolve;
    });
    tap.when({ path: EXPORT }, { kind: 'slow', bytesPerSecond: 500_000, after });
    const page = await openPage({ credential: await exportLink(), mask: 1, allowed: REFUSED });
    const dialog = await fillDialog(page, START, START + LONG);
    await start(dialog);
    await waitFor('the request', () => tap.requests({ path: EXPORT }).length === 1);
    await dialog.getByRole('button', { name: 'Cancel export' }).click();
    await waitFor('a cancel that comes too early', () => tap.requests({ path: `${EXPORT}/cancel` }).length === 1);
    // Not cancelled yet, and not said to be.
    await expect.poll(() => dialog.getByRole('status').textContent()).toBe('Starting the export…');
    pass();
    await says(dialog, 'Export canceled.');
    expect(await stateOnServer()).toMatchObject({ state: 'cancelled' });
  });
});

describe('evidence', () => {
  const NOT_RECORDED: readonly AllowedNoise[] = [{ url: /\/api\/playback\/evidence$/, status: 404 }];

  it('is held and released beside an export, by a member who may', async () => {
    const { stores } = recorded.gateway;
    await stores.users.setPasswordHash(recorded.ownerId, await cheapHash(PASSWORD), NOW);
    const page = await openPage({ credential: await exportLink(), member: RECORDED_OWNER, allowed: NOT_RECORDED });
    const dialog = await fillDialog(page, START - 2 * MINUTE, START - MINUTE);
    const hold = dialog.getByRole('button', { name: 'Hold as evidence' });
    await hold.waitFor();
    await expect.poll(() => hold.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Accident at the lake');
    await hold.click();
    await dialog
      .getByRole('alert')
      .getByText(readTranslation('en', 'Errors')['no-recording'] ?? '')
      .waitFor();
    await dialog.getByRole('textbox', { name: 'Start', exact: true }).fill(moment(START));
    await dialog.getByRole('textbox', { name: 'End', exact: true }).fill(moment(START + 2_000));
    await hold.click();
    const held = dialog.getByRole('list', { name: 'Evidence holds of this device' }).getByRole('listitem');
    await waitFor(
      'a hold of each channel',
      () => held.count(),
      (count) => count === 2,
    );
    await expect.poll(() => dialog.getByRole('alert').count()).toBe(0);
    const kept = (await stores.evidenceHolds.inForce()).map(({ channel, fromMs, toMs }) => [channel, fromMs, toMs]);
    expect(kept.sort()).toEqual([1, 2].map((channel) => [channel, START, START + 2_000]));
    await held.filter({ hasText: 'ch 1' }).getByRole('button', { name: 'Release' }).click();
    await waitFor(
      'one hold',
      () => held.count(),
      (count) => count === 1,
    );
    expect((await stores.evidenceHolds.inForce()).map(({ channel }) => channel)).toEqual([2]);
  });

  it('is not offered to somebody who has the link alone', async () => {
    const page = await openPage({ credential: await exportLink() });
    const status = page.waitForResponse((response) => response.url().endsWith('/api/user/status'));
    const dialog = await fillDialog(page, START, START + 1_000);
    await (await status).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect.poll(() => dialog.getByRole('button', { name: 'Hold as evidence' }).count()).toBe(0);
    expect(tap.requests({ path: '/api/playback/evidence' })).toEqual([]);
  });
});

describe('an export that is refused', () => {
  it('is not offered by a link that may not export', async () => {
    const { credential } = await recorded.link(['playback']);
    const page = await openPage({ credential });
    const controls = page.getByRole('region', { name: 'Playback' });
    await controls.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
    await expect.poll(() => controls.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0);
    const requests = new URLSearchParams({ channels: '1', from: String(START), to: String(START + 1_000) });
    for (const [name, value] of Object.entries({ username: RECORDED_OWNER, credential, deviceid: RECORDED_DEVICE }))
      requests.set(name, value);
    expect((await fetch(`${recorded.gateway.address}${EXPORT}?${requests}`)).status).toBe(403);
  });

  it('says that nothing was recorded, and that the link is no longer valid, in the language of the page', async () => {
    const { id, credential } = await recorded.link(['playback', 'export']);
    const page = await openPage({ credential, allowed: REFUSED });
    const dialog = await fillDialog(page, START - 30 * MINUTE, START - 29 * MINUTE);
    const saysInEach = async (namespace: string, key: string) => {
      for (const locale of ['zh-TW', 'jp', 'en'] as const) {
        await switchLanguage(page, locale);
        await says(page.getByRole('dialog'), readTranslation(locale, namespace)[key]);
      }
    };
    await start(dialog);
    await saysInEach('Playback', 'No recordings in this range.');
    expect(tap.requests({ path: EXPORT })).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Start', exact: true }).fill(moment(START));
    await dialog.getByRole('textbox', { name: 'End', exact: true }).fill(moment(START + 2_000));
    // Revoked on the request's way: once the page's streams have ended, no export can be started.
    await page.route(
      ({ pathname }) => pathname === EXPORT,
      async (route) => {
        await recorded.gateway.stores.linkCredentials.revoke(id, wallMs(Date.now()));
        await route.continue();
      },
    );
    await start(dialog);
    await saysInEach('Errors', 'link-refused');
    const button = dialog.getByRole('button', { name: 'Start export' });
    await waitFor('the streams to end', () => button.isDisabled());
  });

  it('waits for others while there are as many as the server makes at once, says so, and follows them', async () => {
    const page = await openPage({ credential: await exportLink(), mask: 1 });
    const links = await Promise.all(['bob', 'cho'].map(linkOfMember));
    const others = await Promise.all([...links, ...links].map(beginAndWait));
    onTestFinished(() => {
      for (const other of others) other.destroy();
    });
    const dialog = await fillDialog(page, START, START + 2_000);
    const mp4 = page.waitForEvent('download');
    await start(dialog);
    await says(dialog, readTranslation('en', 'Playback')['Waiting for other exports…']);
    for (const other of others) other.destroy();
    await (await mp4).path();
    await says(dialog, 'Export complete.');
  });

  it('leaves no download behind when it is cancelled while it waits, and shows nothing of the answer', async () => {
    const page = await openPage({ credential: await exportLink(), mask: 1 });
    const downloads: string[] = [];
    page.on('download', (each) => downloads.push(each.suggestedFilename()));
    const links = await Promise.all(['dan', 'eve'].map(linkOfMember));
    const others = await Promise.all([...links, ...links].map(beginAndWait));
    onTestFinished(() => {
      for (const other of others) other.destroy();
    });
    const dialog = await fillDialog(page, START, START + 2_000);
    await start(dialog);
    await says(dialog, 'Waiting for other exports…');
    await dialog.getByRole('button', { name: 'Cancel export' }).click();
    await says(dialog, 'Export canceled.');
    for (const other of others) other.destroy();
    // The answer to the first is long there when the second has been downloaded.
    await (await download(page, dialog)).path();
    expect(downloads).toHaveLength(1);
    expect(downloads[0]).toMatch(/\.mp4$/);
  });

  interface Link {
    readonly username: string;
    readonly credential: string;
  }

  /** Links count for who made them, so that others have to be of other members. */
  async function linkOfMember(username: string): Promise<Link> {
    const { gateway, memberGroup } = recorded;
    const { users, memberGroups } = gateway.stores;
    const maker = await users.insert({ username, passwordHash: '-', permissions: [] }, wallMs(Date.now()));
    await memberGroups.setGroupsOfUser(maker, [memberGroup]);
    const { credential } = await recorded.link(['export'], 1, maker);
    return { username, credential };
  }

  const addressOf = (link: Link) => {
    const query = { ...link, deviceid: RECORDED_DEVICE, channels: '1' };
    const range = { from: String(START), to: String(START + LONG) };
    return `${recorded.gateway.address}${EXPORT}?${new URLSearchParams({ ...query, ...range })}`;
  };

  /** An export of which nothing is read. */
  const beginAndWait = (link: Link) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(addressOf(link), (response) => {
        response.on('error', () => {});
        resolve(response);
      }).on('error', reject);
    });
});
