// Loads an archive into an empty database of either engine, and migrates it to this program's schema.
import { dirname } from 'node:path';
import { type Cell, readRow } from '../../store/backup/cells.ts';
import type { LoadTarget } from '../../store/backup/loadTarget.ts';
import { migrateLoaded, migrateTo, NEWEST_SCHEMA } from '../../store/backup/migrateHere.ts';
import { openLoadTarget } from '../../store/backup/openLoadTarget.ts';
import type { TableShape } from '../../store/backup/snapshot.ts';
import { HISTORY_PARTS, isBackedUp } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { ReadContents } from '../../store/system/backups.ts';
import { contentsOf } from './archiveContents.ts';
import type { ArchiveItem } from './archiveItem.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from './faults.ts';
import { FileStage } from './fileStage.ts';
import type { Head } from './head.ts';
import { type KeptFree, openRoom, type Room } from './keptFree.ts';
import type { ArchiveKey } from './keys.ts';
import { checkListed } from './listedTables.ts';
import type { Manifest, TableHeader } from './manifest.ts';
import { archiveBytes, openArchive } from './readArchive.ts';
import type { ArchiveProgress, ArchiveRun } from './writeArchive.ts';

export interface LoadTask {
  readonly path: string;
  readonly key: ArchiveKey;
  /** An empty or missing database. After a failure the caller has to discard it. */
  readonly database: DatabaseLocation;
  /** Folder for the files, with a folder for each kind; left out: they are only checked. After a failure the caller has to discard it. */
  readonly filesFolder?: string | undefined;
  /** Left out: nothing is recorded. */
  readonly keptFree?: KeptFree | undefined;
  /** Number of rows in the archive; left out: unknown. */
  readonly expectedRows?: number | undefined;
}

/** Bytes of the smallest rows with their share of indexes. */
const LOADED_ROW_BYTES = 100;
/** Bytes on disk, with indexes, per byte of lines: a row of many columns takes less, an event's takes one and a half. */
const LOADED_BYTES = 2;

export interface Loaded {
  readonly ok: true;
  readonly head: Head;
  readonly manifest: Manifest;
  readonly contents: ReadContents;
}

/** On the embedded database, statements run in the calling thread. */
export function loadArchive(task: LoadTask, run: ArchiveRun): Promise<Loaded | ArchiveFailure> {
  return withFailures(async () => {
    const { path, key, database, filesFolder } = task;
    const room = await roomFor(task, run);
    const { head, items, fileKinds, close } = await openArchive(archiveBytes(path), key);
    try {
      await prepare(head.schemaVersion, database, run);
      const target = await openLoadTarget(database, run.onFault, 'discarded');
      let manifest: Manifest;
      try {
        manifest = await fill(target, stagingFiles(within(room, items, task), filesFolder), run);
      } finally {
        await target.close();
      }
      await migrateLoaded(database, run.onFault);
      return { ok: true, head, manifest, contents: contentsOf(manifest, fileKinds) };
    } finally {
      await close();
    }
  });
}

/** Rows of PostgreSQL lie on its own disk, files below the folder that gets them. */
function roomFor({ database, filesFolder, keptFree, expectedRows = 0 }: LoadTask, run: ArchiveRun): Promise<Room> {
  const folder = database.engine === 'sqlite' ? dirname(database.file) : filesFolder && dirname(filesFolder);
  const wanted = folder === undefined ? undefined : keptFree;
  const expectedBytes = expectedRows * LOADED_ROW_BYTES;
  return openRoom({ folder: folder ?? '', keptFree: wanted, expectedBytes }, run.measureDisk);
}

/** Makes the tables in the schema of the backup. */
async function prepare(version: number, database: DatabaseLocation, { onFault }: ArchiveRun): Promise<void> {
  if (version > NEWEST_SCHEMA) {
    throw new ArchiveFault('newer-schema', `schema ${version}, this program knows ${NEWEST_SCHEMA}`);
  }
  const before = await openLoadTarget(database, onFault);
  const [found] = before.tables;
  await before.close();
  if (found !== undefined) throw new ArchiveFault('not-empty', `the database has a table ${found.name}`);
  await migrateTo(version, database, onFault);
}

