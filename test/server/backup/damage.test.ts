import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ArchiveFaultCode } from '../../../server/backup/archive/faults.ts';
import type { ArchiveKey } from '../../../server/backup/archive/keys.ts';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { readHead } from '../../../server/backup/archive/readArchive.ts';
import { verifyArchive, verifyBytes } from '../../../server/backup/archive/verifyArchive.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { aRun, aWriteTask, succeeded, written } from '../../support/backup/archives.ts';
import { fillTables } from '../../support/backup/fillTables.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const RECOVERY: ArchiveKey = { kind: 'recovery-key', key: Buffer.alloc(32, 3) };
const PASSPHRASE: ArchiveKey = { kind: 'passphrase', passphrase: 'the day it is needed' };
const NONE: ArchiveKey = { kind: 'none' };
const EVERY = 1_000;

async function archiveOf(key: ArchiveKey): Promise<Buffer> {
  const folder = await createTempFolder();
  const database = { engine: 'sqlite', file: join(folder.path, 'a.db') } as const;
  await (await openDatabase(database)).close();
  await fillTables(database, 60, 11);
  const report = join(folder.path, 'report');
  await writeFile(report, Buffer.alloc(100_000, 'report'));
  const task = aWriteTask(database, folder.path, { key, files: [{ kind: 'report', name: 'a1', path: report }] });
  await written(task);
  const archive = await readFile(task.path);
  await folder.remove();
  return archive;
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function faultIn(bytes: Buffer, key: ArchiveKey): Promise<ArchiveFaultCode | 'none'> {
  const outcome = await verifyBytes(inOne(bytes), key, aRun());
  return outcome.ok ? 'none' : outcome.fault;
}

/** With one bit of the byte turned. */
function changedAt(archive: Buffer, at: number): Buffer {
  const changed = Buffer.from(archive);
  changed[at] = (archive[at] ?? 0) ^ (1 << (at % 8));
  return changed;
}

/** The first bytes and the last ones, where the parts of the format are short, and every thousandth. */
function places(length: number): number[] {
  const ends = Array.from({ length: 700 }, (_, at) => at);
  const inside = Array.from({ length: Math.floor(length / EVERY) }, (_, at) => at * EVERY);
  return [...ends, ...inside, ...ends.slice(0, 100).map((at) => length - 1 - at)];
}

describe.each([
  ['encrypted', RECOVERY],
  ['not encrypted', NONE],
] as const)('an archive that is %s', (_name, key) => {
  let archive: Buffer;
  beforeAll(async () => {
    archive = await archiveOf(key);
  });

  it('is found to be whole', async () => {
    expect(archive.length).toBeGreaterThan(50 * EVERY);
    expect(await faultIn(archive, key)).toBe('none');
  });

  it('is found to be changed by one byte, wherever it is', async () => {
    const missed: number[] = [];
    for (const at of places(archive.length)) {
      if ((await faultIn(changedAt(archive, at), key)) === 'none') missed.push(at);
    }
    expect(missed).toEqual([]);
  });

  it('is found to be truncated, wherever it ends', async () => {
    const faults = new Set<string>();
    for (const end of places(archive.length)) faults.add(await faultIn(archive.subarray(0, end), key));
    expect([...faults]).toEqual(['truncated']);
  });

  it('is found to have bytes behind it, or twice, or left out', async () => {
    expect(await faultIn(Buffer.concat([archive, Buffer.from('x')]), key)).toBe('damaged');
    const block = 64 * 1024 + 20;
    const head = archive.length % 7;
    const [before, after] = [archive.subarray(0, block + head), archive.subarray(block + head)];
    expect(await faultIn(Buffer.concat([before, before.subarray(-block), after]), key)).toBe('damaged');
    expect(await faultIn(Buffer.concat([before, after.subarray(block)]), key)).not.toBe('none');
  });
});

describe('the key of an archive', () => {
  it('is the one it was made with', async () => {
    const archive = await archiveOf(PASSPHRASE);
    expect(await faultIn(archive, PASSPHRASE)).toBe('none');
    expect(await faultIn(archive, { kind: 'passphrase', passphrase: 'another' })).toBe('wrong-key');
    expect(await faultIn(archive, RECOVERY)).toBe('key-needed');
    expect(await faultIn(archive, NONE)).toBe('key-needed');
  });

  it('is asked for before anything is read', async () => {
    const archive = await archiveOf(RECOVERY);
    const other: ArchiveKey = { kind: 'recovery-key', key: Buffer.alloc(32, 4) };
    expect(await faultIn(archive.subarray(0, 700), other)).toBe('wrong-key');
    expect(await readHead(inOne(archive))).toMatchObject({ engine: 'sqlite', encryption: { kind: 'recovery-key' } });
  });

  it('hides the rows', async () => {
    expect((await archiveOf(RECOVERY)).includes('schema_version')).toBe(false);
  });
});

describe('a damaged archive', () => {
  it('leaves an empty database as it was made', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const archive = await archiveOf(NONE);
    const path = join(folder.path, 'a.fgbackup');
    await writeFile(path, changedAt(archive, archive.length - 1));
    const database = { engine: 'sqlite', file: join(folder.path, 'new.db') } as const;
    const outcome = await loadArchive({ path, key: NONE, database }, aRun());
    expect(outcome).toMatchObject({ ok: false, fault: 'damaged' });
    const { db, close } = await openDatabase(database);
    onTestFinished(close);
    expect(await db.selectFrom('device').selectAll().execute()).toEqual([]);
  });

  it('is no archive when it is another file', async () => {
    expect(await faultIn(Buffer.from('PK 34567890 of a zip and more'), NONE)).toBe('not-an-archive');
    expect(await faultIn(Buffer.alloc(0), NONE)).toBe('truncated');
  });

  it('is read from a file as from anywhere', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, 'a.fgbackup');
    await writeFile(path, await archiveOf(RECOVERY));
    const { manifest } = succeeded(await verifyArchive({ path, key: RECOVERY }, aRun()));
    expect(manifest.files).toMatchObject({ files: 1, bytes: 100_000 });
  });
});
