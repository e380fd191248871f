import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeFrame, FrameType } from '../../../server/backup/archive/frames.ts';
import { MAGIC } from '../../../server/backup/archive/head.ts';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { verifyBytes } from '../../../server/backup/archive/verifyArchive.ts';
import { aRun } from '../../support/backup/archives.ts';
import { craftedArchive } from '../../support/backup/craftedArchive.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const NONE = { kind: 'none' } as const;
const NAME = { name: 'name', type: 'text' } as const;
const VALUE = { name: 'value', type: 'text' } as const;

function table(name: string, columns: readonly unknown[]): Buffer {
  return encodeFrame(FrameType.Table, Buffer.from(JSON.stringify({ name, columns, lastSerial: 0 })));
}

function file(name: string): Buffer {
  return encodeFrame(FrameType.File, Buffer.from(JSON.stringify({ kind: 'report', name })));
}

const ROWS = '["a"]\n';
const END_OF_FILE = encodeFrame(FrameType.FileEnd);
const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const ENTRY = { name: 'setting', columns: [NAME], lastSerial: 0, rows: 1, bytes: ROWS.length, sha256: hashOf(ROWS) };
const NO_FILES = { files: 0, bytes: 0, sha256: hashOf('') };

/** A table of one row, and a manifest that says something else of it. */
function withManifest(entry: Partial<typeof ENTRY>, files: Partial<typeof NO_FILES> = {}): Buffer[] {
  const head = { product: 'fleetglass', schemaVersion: 1, engine: 'sqlite', createdAtMs: 1, history: [] };
  const manifest = { ...head, tables: [{ ...ENTRY, ...entry }], files: { ...NO_FILES, ...files } };
  return [
    table('setting', [NAME]),
    encodeFrame(FrameType.Rows, Buffer.from(ROWS)),
    encodeFrame(FrameType.TableEnd),
    encodeFrame(FrameType.Manifest, Buffer.from(JSON.stringify(manifest))),
  ];
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function faultOf(bytes: Buffer): Promise<unknown> {
  const outcome = await verifyBytes(inOne(bytes), NONE, aRun());
  return outcome.ok ? 'none' : outcome.fault;
}

async function faultOfLoading(frames: readonly Buffer[]): Promise<unknown> {
  const { path: folder, remove } = await createTempFolder();
  onTestFinished(remove);
  const path = join(folder, 'a.fgbackup');
  await writeFile(path, await craftedArchive(frames));
  const database = { engine: 'sqlite', file: join(folder, 'a.db') } as const;
  const outcome = await loadArchive({ path, key: NONE, database }, aRun());
  return outcome.ok ? 'none' : outcome.fault;
}

describe('a crafted archive', () => {
  it('of another product or a newer format is refused', async () => {
    expect(await faultOf(await craftedArchive([], { product: 'traccar' }))).toBe('other-product');
    const newer = await craftedArchive([]);
    newer.writeUInt16BE(2, MAGIC.length);
    expect(await faultOf(newer)).toBe('newer-format');
  });

  it('of a time that is no date is refused', async () => {
    const lastMs = 8.64e15;
    expect(await faultOf(await craftedArchive([], { createdAtMs: lastMs }))).toBe('truncated');
    expect(await faultOf(await craftedArchive([], { createdAtMs: lastMs + 1 }))).toBe('damaged');
  });

  it.each(['../device', 'Device', 'a b', '', 'x'.repeat(64)])('with a table named %j is refused', async (name) => {
    expect(await faultOf(await craftedArchive([table(name, [NAME])]))).toBe('unknown-table');
  });

  it('with a table twice is refused', async () => {
    const setting = [table('setting', [NAME]), encodeFrame(FrameType.TableEnd)];
    expect(await faultOf(await craftedArchive([...setting, ...setting]))).toBe('unknown-table');
  });

  // The last ones are of our own letters, but no file of an installation is called so: a restore would have no place for them.
  it.each(['../../etc/passwd', '/etc/passwd', 'a/b', '..', 'a.b', '', 'a', 'a'.repeat(31), 'g'.repeat(32)])(
    'with a file named %j is refused',
    async (name) => {
      expect(await faultOf(await craftedArchive([file(name)]))).toBe('damaged');
    },
  );

  it('with a file twice is refused, in whatever order they come', async () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    const held = (name: string) => [file(name), encodeFrame(FrameType.FileBytes, Buffer.from('x')), END_OF_FILE];
    const manifest = (names: readonly string[]) => {
      const frames = names.flatMap((name) => [file(name), Buffer.from('x')]);
      return withManifest({}, { files: names.length, bytes: names.length, sha256: hashOf(Buffer.concat(frames)) });
    };
    const archiveOf = (names: readonly string[]) => {
      const [head, rows, tableEnd, end] = manifest(names) as [Buffer, Buffer, Buffer, Buffer];
      return [head, rows, tableEnd, ...names.flatMap(held), end];
    };
    expect(await faultOf(await craftedArchive(archiveOf([second, first])))).toBe('none');
    for (const names of [
      [first, first],
      [first, second, first],
      [second, first, second],
    ]) {
      expect(await faultOf(await craftedArchive(archiveOf(names))), names.join()).toBe('damaged');
    }
  });

  it('with a row of a gigabyte is refused before it is held', async () => {
    const frame = encodeFrame(FrameType.Rows);
    frame.writeUInt32BE(2 ** 30, 1);
    expect(await faultOf(await craftedArchive([table('setting', [NAME]), frame]))).toBe('too-large');
  });

  it('whose parts come in another order is refused', async () => {
    const rows = encodeFrame(FrameType.Rows, Buffer.from('["a"]\n'));
    for (const frames of [
      [rows],
      [encodeFrame(FrameType.TableEnd)],
      [encodeFrame(FrameType.FileBytes, Buffer.from('a'))],
      [file('a'.repeat(32)), table('setting', [NAME])],
      [table('setting', [NAME]), table('device', [NAME])],
      [table('setting', [NAME]), encodeFrame(FrameType.Rows, Buffer.from('["a"]'))],
    ]) {
      expect(await faultOf(await craftedArchive(frames))).toBe('damaged');
    }
  });

  it('is whole only if its manifest is of just these rows and files', async () => {
    expect(await faultOf(await craftedArchive(withManifest({})))).toBe('none');
    for (const entry of [{ rows: 2 }, { bytes: 7 }, { sha256: hashOf('["b"]\n') }, { lastSerial: 1 }]) {
      expect(await faultOf(await craftedArchive(withManifest(entry))), JSON.stringify(entry)).toBe('damaged');
    }
    for (const files of [{ files: 1 }, { bytes: 1 }, { sha256: hashOf('a') }]) {
      expect(await faultOf(await craftedArchive(withManifest({}, files))), JSON.stringify(files)).toBe('damaged');
    }
  });

  it('that ends without its manifest is no backup', async () => {
    const setting = [table('setting', [NAME]), encodeFrame(FrameType.TableEnd)];
    expect(await faultOf(await craftedArchive(setting))).toBe('truncated');
    expect(await faultOf(await craftedArchive([]))).toBe('truncated');
  });

  it('is not loaded with tables or columns that the schema lacks, or that no backup has', async () => {
    expect(await faultOfLoading([table('theirs', [NAME])])).toBe('unknown-table');
    expect(await faultOfLoading([table('setting', [NAME])])).toBe('unknown-table');
    expect(await faultOfLoading([table('setting', [NAME, { name: 'value', type: 'integer' }])])).toBe('unknown-table');
    expect(await faultOfLoading([table('sqlite_sequence', [NAME])])).toBe('unknown-table');
  });

  it.each(['{}', '["a"]', '["a",5]', '["a",', '["a","b","c"]', 'null'])('is not loaded with a row %s', async (row) => {
    const rows = encodeFrame(FrameType.Rows, Buffer.from(`${row}\n`));
    expect(await faultOfLoading([table('setting', [NAME, VALUE]), rows])).toBe('damaged');
  });

  it('is not loaded with rows that the database refuses', async () => {
    const rows = encodeFrame(FrameType.Rows, Buffer.from('["a","b"]\n["a","c"]\n'));
    expect(await faultOfLoading([table('setting', [NAME, VALUE]), rows])).toBe('damaged');
  });
});
