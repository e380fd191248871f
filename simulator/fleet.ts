// `npm run fleet -- --devices 1000`: that many simulated terminals on a gateway of their own, and once in five seconds a line
// that says how it bears them. With `--gateway host:port` they dial another gateway, which has to know their numbers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../server/app/gateway.ts';
import { EXIT_WRONG_ARGUMENTS, readArguments } from '../server/commands/readArguments.ts';
import { readConfig } from '../server/config/readConfig.ts';
import { runEvery } from '../server/faults/timers.ts';
import { createMetrics } from '../server/http/system/metrics.ts';
import { createLog, type Log } from '../server/process/log.ts';
import { makeFilesPrivate } from '../server/process/privateFiles.ts';
import { guardProcess } from '../server/process/processGuard.ts';
import { loadDemoClip } from './clip/loadClip.ts';
import { fleetProfile, parseFleetOptions } from './fleetOptions.ts';
import { reportFault } from './reportFault.ts';
import { SimulatedTerminal } from './terminal.ts';

const OPTIONS = {
  devices: { type: 'string', default: '100' },
  gateway: { type: 'string' },
  first: { type: 'string', default: '14000000000' },
  interval: { type: 'string', default: '10' },
  media: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;
const USAGE = `Usage: npm run fleet -- [option ...]

  --devices N          simulated terminals (100)
  --interval SECONDS   from one position of a terminal to its next (10)
  --media              they send video when they are asked to
  --gateway HOST:PORT  another gateway's terminal port; it has to know their numbers
  --first NUMBER       number of the first terminal, the others count on from it (14000000000)
`;
const REPORT_MS = 5_000;
/** A thousand terminals that dial in the same millisecond measure the listener's queue, not the gateway. */
const DIALS_A_SECOND = 200;

async function main(): Promise<void> {
  makeFilesPrivate();
  const args = readArguments({ options: OPTIONS });
  if (args.ok && args.read.values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const read = args.ok ? parseFleetOptions(args.read.values) : args;
  if (!read.ok) {
    process.stderr.write(`${read.reason} \`npm run fleet -- --help\` says what it takes.\n`);
    process.exitCode = EXIT_WRONG_ARGUMENTS;
    return;
  }
  const { options } = read;
  const log = createLog('warn');
  const guard = guardProcess(log, createMetrics());
  const own = options.gateway === undefined ? await startOwnGateway(log) : undefined;
  const profiles = Array.from({ length: options.devices }, (_, index) => fleetProfile(index, options));
  for (const { deviceId, name, number, channels } of own === undefined ? [] : profiles) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    await own?.gateway.stores.devices.insert({ deviceId, name, chn: channels, terminal });
  }
  const clip = options.media ? await loadDemoClip('road') : undefined;
  const dial = options.gateway ?? { host: '127.0.0.1', port: own?.gateway.jt808Port ?? 0 };
  let online = 0;
  const terminals = profiles.map((profile) => {
    const onOnline = (isOnline: boolean): void => {
      online += isOnline ? 1 : -1;
    };
    return new SimulatedTerminal({ profile, gateway: dial, onOnline, ...(clip !== undefined && { clip }) });
  });
  let started = 0;
  const startSome = (): void => {
    for (const terminal of terminals.slice(started, started + DIALS_A_SECOND / 10)) terminal.start();
    started += DIALS_A_SECOND / 10;
    if (started >= terminals.length) stopStarting();
  };
  const stopStarting = runEvery(100, startSome, reportFault);
  const report = (): boolean => process.stdout.write(`${reportLine(online, terminals.length)}\n`);
  const stopReporting = runEvery(REPORT_MS, report, reportFault);
  guard.closeBy(async () => {
    stopStarting();
    stopReporting();
    for (const terminal of terminals) terminal.stop();
    await own?.close();
  });
  process.stdout.write(`Ready: ${options.devices} terminals dial ${dial.host}:${dial.port}\n`);
}

async function startOwnGateway(log: Log): Promise<{ readonly gateway: Gateway; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetglass-fleet-'));
  const presets = {
    HOST: '127.0.0.1',
    PORT: '0',
    JT808_PORT: '0',
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
    LOG_LEVEL: 'warn',
  };
  const read = readConfig({ ...presets, DATA_DIR: folder, ...process.env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, { log });
  return {
    gateway,
    close: async () => {
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function reportLine(online: number, devices: number): string {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpuShare = (user + system) / 1_000_000 / process.uptime();
  return `${online} of ${devices} online, ${Math.round(rss / 1_048_576)} MiB, ${cpuShare.toFixed(2)} CPU s/s since the start`;
}

main().catch((error: unknown) => {
  process.stderr.write(`The fleet could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
