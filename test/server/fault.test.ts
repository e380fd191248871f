// A gateway with a fault, as a process of its own: how it ends, and what it leaves.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStores } from '../../server/store/stores.ts';
import { loadDemoClip } from '../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../simulator/terminal.ts';
import type { VehicleProfile } from '../../simulator/vehicleProfile.ts';
import { openSqliteFile } from '../support/databases/sqliteFile.ts';
import { freePorts } from '../support/freePorts.ts';
import { FAULT_ON_SIGNAL, logOf, projectRoot, runProgram, whenReady } from '../support/gateway/program.ts';
import { inspectRecordings } from '../support/gateway/recordingCrash.ts';
import { compiledProgram, GATEWAY } from '../support/programs/compiledProgram.ts';
import { createTempFolder, type TempFolder } from '../support/tempFolder.ts';
import { waitFor } from '../support/waitFor.ts';

const NUMBER = '13800000001';
const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: NUMBER,
  edition: '2019',
  plate: 'A-0001',
  channels: 1,
  lapShare: 0,
};
const METRICS_TOKEN = 'metrics-token-of-the-test';
/** Some groups of the clip. */
const RECORDED_BYTES = 200_000;

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

const segments = (): string[] => {
  const root = join(folder.path, 'recordings');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.seg')).map((path) => join(root, path));
};

describe('a fault that nobody catches', { timeout: 120_000 }, () => {
  it('is logged with its cause, and ends the gateway in order', async () => {
    const database = await openSqliteFile(join(folder.path, 'fleetglass.db'));
    const terminal = { canonical: NUMBER, raw: NUMBER.padStart(20, '0') };
    await createStores(database.db).devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal });
    await database.close();
    const [port] = await freePorts(1);
    const program = runProgram(['--import', FAULT_ON_SIGNAL, await compiledProgram(GATEWAY)], {
      DATA_DIR: folder.path,
      JT808_PORT: String(port),
      RECORDING: 'always',
      RECORDING_MIN_FREE_MB: '16',
    });
    await whenReady(program, 1);
    const clip = await loadDemoClip('road');
    const bus = new SimulatedTerminal({ profile: BUS, gateway: { host: '127.0.0.1', port: Number(port) }, clip });
    onTestFinished(() => bus.stop());
    bus.start();
    const isRecording = (): boolean => segments().some((path) => statSync(path).size > RECORDED_BYTES);
    await waitFor('something is recorded', isRecording, Boolean, 60_000);

    const atMs = performance.now();
    program.child.kill('SIGUSR2');
    expect(await program.exited).toBe(70);
    expect(performance.now() - atMs).toBeLessThan(5_000);
    const [fatal] = logOf(program).filter(({ level }) => level === 60);
    expect(fatal).toMatchObject({ msg: 'ended by a fault', kind: 'exception' });
    expect(fatal?.err?.stack).toMatch(/a fault of the test[\s\S]*caused by: Error: the cause of it/);
    expect(logOf(program).filter(({ level }) => level === 50)).toEqual([]);
    const { faults, segments: found, pictures } = await inspectRecordings(folder.path, clip);
    expect(faults).toEqual([]);
    expect([found, pictures > 50]).toEqual([1, true]);
  });
});

describe('a gateway whose log nobody takes', { timeout: 120_000 }, () => {
  it.each([
    ['is on a full disk', () => openSync('/dev/full', 'w')],
    ['is a pipe that nobody reads', () => 'pipe' as const],
  ])('serves, and ends by a fault within five seconds: its standard error %s', async (_what, openOutput) => {
    const output = openOutput();
    const child = await startGateway(output);
    if (typeof output === 'number') closeSync(output);
    const address = await addressOf(child);
    const requests = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } };
    const lost = async (): Promise<number> => {
      // Each request is a line of the log.
      await Promise.all(Array.from({ length: 200 }, () => fetch(`${address}/api/user/status`)));
      const text = await (await fetch(`${address}/metrics`, requests)).text();
      return Number(/^fleetglass_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
    };
    await waitFor('lines that are lost', lost, (lines) => lines > 0, 60_000);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const exited = once(child, 'exit');
    const atMs = performance.now();
    child.kill('SIGUSR2');
    expect(await exited).toEqual([70, null]);
    expect(performance.now() - atMs).toBeLessThan(5_000);
  });

  async function startGateway(standardError: number | 'pipe'): Promise<ChildProcess> {
    const ports = {
      HOST: '127.0.0.1',
      PORT: '0',
      JT808_PORT: '0',
      JT1078_PORT: '0',
      ATTACHMENT_PORT: '0',
      FTP_PORT: '0',
      FTP_PASSIVE_PORTS: '0',
      LOG_LEVEL: 'trace',
    };
    const child = spawn(process.execPath, ['--import', FAULT_ON_SIGNAL, await compiledProgram(GATEWAY)], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH ?? '', ...ports, DATA_DIR: folder.path, METRICS_TOKEN },
      stdio: ['ignore', 'pipe', standardError],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function addressOf({ stdout }: ChildProcess): Promise<string> {
    if (stdout === null) throw new Error('no standard output');
    const [line] = await once(stdout, 'data');
    return String(line).split(/\s/)[1] ?? '';
  }
});

describe('a gateway that runs in a terminal', { timeout: 120_000 }, () => {
  it('ends in order when the terminal is closed', async () => {
    const program = runProgram([await compiledProgram(GATEWAY)], { DATA_DIR: folder.path });
    await whenReady(program, 1);
    program.child.kill('SIGHUP');
    expect(await program.exited).toBe(0);
    expect(logOf(program).map(({ msg }) => msg)).toContain('stopping');
  });
});
