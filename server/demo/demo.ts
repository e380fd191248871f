// `npm run demo`: a gateway with accounts and a simulated fleet, on a folder that is thrown away unless DATA_DIR names one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { wallMs } from '../../shared/protocol/time.ts';
import { createSecret } from '../auth/secrets.ts';
import { readConfig } from '../config/readConfig.ts';
import { startGateway } from '../gateway.ts';
import { createLog } from '../log.ts';
import { runUntilSignal } from '../runUntilSignal.ts';
import type { Stores } from '../store/stores.ts';
import { loadClip } from './clip/loadClip.ts';
import { addDemoDevices, DEMO_USER, DEMO_VEHICLES, type DemoAccount, makeDemoLinks } from './demoFleet.ts';
import { SimulatedTerminal } from './terminal.ts';

const PASSWORD_LENGTH = 10;

async function main(): Promise<void> {
  const ownFolder = process.env.DATA_DIR === undefined ? mkdtempSync(join(tmpdir(), 'fleetglass-demo-')) : undefined;
  const read = readConfig({ ...demoPresets(ownFolder), ...process.env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const log = createLog(read.config.logLevel);
  const gateway = await startGateway(read.config, { log });

  const password = createSecret(PASSWORD_LENGTH);
  const account = await addDemoAccount(gateway.stores, password);
  await addDemoDevices(gateway.stores, account);
  const links = await makeDemoLinks(gateway.stores, account, wallMs(Date.now()));
  const clip = await loadClip(new URL('./clips/road.h264', import.meta.url));
  const dial = { host: read.config.host === '0.0.0.0' ? '127.0.0.1' : read.config.host, port: gateway.jt808Port };
  const terminals = DEMO_VEHICLES.map((profile) => new SimulatedTerminal({ profile, gateway: dial, clip }));
  for (const terminal of terminals) terminal.start();

  runUntilSignal(log, async () => {
    for (const terminal of terminals) terminal.stop();
    await gateway.close();
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
  });
  process.stdout.write(`Ready: ${gateway.address}  sign in as ${DEMO_USER} / ${password}\n`);
  for (const path of links) process.stdout.write(`Live:  ${gateway.address}${path}\n`);
}

/** Reachable from this machine alone, and on terminal ports that nothing else holds, unless the environment says otherwise. */
function demoPresets(dataDir: string | undefined): Record<string, string> {
  const presets = { HOST: '127.0.0.1', JT808_PORT: '0', JT1078_PORT: '0', LOG_LEVEL: 'warn' };
  return dataDir === undefined ? presets : { ...presets, DATA_DIR: dataDir };
}

/** The demo's user with a password of this run, in a member group that owns the demo's devices. */
async function addDemoAccount(stores: Stores, password: string): Promise<DemoAccount> {
  const now = wallMs(Date.now());
  const known = await stores.users.findByName(DEMO_USER);
  const passwordHash = await hash(password);
  if (known !== undefined) {
    await stores.users.setPasswordHash(known.id, passwordHash, now);
    return { userId: known.id, deviceGroup: await firstDeviceGroup(stores) };
  }
  const deviceGroup = await firstDeviceGroup(stores);
  const userId = await stores.users.insert({ username: DEMO_USER, passwordHash, permissions: [] }, now);
  const memberGroup = await stores.memberGroups.insert({ name: 'Lake line', retentionDays: 30 });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.memberGroups.setGroupsOfUser(userId, [memberGroup]);
  return { userId, deviceGroup };
}

async function firstDeviceGroup(stores: Stores): Promise<number> {
  const [known] = await stores.deviceGroups.list();
  return known?.serialno ?? stores.deviceGroups.insert('Buses');
}

main().catch((error: unknown) => {
  process.stderr.write(`The demo could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
