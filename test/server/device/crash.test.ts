// What a gateway that is killed without a word has stored by then.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { freePorts } from '../../support/freePorts.ts';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { PROFILE } from './testGateway.ts';

const ROOT = join(import.meta.dirname, '../../..');
const POSITIONS_A_SECOND = 20;

let folder: string;
let gateway: ChildProcess | undefined;
let terminal: SimulatedTerminal | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetglass-crash-'));
});

afterEach(() => {
  terminal?.stop();
  gateway?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function withStores<T>(use: (stores: Stores) => Promise<T>): Promise<T> {
  const database = await openSqliteFile(join(folder, 'fleetglass.db'));
  try {
    return await use(createStores(database.db));
  } finally {
    await database.close();
  }
}

async function startGateway(jt808Port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [await compiledProgram(GATEWAY)], {
    cwd: ROOT,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      JT808_PORT: String(jt808Port),
      JT1078_PORT: '0',
      ATTACHMENT_PORT: '0',
      FTP_PORT: '0',
      FTP_PASSIVE_PORTS: '0',
      DATA_DIR: folder,
      ADMIN_PASSWORD: 'for this test',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('loses at most a second of positions to kill -9', { timeout: 60_000 }, async () => {
  const terminalNumber = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
  await withStores(({ devices }) =>
    devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal: terminalNumber }),
  );
  const [jt808Port = 0] = await freePorts(1);
  gateway = await startGateway(jt808Port);
  let onlineMs = 0;
  terminal = new SimulatedTerminal({
    profile: { ...PROFILE, positionSeconds: 1 / POSITIONS_A_SECOND },
    gateway: { host: '127.0.0.1', port: jt808Port },
    onOnline: () => {
      onlineMs ||= Date.now();
    },
  });
  terminal.start();
  const idleBefore = await processorTime();
  // The clock is what is tested here: positions come for two seconds, then the end comes at any moment.
  await delay(2_000);
  const killedMs = Date.now();
  gateway.kill('SIGKILL');
  await once(gateway, 'exit');
  terminal.stop();
  const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const kept = await withStores(({ positions }) => positions.between('BUS1', range, 1_000));
  expect(onlineMs).toBeGreaterThan(0);
  const latestMs = Math.max(...kept.map(({ receivedAtMs }) => receivedAtMs));
  expect(killedMs - latestMs).toBeLessThan((await isSpentSince(idleBefore)) ? 3_000 : 1_000);
  // None of those before is missing: they came in order, so the oldest is as near to the sign-in.
  const wholeSeconds = (latestMs - onlineMs) / 1_000;
  expect(kept.length).toBeGreaterThan(wholeSeconds * POSITIONS_A_SECOND * 0.8);
});
