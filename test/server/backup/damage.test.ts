import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BLOCK_HEADER_BYTES, MARK_BYTES, PIECE_BYTES, readBlockHeader } from '../../../server/backup/archive/blocks.ts';
import type { ArchiveFaultCode } from '../../../server/backup/archive/faults.ts';
import { bytesAfterPrefix, PREFIX_BYTES } from '../../../server/backup/archive/head.ts';
import type { ArchiveKey } from '../../../server/backup/archive/keys.ts';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { readHead } from '../../../server/backup/archive/readArchive.ts';
import { verifyArchive, verifyBytes } from '../../../server/backup/archive/verifyArchive.ts';
import { aRun, aWriteTask, succeeded, written } from '../../support/backup/archives.ts';
import { filledDatabase } from '../../support/backup/filledDatabases.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const RECOVERY: ArchiveKey = { kind: 'recovery-key', key: Buffer.alloc(32, 3) };
const PASSPHRASE: ArchiveKey = { kind: 'passphrase', passphrase: 'the day it is needed' };
const NONE: ArchiveKey = { kind: 'none' };
const EVERY = 1_000;

async function archiveOf(key: ArchiveKey, file = Buffer.alloc(100_000, 'report')): Promise<Buffer> {
  const folder = await createTempFolder();
  const database = await filledDatabase('sqlite', folder.path, { rows: 12, seed: 1 });
  const report = join(folder.path, 'report');
  await writeFile(report, file);
  const task = aWriteTask(database, folder.path, {
    key,
    files: [{ kind: 'report', name: 'a1'.repeat(16), path: report }],
  });
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

/** Parts of the format that are shorter than four bytes lie before this. */
const SHORT_PARTS = 64;
const STEP = IS_LONG ? 1 : 3;

/** The first bytes and the last ones, where the parts of the format are short, and every thousandth. */
function places(length: number): number[] {
  const ends = Array.from({ length: 700 }, (_, at) => at).filter((at) => at < SHORT_PARTS || at % STEP === 0);
  const inside = Array.from({ length: Math.floor(length / EVERY) }, (_, at) => at * EVERY);
  return [...ends, ...inside, ...ends.filter((at) => at < 100).map((at) => length - 1 - at)];
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
    expect(archive.length).toBeGreaterThan(20 * EVERY);
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

  it('is found to have bytes behind it', async () => {
    expect(await faultIn(Buffer.concat([archive, Buffer.from('x')]), key)).toBe('damaged');
  });
});

/** Where each block begins, and where the last one ends. */
function blockEdges(archive: Buffer): number[] {
  const edges = [PREFIX_BYTES + bytesAfterPrefix(archive.subarray(0, PREFIX_BYTES))];
  for (;;) {
    const at = edges.at(-1) ?? 0;
    const { length, isLast } = readBlockHeader(archive.subarray(at, at + BLOCK_HEADER_BYTES));
    edges.push(at + BLOCK_HEADER_BYTES + length + MARK_BYTES);
    if (isLast) return edges;
  }
}

describe.each([
  ['encrypted', RECOVERY],
  ['not encrypted', NONE],
] as const)('the blocks of an archive that is %s', (_name, key) => {
  let archive: Buffer;
  let edges: number[];
  beforeAll(async () => {
    archive = await archiveOf(key, randomBytes(3 * PIECE_BYTES));
    edges = blockEdges(archive);
  });

  const cut = (from: number, to: number): Buffer => archive.subarray(edges[from], edges[to]);
  const withBlocks = (...blocks: readonly Buffer[]): Buffer =>
    Buffer.concat([archive.subarray(0, edges[0]), ...blocks, archive.subarray(edges.at(-1))]);

  it('are several, and whole', async () => {
    expect(edges.length).toBe(5);
    expect(await faultIn(withBlocks(cut(0, 4)), key)).toBe('none');
  });

  it('are found to be twice, left out or in another order', async () => {
    for (const blocks of [
      [cut(0, 2), cut(1, 4)],
      [cut(0, 1), cut(2, 4)],
      [cut(0, 1), cut(2, 3), cut(1, 2), cut(3, 4)],
      [cut(0, 3)],
    ]) {
      expect(await faultIn(withBlocks(...blocks), key)).toBe('damaged');
    }
  });

  it('are found to be changed by one byte at each end', async () => {
    for (const edge of edges) {
      for (const at of [edge - 1, edge, edge + BLOCK_HEADER_BYTES]) {
        expect(await faultIn(changedAt(archive, at), key), `byte ${at}`).not.toBe('none');
      }
    }
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
  it('is not loaded, though only its last byte is wrong', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const archive = await archiveOf(NONE);
    const path = join(folder.path, 'a.fgbackup');
    await writeFile(path, changedAt(archive, archive.length - 1));
    const database = { engine: 'sqlite', file: join(folder.path, 'new.db') } as const;
    expect(await loadArchive({ path, key: NONE, database }, aRun())).toMatchObject({ ok: false, fault: 'damaged' });
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
