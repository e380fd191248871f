// A real site whose gateway can be restored, called as its pages call it.

import { Registry } from 'prom-client';
import { createGatewayHost, type GatewayHost } from '../../../server/app/gatewayHost.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { prepareDataDir } from '../databases/sqliteFile.ts';
import { cheapHash } from '../fakes/cheapHash.ts';
import { inProcessBackups } from './inProcessBackups.ts';

export const SITE_TITLE = 'Northern depot';
export const SITE_PASSWORD = 'a password of the depot';
const MINUTES_ALLOWED_MS = 60_000;

export interface RestoredSite {
  readonly host: GatewayHost;
  readonly stores: () => Stores;
  signIn(username: string): Promise<Session>;
  close(): Promise<void>;
}

export interface Session {
  status(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<number>;
  /** What the envelope holds; throws for a refusal. */
  data<Data>(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<Data>;
}

function fail(error: Error): never {
  throw error;
}

export async function startRestoredSite(dataDir: string, env: Record<string, string> = {}): Promise<RestoredSite> {
  const ports = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };
  const read = readConfig({
    ...{ HOST: '127.0.0.1', ...ports, FTP_PASSIVE_PORTS: '0', DATA_DIR: dataDir, WEB_TITLE: SITE_TITLE },
    ...env,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  await prepareDataDir(dataDir);
  const host = createGatewayHost(read.config, {
    ...{ log: createLog('silent'), metrics: new Registry(), backupThreads: inProcessBackups(fail) },
    onLost: fail,
  });
  const { address } = await host.start();
  const stores = (): Stores => {
    if (host.gateway === undefined) throw new Error('no gateway runs');
    return host.gateway.stores;
  };
  await addChief(stores());
  return { host, stores, signIn: (username) => signIn(address, username), close: () => host.close() };
}

async function addChief({ users }: Stores): Promise<void> {
  const passwordHash = await cheapHash(SITE_PASSWORD);
  const permissions = ALL_PERMISSIONS;
  await users.insert({ username: 'chief', passwordHash, permissions }, wallMs(Date.now()));
}

async function signIn(address: string, username: string): Promise<Session> {
  const signedIn = await send({ address, cookie: '' }, 'POST', '/api/user/login', {
    ...{ username, password: SITE_PASSWORD },
  });
  if (!signedIn.ok) throw new Error(`sign-in: ${signedIn.status} ${await signedIn.text()}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const caller = { address, cookie };
  return {
    status: async (...call) => (await send(caller, ...call)).status,
    data: async (...call) => {
      const answer = await send(caller, ...call);
      if (!answer.ok) throw new Error(`${call[0]} ${call[1]}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { data: never }).data;
    },
  };
}

interface Caller {
  readonly address: string;
  readonly cookie: string;
}

function send({ address, cookie }: Caller, ...[method, path, body]: Parameters<Session['status']>): Promise<Response> {
  const isBytes = body instanceof Uint8Array;
  const type = isBytes ? 'application/octet-stream' : 'application/json';
  return fetch(new URL(path, address), {
    method,
    headers: { cookie, origin: address, ...(body && { 'content-type': type }) },
    ...(body && { body: isBytes ? new Blob([body]) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(MINUTES_ALLOWED_MS),
  });
}
