// A gateway with a fault, as a process of its own: how it ends, and what it leaves.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadDemoClip } from '../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../server/demo/vehicleProfile.ts';
import { openDatabase } from '../../server/store/database.ts';
import { createStores } from '../../server/store/stores.ts';
import { freePorts } from '../support/freePorts.ts';
import { FAULT_ON_SIGNAL, logOf, runProgram, whenReady } from '../support/program.ts';
import { inspectRecordings } from '../support/recordingCrash.ts';
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
    const database = await openDatabase({ engine: 'sqlite', file: join(folder.path, 'fleetglass.db') });
    const terminal = { canonical: NUMBER, raw: NUMBER.padStart(20, '0') };
    await createStores(database.db).devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal });
    await database.close();
    const [port] = await freePorts(1);
    const program = runProgram(['--import', 'tsx', '--import', FAULT_ON_SIGNAL, 'server/main.ts'], {
      ...{ DATA_DIR: folder.path, JT808_PORT: String(port), RECORDING: 'always', RECORDING_MIN_FREE_MB: '16' },
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
