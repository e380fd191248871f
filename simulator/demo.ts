// `npm run demo`: a gateway with accounts and a simulated fleet, on a folder that is thrown away unless DATA_DIR names one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Gateway } from '../server/app/gateway.ts';
import { createGatewayHost } from '../server/app/gatewayHost.ts';
import { EXIT_WRONG_ARGUMENTS, readArguments } from '../server/commands/readArguments.ts';
import { type Environment, readConfig } from '../server/config/readConfig.ts';
import type { Config } from '../server/config/variables.ts';
import { createRunAfter } from '../server/faults/timers.ts';
import { createProcessLog } from '../server/process/log.ts';
import { makeFilesPrivate } from '../server/process/privateFiles.ts';
import { guardProcess } from '../server/process/processGuard.ts';
import { countRestarts } from '../server/process/restarts.ts';
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { loadDemoClips } from './clip/loadClip.ts';
import { addDemoAccounts, type DemoAccount } from './demoAccounts.ts';
import { addDemoDevices, addDemoPolicies, clipNameOf, DEMO_VEHICLES, makeDemoLinks } from './demoFleet.ts';
import type { ClipOf } from './liveMedia.ts';
import { DemoMembers } from './members/demoMembers.ts';
import { DemoSession } from './members/demoSession.ts';
import { setDemoSnapshots } from './members/demoSnapshots.ts';
import { DemoNotifications } from './notify/demoNotifications.ts';
import { reportFault } from './reportFault.ts';
import { type DemoContent, startDemo } from './startDemo.ts';
import { SimulatedTerminal } from './terminal.ts';
import { townFile } from './town/townFile.ts';
import { DemoReports } from './tracks/demoReports.ts';
import { DemoBackups } from './upkeep/demoBackups.ts';
import { DemoFirmware } from './upkeep/demoFirmware.ts';
import { setDemoSettings } from './upkeep/demoSettings.ts';
import { DemoSync, type DemoSyncDeps } from './upkeep/demoSync.ts';
import { addDemoPlans, addDemoUse } from './upkeep/demoUsage.ts';

const USAGE = `Usage: npm run demo

Starts a gateway with accounts, four simulated vehicles and links to their video, and prints where to look at it.
It is set in the environment, as \`npm start -- --help\` lists; with DATA_DIR it keeps what it makes.
`;

