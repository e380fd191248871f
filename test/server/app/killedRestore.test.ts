// A gateway starts where a restore was killed: on the state before it or on the one after it, whole, and it says which.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { createGatewayHost } from '../../../server/app/gatewayHost.ts';
import { clearRestores } from '../../../server/backup/restore/restoration.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { INSTALLATION_FILES } from '../../../server/installation.ts';
import { createLog } from '../../../server/process/log.ts';
import type { DatabaseLocation } from '../../../server/store/engine/database.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { installationAt, leftovers, type TestInstallation } from '../../support/backup/installation.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { type KilledProgram, startProgram } from '../../support/gateway/killedProgram.ts';
import { createPostgresDatabase } from '../../support/postgres/postgres.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';

/** Longer than an exchange takes. */
const SPREAD_MS = 60;
const PROGRAM = join(import.meta.dirname, '../backup/restore/restoreProgram.ts');
const MOMENTS = ['journal', 'begun', 'built', 'journal', 'exchanged'] as const;
const PORTS = {
  PORT: '0',
  JT808_PORT: '0',
  JT1078_PORT: '0',
  ATTACHMENT_PORT: '0',
  FTP_PORT: '0',
  FTP_PASSIVE_PORTS: '0',
};

/** A gateway removes pictures of no event, and leaves keys alone. */
const KEY_FILE = INSTALLATION_FILES.sealingKey.path;
const KEYS = { now: `${'01'.repeat(32)}\n`, archived: `${'02'.repeat(32)}\n` };

interface Scene {
  readonly installation: TestInstallation;
  /** Starts a gateway and closes it. Gives what it said of a restore. */
  startOnce(): Promise<'new' | 'old' | 'none'>;
}

async function aScene(engine: Engine): Promise<Scene> {
  const { path: dataDir, remove } = await createTempFolder();
  onTestFinished(remove);
  await prepareDataDir(dataDir);
  const database = await locationOf(engine, dataDir);
  const url = database.engine === 'postgres' ? { DATABASE_URL: database.url } : {};
  const read = readConfig({ HOST: '127.0.0.1', ...PORTS, ...url, DATA_DIR: dataDir });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const { config } = read;
  const installation = installationAt(dataDir, database);
  const startOnce = async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const onLost = (error: Error): never => {
      throw error;
    };
    const host = createGatewayHost(config, { log, metrics: new Registry(), onLost });
    await host.start();
    await clearRestores(installation);
    await host.close();
    const said = lines.join('');
    if (said.includes('what was restored')) return 'new';
    return said.includes('a restore was cut short') ? 'old' : 'none';
  };
  expect(await startOnce()).toBe('none');
  await installation.writeFile(
    'second-factor.key',
    await installation.readFile('second-factor.key').catch(() => 'key'),
  );
  return { installation, startOnce };
}

async function locationOf(engine: Engine, folder: string): Promise<DatabaseLocation> {
  if (engine === 'sqlite') return { engine, file: join(folder, 'fleetglass.db') };
  const { url, close } = await createPostgresDatabase();
  onTestFinished(close);
  return { engine, url };
}

/** In a row and in a file. */
async function write({ change, writeFile }: TestInstallation, text: keyof typeof KEYS): Promise<void> {
  await change(async (db) => {
    await db.deleteFrom('device_group').execute();
    await db.insertInto('device_group').values({ name: text }).execute();
  });
  await writeFile(KEY_FILE, KEYS[text]);
}

async function killed({ dataDir, database }: TestInstallation, path: string, life: number): Promise<KilledProgram> {
  const url = database.engine === 'postgres' ? database.url : '';
  const program = await startProgram(PROGRAM, [dataDir, path, Buffer.alloc(32, 7).toString('hex'), url]);
  const moment = MOMENTS[life % MOMENTS.length] ?? 'journal';
  const journal = join(dataDir, 'restore/journal.json');
  const isMoment = () => (moment === 'journal' ? existsSync(journal) : program.lines().includes(moment));
  // The journal is there for a few milliseconds.
  while (!isMoment() && !program.lines().includes('finished')) await nextTurn();
  await delay(((life * 7) % KILLS) * (SPREAD_MS / KILLS));
  await program.kill();
  return program;
}

describeOnBothEngines('a gateway', (engine) => {
  it('starts where a restore was killed', { timeout: KILLS_TIMEOUT_MS }, async () => {
    const { installation, startOnce } = await aScene(engine);
    await write(installation, 'archived');
    const after = await comparable(installation);
    const path = await installation.backUp();
    for (let life = 0; life < KILLS; life++) {
      await write(installation, 'now');
      const before = await comparable(installation);
      const program = await killed(installation, path, life);
      const said = await startOnce();
      const found = await comparable(installation);
      // `none`: nothing was exchanged yet, or all was over.
      const isNew = said === 'new' || (said === 'none' && program.lines().includes('exchanged'));
      expect({ life, said, found }).toEqual({ life, said, found: isNew ? after : before });
      expect(await leftovers(installation)).toEqual([]);
    }
  });
});

/** What a gateway at rest changes nothing of. A group is new each time, under another number. */
async function comparable(installation: TestInstallation): Promise<unknown> {
  const all = await installation.state();
  const tables = ['app_user', 'event_type', 'event_rule', 'event_reason', 'role', 'device'];
  const names = await installation.read((db) => db.selectFrom('device_group').select('name').execute());
  return [names, await installation.readFile(KEY_FILE), ...tables.map((name) => [name, all.get(name)])];
}