/** Passes the items on, as long as there is room for them. */
async function* within(
  room: Room,
  items: AsyncIterable<ArchiveItem>,
  { database, filesFolder }: LoadTask,
): AsyncGenerator<ArchiveItem> {
  const perLine = database.engine === 'sqlite' ? LOADED_BYTES : 0;
  const perFile = filesFolder === undefined ? 0 : 1;
  let bytes = 0;
  for await (const item of items) {
    if (item.type === 'rows') bytes += perLine * item.lines.length;
    if (item.type === 'file-bytes') bytes += perFile * item.bytes.length;
    await room.taken(bytes);
    yield item;
  }
}

/** Passes the items on, and writes their files. */
async function* stagingFiles(
  items: AsyncIterable<ArchiveItem>,
  folder: string | undefined,
): AsyncGenerator<ArchiveItem> {
  if (folder === undefined) return yield* items;
  const stage = new FileStage(folder);
  try {
    for await (const item of items) {
      if (item.type === 'file') await stage.begin(item.file);
      if (item.type === 'file-bytes') await stage.write(item.bytes);
      if (item.type === 'file-end') await stage.end();
      yield item;
    }
  } finally {
    await stage.close();
  }
}

async function fill(target: LoadTarget, items: AsyncIterable<ArchiveItem>, run: ArchiveRun): Promise<Manifest> {
  const filling = new Filling(target, run);
  await target.begin();
  for await (const item of items) {
    throwIfCanceled(run.signal);
    if (item.type === 'manifest') {
      await filling.finish(item.manifest);
      return item.manifest;
    }
    await filling.take(item);
  }
  throw new ArchiveFault('truncated', 'no manifest');
}

interface OpenTable {
  readonly shape: TableShape;
  readonly lastSerial: number;
}

class Filling {
  readonly #target: LoadTarget;
  readonly #run: ArchiveRun;
  #table: OpenTable | undefined;
  #progress: ArchiveProgress = { rows: 0, bytes: 0 };

  constructor(target: LoadTarget, run: ArchiveRun) {
    this.#target = target;
    this.#run = run;
  }

  async take(item: ArchiveItem): Promise<void> {
    if (item.type === 'table') {
      const shape = shapeFor(item.table, this.#target.tables);
      // Migrations insert the initial rows of each installation.
      await this.#target.clear(shape);
      this.#table = { shape, lastSerial: item.table.lastSerial };
    }
    if (this.#table === undefined) return;
    if (item.type === 'rows') {
      await this.#target.insert(this.#table.shape, rowsOf(item.lines, this.#table.shape));
      this.#progress = { rows: this.#progress.rows + item.rows, bytes: this.#progress.bytes + item.lines.length };
      this.#run.onProgress(this.#progress);
    }
    if (item.type === 'table-end') {
      await this.#target.setSerial(this.#table.shape, this.#table.lastSerial);
      this.#table = undefined;
    }
  }

  async finish({ tables, history }: Manifest): Promise<void> {
    checkListed(tables);
    for (const { name } of this.#target.tables) {
      const isMissing = isBackedUp(name, history) && !tables.some((table) => table.name === name);
      if (isMissing) throw new ArchiveFault('damaged', `the archive has no table ${name}`);
    }
    for (const entry of tables) {
      const found = await this.#target.count(shapeFor(entry, this.#target.tables));
      if (found !== entry.rows) throw new ArchiveFault('damaged', `${entry.name} got ${found} of ${entry.rows} rows`);
    }
    const broken = await this.#target.commit();
    if (broken !== undefined) throw new ArchiveFault('damaged', `a row of ${broken} belongs to one that is not there`);
  }
}

/** The table with exactly these columns, from those that a backup may contain. */
function shapeFor(table: TableHeader, known: readonly TableShape[]): TableShape {
  const shape = known.find(({ name }) => name === table.name);
  if (shape === undefined || !isBackedUp(table.name, HISTORY_PARTS)) {
    throw new ArchiveFault('unknown-table', table.name);
  }
  const isSame =
    shape.columns.length === table.columns.length &&
    shape.columns.every(({ name, type }, at) => table.columns[at]?.name === name && table.columns[at].type === type);
  if (!isSame) throw new ArchiveFault('unknown-table', `${table.name} has other columns`);
  return shape;
}

function rowsOf(lines: Buffer, { name, columns }: TableShape): Cell[][] {
  const types = columns.map(({ type }) => type);
  const rows: Cell[][] = [];
  for (const line of lines.toString().split('\n').slice(0, -1)) {
    const row = readRow(line, types);
    if (row === undefined) throw new ArchiveFault('damaged', `a row of ${name} is none of its columns`);
    rows.push(row);
  }
  return rows;
}
