// Images on their way to simulated terminals, over real sockets.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import { parameterItem, parameterValue } from '../../../server/device/jt808/codec/parameterValues.ts';
import { terminalRestart } from '../../../server/device/jt808/orders.ts';
import type { Report } from '../../../server/device/reportFeed.ts';
import { createDelivery } from '../../../server/firmware/delivery/createDelivery.ts';
import type { DeliveryOutcome, DeliveryRequest } from '../../../server/firmware/delivery/delivery.ts';
import type { ImageLinkRequest } from '../../../server/firmware/images/imageLinks.ts';
import type { FtpLogin } from '../../../server/ftp/ftpLogin.ts';
import { FtpServer } from '../../../server/ftp/ftpServer.ts';
import type { FirmwareQuirks, TerminalQuirks } from '../../../simulator/quirks.ts';
import type { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';
import { it } from '../device/gatewayTest.ts';
import { PROFILE, type TestGateway } from '../device/testGateway.ts';

/** Some twenty packages, with bytes that have to be escaped. */
const DATA = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) & 0xff));
const SHA256 = createHash('sha256').update(DATA).digest('hex');

/** Waiting is for tests of its own. */
const soon = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs / 20);
  return () => clearTimeout(timer);
};

interface Scene {
  readonly terminal: SimulatedTerminal;
  readonly reports: readonly Report[];
  deliver(change?: Partial<DeliveryRequest['model']>): Promise<DeliveryOutcome>;
  readonly progress: readonly number[];
  /** Where the gateway's FTP server began to read the image. */
  readonly ftpOffsets: readonly number[];
  versions(): string[];
  results(): number[];
}

let folder: TempFolder;
let server: Server;
let ftpServer: FtpServer;
const deliveries: ReturnType<typeof createDelivery>[] = [];
/** What the downloads of a path are told to. */
const opened = new Map<string, ImageLinkRequest['onBytes']>();

beforeAll(async () => {
  folder = await createTempFolder();
  await writeFile(join(folder.path, 'image'), DATA);
  server = createServer(serveImage);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ftpServer = await FtpServer.start(
    { host: '127.0.0.1', port: 0, passivePorts: { first: 0, last: 0 }, publicHost: undefined, publicPort: undefined },
    {
      now: Date.now,
      runAfter: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      owners: ONE_OWNER,
      lookup: () => Promise.reject(new Error('nothing is looked up')),
      onLimit: () => undefined,
      onFault: noFaults,
      onNote: () => undefined,
    },
  );
});
afterAll(async () => {
  for (const delivery of deliveries) delivery.close();
  server.close();
  await ftpServer.close();
  await folder.remove();
});

function openLink({ onBytes }: ImageLinkRequest) {
  const path = `/firmware/${opened.size}`;
  opened.set(path, onBytes);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, close: () => undefined };
}

/** Notes where downloads begin. */
function ftpLoginsNoting(offsets: number[]) {
  return {
    open: (login: FtpLogin) => {
      if (login.kind !== 'download') return ftpServer.open(login);
      const onBytes = (offset: number, bytes: number): void => {
        offsets.push(offset);
        login.onBytes(offset, bytes);
      };
      return ftpServer.open({ ...login, onBytes });
    },
  };
}

