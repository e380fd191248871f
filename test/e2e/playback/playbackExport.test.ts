// Exports as a viewer makes them: the playback page, the browser's own download, and the mp4s that come out of it.
import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
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
/** Longer than a download can hold in buffers on its way. */
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
  /** The member who is signed in beside the link. */
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

/** The numbers of the pictures from one moment up to another, which is not included. */
const framesOf = (fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / FRAME_MS }, (_, index) => frameAt(fromMs + index * FRAME_MS));

async function clipFrames(mp4: Buffer): Promise<(number | undefined)[]> {
  const file = join(folder.path, 'mp4.mp4');
  await writeFile(file, mp4);
  return burntInFrames(findFfmpeg()?.ffmpegPath ?? '', file);
}

/** The last download that the page requested, as the gateway reports it. */
async function stateOnServer(): Promise<unknown> {
  const requests = tap.requests({ path: EXPORT }).at(-1);
  const address = `${recorded.gateway.address}${EXPORT}/progress?${requests?.query}`;
  return ((await (await fetch(address)).json()) as { data: unknown }).data;
}

// What the dialog offers, and each answer and failure, is tested in test/dom/pages/playback.
describe.skipIf(findFfmpeg() === undefined)('an export', () => {
  it('is an mp4 of each channel in an archive, or one alone, with every picture of the range; what is refused is said in the language of the page', async () => {
    const { id, credential } = await recorded.link(['playback', 'export']);
    const page = await openPage({ credential, allowed: REFUSED });
    const [fromMs, toMs] = [START + 10_000, START + 20_000];
    const dialog = await fillDialog(page, fromMs, toMs);
    const archive = await download(page, dialog);
    expect(archive.suggestedFilename()).toMatch(/^BUS1_\d{8}T\d{6}Z\.zip$/);
    const mp4s = readArchive(await readFile(await archive.path()));
    const name = (channel: number) =>
      `BUS1_ch${channel}_${moment(fromMs).replaceAll(/[-:]/g, '').replace(' ', 'T')}Z.mp4`;
    expect([...mp4s.keys()]).toEqual([name(1), name(2)]);
    for (const mp4 of mp4s.values()) expect(await clipFrames(mp4)).toEqual(framesOf(fromMs, toMs));
    await says(dialog, 'Export complete.');
    // Somebody who only has the link is not offered evidence.
    await expect.poll(() => dialog.getByRole('button', { name: 'Hold as evidence' }).count()).toBe(0);
    expect(tap.requests({ path: '/api/playback/evidence' })).toEqual([]);

    await dialog.getByRole('textbox', { name: 'End', exact: true }).fill(moment(fromMs + 4_000));
    await dialog.getByRole('checkbox', { name: 'ch 1' }).uncheck();
    const mp4 = await download(page, dialog);
    expect(mp4.suggestedFilename()).toMatch(/^BUS1_ch2_\d{8}T\d{6}Z\.mp4$/);
    expect(await clipFrames(await readFile(await mp4.path()))).toEqual(framesOf(fromMs, fromMs + 4_000));
    await says(dialog, 'Export complete.');
    await expectStart(dialog);
    await expectRefusals(page, id);
  });

  /** There is something to start while a channel is chosen and both ends are moments. */
  async function expectStart(dialog: Locator): Promise<void> {
    const isOff = () => dialog.getByRole('button', { name: 'Start export' }).isDisabled();
    const end = dialog.getByRole('textbox', { name: 'End', exact: true });
    await dialog.getByRole('checkbox', { name: 'ch 2' }).uncheck();
    await expect.poll(isOff).toBe(true);
    await dialog.getByRole('checkbox', { name: 'ch 2' }).check();
    await expect.poll(isOff).toBe(false);
    const text = await end.inputValue();
    await end.fill('tomorrow');
    await expect.poll(isOff).toBe(true);
    await end.fill(text);
    await expect.poll(isOff).toBe(false);
  }

  async function expectRefusals(page: Page, link: number): Promise<void> {
    const dialog = page.getByRole('dialog');
    const fill = async (fromMs: number, toMs: number) => {
      await dialog.getByRole('textbox').first().fill(moment(fromMs));
      await dialog.getByRole('textbox').nth(1).fill(moment(toMs));
    };
    const startButton = dialog.getByRole('button', { name: readTranslation('jp', 'Playback')['Start export'] ?? '?' });
    await fill(START - 30 * MINUTE, START - 29 * MINUTE);
    await switchLanguage(page, 'jp');
    const before = tap.requests({ path: EXPORT }).length;
    await startButton.click();
    await says(dialog, readTranslation('jp', 'Playback')['No recordings in this range.']);
    expect(tap.requests({ path: EXPORT })).toHaveLength(before);
    await fill(START, START + 2_000);
    // The link is revoked on the request's way: once the page's streams have ended, no export can be started.
    await page.route(
      ({ pathname }) => pathname === EXPORT,
      async (route) => {
        await recorded.gateway.stores.linkCredentials.revoke(link, wallMs(Date.now()));
        await route.continue();
      },
    );
    await startButton.click();
    await says(dialog, readTranslation('jp', 'Errors')['link-refused']);
    await waitFor('the streams to end', () => startButton.isDisabled());
  }

  it('that lasts shows how far it is, and is ended in the browser and on the server by a cancel; it waits for others while there are as many as the server makes at once', async () => {
    const forgetRate = tap.when({ path: EXPORT }, { kind: 'slow', bytesPerSecond: 1_000_000 });
    const page = await openPage({ credential: await exportLink(), mask: 1 });
    const downloads: string[] = [];
    page.on('download', (each) => downloads.push(each.suggestedFilename()));
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
    // Nothing is written any longer: the share stands where it stood.
    expect((ended as { share: number }).share).toBeLessThan(1);
    forgetRate();

    // A canceled export can be requested again, in the same dialog.
    await dialog.getByRole('textbox', { name: 'End' }).fill(moment(START + 2_000));
    const endOthers = await beginOthers();
    await start(dialog);
    await says(dialog, readTranslation('en', 'Playback')['Waiting for other exports…']);
    await dialog.getByRole('button', { name: 'Cancel export' }).click();
    await says(dialog, 'Export canceled.');
    const later = page.waitForEvent('download');
    await start(dialog);
    await says(dialog, readTranslation('en', 'Playback')['Waiting for other exports…']);
    endOthers();
    await (await later).path();
    await says(dialog, 'Export complete.');
    // An export that was canceled while it waited left no download, and nothing of its answer is shown.
    expect(downloads).toHaveLength(2);
    expect(downloads[1]).toMatch(/\.mp4$/);
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
});

interface Link {
  readonly username: string;
  readonly credential: string;
}

/** Links count toward the member who made them, so others have to be of other members. */
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

/** Begins an export of which nothing is read. */
const beginAndWait = (link: Link) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(addressOf(link), (response) => {
      response.on('error', () => {});
      resolve(response);
    }).on('error', reject);
  });

/** Begins as many exports of other members as the server makes at once; gives what ends them. */
async function beginOthers(): Promise<() => void> {
  const links = await Promise.all(['bob', 'cho'].map(linkOfMember));
  const others = await Promise.all([...links, ...links].map(beginAndWait));
  const end = () => {
    for (const other of others) other.destroy();
  };
  onTestFinished(end);
  return end;
}
