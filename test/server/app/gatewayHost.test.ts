// A gateway that is closed, changed and started again within its process.
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startGateway } from '../../../server/app/gateway.ts';
import { createGatewayHost, type GatewayHost } from '../../../server/app/gatewayHost.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import type { Config } from '../../../server/config/variables.ts';
import { listenOn } from '../../../server/faults/sockets.ts';
import { ServerSetting } from '../../../server/http/system/serverSettings.ts';
import { createLog } from '../../../server/process/log.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const NOTHING_TO_UNDO = { undo: async () => undefined };

let folder: TempFolder;
let host: GatewayHost;
let lost: Error[];
beforeEach(async () => {
  folder = await createTempFolder();
  lost = [];
  await prepareDataDir(folder.path);
  host = hostWith({});
});
afterEach(async () => {
  await host.close();
  await folder.remove();
});

function configOf(environment: Record<string, string>): Config {
  const ports = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };
  const read = readConfig({
    HOST: '127.0.0.1',
    ...ports,
    FTP_PASSIVE_PORTS: '0',
    DATA_DIR: folder.path,
    ...environment,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.config;
}

function hostWith(environment: Record<string, string>): GatewayHost {
  const onLost = (error: Error): void => void lost.push(error);
  return createGatewayHost(configOf(environment), { log: createLog('silent'), metrics: new Registry(), onLost });
}

const titleAt = async (address: string) => {
  const answer = await fetch(`${address}/api/system/server`);
  return ((await answer.json()) as { data?: { web_title: string } }).data?.web_title;
};

it('answers at the same address again, on what was changed, and says so meanwhile', async () => {
  const { address, jt808Port, stores } = await host.start();
  await stores.settings.set(ServerSetting.WebTitle, 'Before');
  expect(await titleAt(address)).toBe('Before');
  let call: Response | undefined;
  let page: Response | undefined;
  const outcome = await host.restart(async () => {
    call = await fetch(`${address}/api/user/status`);
    page = await fetch(`${address}/innerpage/dashboard.html`, {
      headers: { accept: 'text/html', 'accept-language': 'ja' },
    });
    return NOTHING_TO_UNDO;
  });
  expect(outcome).toEqual({ kind: 'changed' });
  expect([call?.status, call?.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await call?.json()).toMatchObject({ error: true, code: 'restoring' });
  expect([page?.status, await page?.text()]).toEqual([503, expect.stringContaining('バックアップを復元しています')]);
  expect(page?.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  expect(await titleAt(address)).toBe('Before');
  expect(host.gateway?.jt808Port).toBe(jt808Port);
});

it('is alive while it is closed, and not ready', async () => {
  const { address } = await host.start();
  const alive = await (await fetch(`${address}/healthz`)).json();
  let meanwhile: readonly Response[] = [];
  await host.restart(async () => {
    meanwhile = await Promise.all(['/healthz', '/readyz', '/healthz/else'].map((path) => fetch(`${address}${path}`)));
    return NOTHING_TO_UNDO;
  });
  expect(meanwhile.map(({ status }) => status)).toEqual([200, 503, 503]);
  expect(await meanwhile[0]?.json()).toEqual(alive);
});

it('has a stand-in answer until it listens, and as soon as it no longer does', async () => {
  const seen: unknown[] = [];
  const standIn = createServer((_, response) => response.end('a moment'));
  await listenOn(standIn, '127.0.0.1', 0);
  const { port } = standIn.address() as AddressInfo;
  // Neither could listen where the other one still did.
  const gateway = await startGateway(configOf({ PORT: String(port) }), {
    log: createLog('silent'),
    standIn: {
      leave: async () => {
        seen.push(await (await fetch(`http://127.0.0.1:${port}/`)).text());
        standIn.closeAllConnections();
        standIn.close();
        await once(standIn, 'close');
      },
      take: async () => {
        await listenOn(standIn, '127.0.0.1', port);
        // All else is closed afterwards.
        seen.push(await gateway.stores.settings.get(ServerSetting.WebTitle));
      },
    },
  });
  await gateway.stores.settings.set(ServerSetting.WebTitle, 'Still open');
  await gateway.close();
  standIn.close();
  expect(seen).toEqual(['a moment', 'Still open']);
});

it('goes on as before where the change fails', async () => {
  const { address } = await host.start();
  const error = new Error('the disk is full');
  expect(await host.restart(() => Promise.reject(error))).toEqual({ kind: 'unchanged', error });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(lost).toEqual([]);
});

it('brings back what was there where no gateway starts on what was changed', async () => {
  const { address, stores } = await host.start();
  await stores.settings.set(ServerSetting.WebTitle, 'Before');
  const file = join(folder.path, 'fleetglass.db');
  const outcome = await host.restart(async () => {
    await rename(file, `${file}.before`);
    await writeFile(file, 'no database');
    return { undo: () => rename(`${file}.before`, file) };
  });
  expect(outcome).toMatchObject({ kind: 'unchanged', error: { message: expect.stringContaining('not a database') } });
  expect(await titleAt(address)).toBe('Before');
  expect(lost).toEqual([]);
});

it('says that it is lost where nothing starts any more', async () => {
  const { address } = await host.start();
  const file = join(folder.path, 'fleetglass.db');
  const outcome = await host.restart(async () => {
    await writeFile(file, 'no database');
    return { undo: () => Promise.reject(new Error('gone')) };
  });
  expect(outcome.kind).toBe('unchanged');
  expect(lost).toHaveLength(1);
  await expect(fetch(`${address}/readyz`)).rejects.toThrow();
});

it('waits with its end for a change that has begun, and restarts once at a time', async () => {
  await host.start();
  let finish: (() => void) | undefined;
  const changing = host.restart(() => {
    return new Promise((resolve) => {
      finish = () => resolve(NOTHING_TO_UNDO);
    });
  });
  expect(() => host.restart(async () => NOTHING_TO_UNDO)).toThrow('restarted already');
  let isClosed = false;
  const closing = host.close().then(() => {
    isClosed = true;
  });
  await waitFor('the change', () => finish !== undefined);
  expect(isClosed).toBe(false);
  finish?.();
  expect(await changing).toEqual({ kind: 'changed' });
  await closing;
  expect(host.gateway).toBeUndefined();
});