/** Stands for the gateway's own downloads. */
function serveImage({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const end = to === '' ? DATA.length : Math.min(DATA.length, Number(to) + 1);
  const range = { 'content-range': `bytes ${from}-${end - 1}/${DATA.length}` };
  response.writeHead(headers.range === undefined ? 200 : 206, headers.range === undefined ? {} : range);
  response.end(DATA.subarray(Number(from), end));
  opened.get(url)?.(Number(from), end - Number(from));
}

async function startScene(test: TestGateway, quirks: TerminalQuirks = {}): Promise<Scene> {
  const reports: Report[] = [];
  test.feed.subscribe('events', (report) => void reports.push(report));
  await test.addDevice();
  const terminal = test.start({ quirks }, { runAfter: soon });
  const versions = () =>
    reports.flatMap((report) => (report.kind === 'attributes' ? [report.attributes.firmwareVersion] : []));
  await waitFor('the first attributes', () => versions().length === 1);
  const session = test.gateway.registry.session(PROFILE.deviceId);
  if (session === undefined) throw new Error('no session');
  const progress: number[] = [];
  const ftpOffsets: number[] = [];
  const ftpLogins = ftpLoginsNoting(ftpOffsets);
  const delivery = createDelivery({ links: { open: openLink }, ftpLogins, now: Date.now, runAfter: soon });
  deliveries.push(delivery);
  const file = join(folder.path, 'image');
  const image = { file, bytes: DATA.length, sha256: SHA256, vendor: 'FLGLS', firmwareVersion: '2.0', partCode: 0 };
  const usual = { method: 'packages', manufacturerBytes: 5, window: 8, template: '', passthroughType: 0 } as const;
  return {
    terminal,
    reports,
    progress,
    ftpOffsets,
    versions,
    deliver: (change = {}) =>
      delivery.deliver({
        session,
        image,
        model: { ...usual, ...change },
        signal: new AbortController().signal,
        onProgress: (bytes) => void progress.push(bytes),
        beforeEnd: async () => true,
      }),
    results: () =>
      reports.flatMap((report) =>
        report.kind === 'message' && report.body.kind === 'upgradeResult' ? [report.body.result] : [],
      ),
  };
}

const taken = { version: '2.0', bytes: DATA.length, sha256: SHA256 };

describe.concurrent('an image that is delivered', () => {
  it('in packages is the same at the terminal, which comes back with its version', async ({ test }) => {
    const { deliver, terminal, versions, results, progress } = await startScene(test);
    expect(await deliver()).toEqual({ ok: true });
    expect(terminal.images).toEqual([taken]);
    expect(progress.at(-1)).toBe(DATA.length);
    await waitFor('the new version', () => versions().at(-1) === '2.0');
    await waitFor('the result', () => results().length === 1);
    expect(results()).toEqual([0]);
  });

  it('in packages, one at a time, with eleven bytes for the manufacturer', async ({ test }) => {
    const { deliver, terminal } = await startScene(test, { firmware: { manufacturerBytes: 11 } });
    expect(await deliver({ window: 1, manufacturerBytes: 11 })).toEqual({ ok: true });
    expect(terminal.images).toEqual([taken]);
  });

  it('in packages, of which the terminal forgets some', async ({ test }) => {
    const { deliver, terminal, progress } = await startScene(test, { firmware: { forgetEveryPackage: 3 } });
    expect(await deliver()).toEqual({ ok: true });
    expect(terminal.images).toEqual([taken]);
    expect(progress.some((bytes, at) => bytes < (progress[at - 1] ?? 0))).toBe(true);
  });

  it('lets other commands through', async ({ test }) => {
    const { deliver, terminal } = await startScene(test);
    const session = test.gateway.registry.session(PROFILE.deviceId);
    const delivered = deliver({ window: 1 });
    const items = [parameterItem('maxSpeedKmh', 70, '2019')];
    expect(await session?.command({ kind: 'setParameters', items })).toEqual({ ok: true });
    expect(terminal.images).toEqual([]);
    expect(await delivered).toEqual({ ok: true });
    expect(terminal.images).toEqual([taken]);
  });

  it.for([0, 3_000])('by URL is fetched, in ranges of %i bytes', async (rangeBytes, { test }) => {
    const { deliver, terminal, versions } = await startScene(test, { firmware: { rangeBytes } });
    expect(await deliver({ method: 'http' })).toEqual({ ok: true });
    await waitFor('the new version', () => versions().at(-1) === '2.0');
    expect(terminal.images).toEqual([taken]);
  });

  it.for([
    ['at once', 0, [0]],
    ['and gone on with where it broke off', 8_000, [0, 8_000, 16_000]],
  ] as const)('over FTP is fetched %s', async ([, rangeBytes, offsets], { test }) => {
    const { deliver, terminal, versions, ftpOffsets } = await startScene(test, { firmware: { rangeBytes } });
    expect(await deliver({ method: 'ftp' })).toEqual({ ok: true });
    await waitFor('the new version', () => versions().at(-1) === '2.0');
    expect(terminal.images).toEqual([taken]);
    expect(ftpOffsets).toEqual(offsets);
  });

  it.for(['text', 'passthrough'] as const)("by a vendor's %s is fetched", async (method, { test }) => {
    const { deliver, terminal, versions } = await startScene(test);
    expect(await deliver({ method, template: 'UPGRADE {url} {version}' })).toEqual({ ok: true });
    await waitFor('the new version', () => versions().at(-1) === '2.0');
    expect(terminal.images).toEqual([taken]);
  });

  it.for([
    ['packages', 'upgradePackage'],
    ['http', 'terminalControl'],
  ] as const)('is refused where that is the quirk: %s', async ([method, kind], { test }) => {
    const { deliver, terminal } = await startScene(test, { refusals: { [kind]: GeneralResult.NotSupported } });
    expect(await deliver({ method })).toMatchObject({ ok: false, fault: 'not-supported', isPassing: false });
    expect(terminal.images).toEqual([]);
  });
});

describe.concurrent('a terminal that has taken an image', () => {
  it.for([
    [{ outcome: 'unreported' }, '2.0', []],
    [{ outcome: 'stays' }, '1.0', []],
    [{ outcome: 'false-success' }, '1.0', [0]],
    [{ outcome: 'failed' }, '1.0', [1]],
    [{ afterReboot: 'again' }, '2.0', [0]],
  ] as const satisfies readonly (readonly [FirmwareQuirks, string, readonly number[]])[])(
    'comes back as its quirk has it: %o',
    async ([firmware, version, expected], { test }) => {
      const { deliver, versions, results } = await startScene(test, { firmware });
      expect(await deliver()).toEqual({ ok: true });
      await waitFor('it is back', () => versions().length > 1 && results().length === expected.length);
      expect([versions().at(-1), results()]).toEqual([version, expected]);
    },
  );

  it('never comes back where that is its quirk', async ({ test }) => {
    const { deliver, terminal } = await startScene(test, { firmware: { afterReboot: 'never-back' } });
    expect(await deliver()).toEqual({ ok: true });
    await waitFor('it is gone', () => test.gateway.registry.session(PROFILE.deviceId) === undefined);
    expect(terminal.firmwareVersion).toBe('2.0');
  });

  it('keeps its parameters when it restarts, and loses them by a factory reset', async ({ test }) => {
    const { versions } = await startScene(test);
    const session = () => waitFor('it is online', () => test.gateway.registry.session(PROFILE.deviceId));
    const speed = async (): Promise<number | undefined> => {
      const told = await (await session())?.query({ kind: 'querySomeParameters', ids: [0x0055] }, 'parametersReply');
      return told?.ok === true ? parameterValue(told.answer.items, 'maxSpeedKmh', '2019') : undefined;
    };
    await (await session())?.command({
      kind: 'setParameters',
      items: [parameterItem('maxSpeedKmh', 70, '2019')],
    });
    expect(await (await session())?.command(terminalRestart('restart'))).toEqual({ ok: true });
    await waitFor('it has restarted', () => versions().length === 2);
    expect(await speed()).toBe(70);
    expect(await (await session())?.command(terminalRestart('factory-reset'))).toEqual({ ok: true });
    await waitFor('it has restarted again', () => versions().length === 3);
    expect(await speed()).toBe(80);
  });
});