async function main(): Promise<void> {
  makeFilesPrivate();
  const args = readArguments({ options: { help: { type: 'boolean', short: 'h' } } });
  if (!args.ok) {
    process.stderr.write(
      `${args.reason} The demo takes no arguments; \`npm run demo -- --help\` says how it is set.\n`,
    );
    process.exitCode = EXIT_WRONG_ARGUMENTS;
    return;
  }
  if (args.read.values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const ownFolder = process.env.DATA_DIR === undefined ? mkdtempSync(join(tmpdir(), 'fleetglass-demo-')) : undefined;
  const removeFolder = (): void => {
    // A thread that is ended with the process may write until then.
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await run(
      { ...demoPresets(ownFolder), ...backupPresets(ownFolder), ...mapPresets(ownFolder), ...process.env },
      removeFolder,
    );
  } catch (error) {
    removeFolder();
    throw error;
  }
}

async function run(environment: Environment, removeFolder: () => void): Promise<void> {
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const { config } = read;
  const metrics = new Registry();
  const { log, recent } = createProcessLog(config.logLevel, metrics);
  const guard = guardProcess(log, metrics);
  // Also of a stop that takes too long and is cut short.
  guard.atExit(removeFolder);
  countRestarts(metrics, process.env);
  const host = createGatewayHost(config, { log, recentLog: recent, metrics, onLost: guard.end });
  const lines = await startDemo({
    guard,
    // Whoever restores a backup gets another gateway, which is closed with the demo as well.
    start: async () => ({ ...(await host.start()), close: () => host.close() }),
    fill: fillGateway,
    createActors: async (gateway, members) => [
      ...(await createVehicles(config.host, gateway)),
      await DemoNotifications.open({ ...members, onFault: reportFault }),
      await DemoReports.open({ ...members, runAfter: createRunAfter(reportFault), onFault: reportFault }),
      new DemoBackups({
        ...members,
        makeFolder: () => makeBackupFolder(config),
        runAfter: createRunAfter(reportFault),
        onFault: reportFault,
      }),
      new DemoFirmware({ ...members, runAfter: createRunAfter(reportFault), onFault: reportFault }),
      new DemoSync({ ...members, ...syncOptions(), onFault: reportFault }),
      new DemoMembers({ ...members, runAfter: createRunAfter(reportFault), onFault: reportFault }),
    ],
    removeFolder,
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

function syncOptions(): Pick<DemoSyncDeps, 'devices' | 'now' | 'runAfter'> {
  return {
    devices: DEMO_VEHICLES.map(({ deviceId }) => deviceId),
    now: Date.now,
    runAfter: createRunAfter(reportFault),
  };
}

async function createVehicles(host: string, { jt808Port }: Gateway): Promise<readonly SimulatedTerminal[]> {
  const clips = await loadDemoClips();
  const dial = { host: host === '0.0.0.0' ? '127.0.0.1' : host, port: jt808Port };
  const clip: ClipOf = (channel, quality) => clips[clipNameOf(channel, quality)];
  return DEMO_VEHICLES.map((profile) => new SimulatedTerminal({ profile, gateway: dial, clip }));
}

interface FilledGateway extends DemoContent {
  readonly administrator: DemoSession;
  readonly operator: DemoSession;
  readonly fitter: DemoSession;
}

/** Adds accounts, devices and links. */
async function fillGateway({ address, stores }: Gateway): Promise<FilledGateway> {
  const { administrator, operator, fitter, deviceGroup } = await addDemoAccounts(stores);
  await addDemoDevices(stores, deviceGroup);
  await addDemoPolicies(stores);
  await addDemoUse(stores, Date.now());
  const startedAt = wallMs(Date.now());
  const links = await makeDemoLinks(stores, operator, startedAt);
  const lines = [
    `Ready: ${address}  sign in as ${administrator.username} / ${administrator.password}`,
    `       or, without the administration, as ${operator.username} / ${operator.password}`,
    `       or, to look after devices, as ${fitter.username} / ${fitter.password}`,
    ...links.map(({ deviceId, tail }) => `Live:     ${address}/live/${deviceId}/${tail}`),
    ...links
      .slice(1, 2)
      .flatMap(({ deviceId, tail }) => [
        `Playback: ${address}/playback/${deviceId}/0/${addressTime(startedAt)}/${tail}`,
        `Remote:   ${address}/remote/${deviceId}/600/${addressTime(wallMs(startedAt - CARD_AGE_MS))}/${tail}`,
      ]),
  ];
  const sessionOf = (account: DemoAccount): DemoSession => new DemoSession({ address, account, fetch });
  const members = { administrator: sessionOf(administrator), operator: sessionOf(operator), fitter: sessionOf(fitter) };
  await setDemoSnapshots(members.administrator);
  await setDemoSettings(members.administrator, Date.now());
  await addDemoPlans(members.administrator, Date.now());
  return { lines, ...members };
}

/** The gateway records from its start on; the vehicles' cards hold hours. */
const CARD_AGE_MS = 900_000;

function addressTime(atMs: WallMs): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Reachable from this machine alone, and on terminal ports that nothing else holds, unless the environment says otherwise. */
function demoPresets(dataDir: string | undefined): Record<string, string> {
  const terminals = {
    HOST: '127.0.0.1',
    JT808_PORT: '0',
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
    LOG_LEVEL: 'warn',
  };
  const pages = `http://localhost:${process.env.PORT || '8080'}`;
  // The servers that take the demo's messages are in this process.
  const notifications = { PUBLIC_URL: pages, NOTIFY_NETWORKS: '127.0.0.1' };
  const presets = { ...terminals, ...notifications, RECORDING_MAX_MB: '2048' };
  return dataDir === undefined ? presets : { ...presets, DATA_DIR: dataDir };
}

/** A folder that is missing at first, unless the environment names one. It lies on the disk of the data, which health warns of. */
function backupPresets(ownFolder: string | undefined): Record<string, string> {
  return { BACKUP_DIR: join(ownFolder ?? (process.env.DATA_DIR || 'data'), 'demo-backups') };
}

/** Shares of others are not the demo's to make. */
async function makeBackupFolder({ backupDir }: Pick<Config, 'backupDir'>): Promise<void> {
  if (!process.env.BACKUP_DIR && backupDir !== undefined) await mkdir(backupDir, { recursive: true });
}

/** The street map of the town that the vehicles drive through, unless the environment says what the map is drawn from. */
function mapPresets(ownFolder: string | undefined): Record<string, string> {
  const { MAP_PMTILES, MAP_STYLE_URL, DATA_DIR } = process.env;
  if (MAP_PMTILES || MAP_STYLE_URL) return {};
  const folder = ownFolder ?? (DATA_DIR || 'data');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo-town.pmtiles');
  writeFileSync(file, townFile());
  return { MAP_PMTILES: file };
}

main().catch((error: unknown) => {
  process.stderr.write(`The demo could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
