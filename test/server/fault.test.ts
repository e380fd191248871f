// A gateway with a fault, as a process of its own: how it ends, what it leaves, and who starts it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadDemoClip } from '../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../server/demo/vehicleProfile.ts';
import { openDatabase } from '../../server/store/database.ts';
import { createStores } from '../../server/store/stores.ts';
import { freePorts } from '../support/freePorts.ts';
import { inspectRecordings } from '../support/recordingCrash.ts';
import { createTempFolder, type TempFolder } from '../support/tempFolder.ts';
import { waitFor } from '../support/waitFor.ts';

const projectRoot = join(import.meta.dirname, '../..');
const FAULT_ON_SIGNAL = join(projectRoot, 'test/fixtures/faultOnSignal.mjs');
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
/** Some groups of the clip. */
const RECORDED_BYTES = 200_000;

interface Program {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly exited: Promise<number | null>;
}

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

function run(script: readonly string[], env: Readonly<Record<string, string>>): Program {
  const ports = { HOST: '127.0.0.1', PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, script, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', ...ports, DATA_DIR: folder.path, ...env },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

const starts = ({ output }: Program): number => output.out.split('Ready: ').length - 1;
const ready = (program: Program, times: number): Promise<unknown> =>
  waitFor(`start ${times}`, () => starts(program) === times, Boolean, 60_000);

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly kind?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}

function logOf({ output }: Program): LogLine[] {
  const lines = output.err.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as LogLine);
}

const segments = (): string[] => {
  const root = join(folder.path, 'recordings');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.seg')).map((path) => join(root, path));
};

describe('a fault that nobody catches', { timeout: 120_000 }, () => {
  it('is logged with its cause, and ends the gateway in order', async () => {
    const database = await openDatabase({ engine: 'sqlite', file: join(folder.path, 'fleetglass.db') });
    const terminal = { canonical: NUMBER, raw: NUMBER.padStart(20, '0') };
    await createStores(database.db).devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal });
    await database.close();
    const [port] = await freePorts(1);
    const program = run(['--import', 'tsx', '--import', FAULT_ON_SIGNAL, 'server/main.ts'], {
      ...{ JT808_PORT: String(port), RECORDING: 'always', RECORDING_MIN_FREE_MB: '16' },
    });
    await ready(program, 1);
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

describe('the command that runs a gateway', { timeout: 120_000 }, () => {
  /** The gateway, which the command runs as its one child. */
  const gatewayOf = ({ child }: Program): number =>
    Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());

  it('starts it again after a fault, says so, and ends with it when it is stopped', async () => {
    const token = 'token-of-the-test';
    const program = run(['test/fixtures/gatewayCommand.mjs'], {
      ...{ METRICS_TOKEN: token, FAULT_KIND: 'rejection', NODE_OPTIONS: `--import ${FAULT_ON_SIGNAL}` },
    });
    await ready(program, 1);
    const first = gatewayOf(program);
    process.kill(first, 'SIGUSR2');
    await ready(program, 2);
    expect(program.output.err).toContain('The gateway ended by a fault (exit code 70). It is started again in 1 s.\n');
    expect(logOf(program).find(({ level }) => level === 60)).toMatchObject({ kind: 'rejection' });
    expect(gatewayOf(program)).not.toBe(first);
    const address = program.output.out.trim().split('Ready: ').at(-1);
    const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toMatch(/^fleetglass_restarts 1$/m);
    program.child.kill('SIGTERM');
    expect(await program.exited).toBe(0);
    expect(starts(program)).toBe(2);
  });

  it('does not start it again when it could not start', async () => {
    const program = run(['test/fixtures/gatewayCommand.mjs'], { PORT: 'eighty' });
    expect(await program.exited).toBe(1);
    expect(program.output).toEqual({ out: '', err: 'PORT takes a whole number from 0 to 65535, not "eighty"\n' });
  });
});
