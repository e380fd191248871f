// A support bundle of a gateway in which secrets and names are wherever they can be stored or logged.
import { expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../../server/app/gateway.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { createLog, type Log } from '../../../../server/process/log.ts';
import { LogRing } from '../../../../server/process/logRing.ts';
import { BUNDLE_PATH } from '../../../../shared/protocol/api/system/bundle.ts';
import { SERVER_SETTINGS_PATH } from '../../../../shared/protocol/api/system/settings.ts';
import {
  foundIn,
  LOGGED,
  PLANTED_ENVIRONMENT,
  plantAll,
  STORED,
  storedText,
  UNKEPT,
} from '../../../support/bundle/plantedTexts.ts';
import { prepareDataDir } from '../../../support/databases/sqliteFile.ts';
import { readArchive } from '../../../support/media/readArchive.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

async function start() {
  const folder = await createTempFolder();
  const read = readConfig({
    ...{ HOST: '127.0.0.1', PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0' },
    ...{ FTP_PORT: '0', FTP_PASSIVE_PORTS: '0', DATA_DIR: folder.path },
    ...PLANTED_ENVIRONMENT,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const recentLog = new LogRing();
  const log = createLog('trace', { write: (line) => recentLog.write(line) });
  await prepareDataDir(folder.path);
  const gateway = await startGateway(read.config, { log, recentLog });
  onTestFinished(async () => {
    await gateway.close();
    await folder.remove();
  });
  return { gateway, log, recentLog, folder: folder.path };
}

function plantLines(log: Log): void {
  const { driver, cause, loggedPath, loggedAddress, loggedMessage, loggedToken } = LOGGED;
  log.error({ err: new Error(`of ${driver}`, { cause: new Error(cause) }) }, 'positions');
  log.error(new Error(loggedMessage));
  log.warn({ path: loggedPath, address: loggedAddress, names: [driver] }, `recorder: ${driver}`);
  log.info({ nested: { [loggedToken]: driver }, text: loggedToken }, 'request');
}

interface Caller {
  readonly address: string;
  readonly cookie: string;
}

async function signIn({ address }: Gateway): Promise<Caller> {
  const signedIn = await fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: STORED.username, password: UNKEPT.password }),
  });
  const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return { address, cookie: cookies.join('; ') };
}

async function send({ address, cookie }: Caller, method: string, path: string, body?: object): Promise<Response> {
  const headers = { cookie, origin: address, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return fetch(new URL(path, address), { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function plantTitle(caller: Caller): Promise<void> {
  const { version } = (
    (await (await send(caller, 'GET', SERVER_SETTINGS_PATH)).json()) as { data: { version: number } }
  ).data;
  const unset = { liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };
  const changed = await send(caller, 'PUT', SERVER_SETTINGS_PATH, { ...unset, version, webTitle: STORED.title });
  expect(changed.status).toBe(200);
}

async function downloaded(caller: Caller): Promise<ReadonlyMap<string, string>> {
  const offered = (await (await send(caller, 'POST', BUNDLE_PATH)).json()) as { data: { address: string } };
  const zip = await fetch(new URL(offered.data.address, caller.address));
  expect(zip.status).toBe(200);
  const files = readArchive(Buffer.from(await zip.arrayBuffer()), true);
  return new Map([...files].map(([name, bytes]) => [name, bytes.toString()]));
}

it('has none of fifty secrets and names', { timeout: 60_000 }, async () => {
  const { gateway, log, recentLog, folder } = await start();
  await plantAll(gateway.stores);
  plantLines(log);
  const caller = await signIn(gateway);
  await plantTitle(caller);
  // What nobody may see has been seen by the gateway: in an address, and as a name.
  await send(caller, 'GET', `/live/${UNKEPT.linkSecret}?x=${UNKEPT.metricsToken}`);
  await send(caller, 'POST', '/api/user/login', { username: STORED.displayName, password: UNKEPT.adminPassword });

  const held = `${storedText(folder)}\n${recentLog.read().join('\n')}`;
  for (const [name, text] of Object.entries({ ...STORED, ...LOGGED }))
    expect([name, held.includes(text)]).toEqual([name, true]);

  const files = await downloaded(caller);
  const kept = [...Object.values(STORED), ...Object.values(LOGGED), caller.cookie.split('=')[1] ?? '?', folder];
  const planted = [...Object.values(UNKEPT), ...kept];
  expect(planted.length).toBeGreaterThan(50);
  expect(foundIn(files, planted)).toEqual([]);

  // And it has what it is for.
  expect(JSON.parse(files.get('terminals.json') ?? '').kinds).toMatchObject([{ manufacturer: 'FLGLS', devices: 1 }]);
  expect(files.get('log.jsonl')).toContain('"msg":"positions"');
  expect(files.get('metrics.txt')).toContain('fleetglass_http_request_duration_seconds_count');
  expect(JSON.parse(files.get('configuration.json') ?? '')).toMatchObject({ PUBLIC_HOST: true, MAX_LICENSE: 0 });
  const entries = await gateway.stores.audit.list({ limit: 10 });
  expect(entries.map(({ action }) => action)).toContain('support.bundle');
});
