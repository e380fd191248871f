// Counts and hashes the items of an archive, checks their order, and compares them with the manifest.
import { createHash, type Hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ArchiveItem } from './archiveItem.ts';
import { TABLES_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';
import { encodeFrame, FrameType } from './frames.ts';
import type { Manifest, TableEntry, TableHeader } from './manifest.ts';

interface OpenTable {
  readonly header: TableHeader;
  readonly hash: Hash;
  rows: number;
  bytes: number;
}

export class Tally {
  readonly #entries: TableEntry[] = [];
  readonly #files = { files: 0, bytes: 0, hash: createHash('sha256') };
  #table: OpenTable | undefined;
  #isInFile = false;

  /** `bytes`: bytes of the frame. */
  take(item: ArchiveItem, bytes: Buffer): void {
    const isInTable = this.#table !== undefined;
    switch (item.type) {
      case 'table':
        expectOrder(!(isInTable || this.#isInFile || this.#files.files > 0));
        this.#begin(item.table);
        return;
      case 'rows':
      case 'table-end':
        this.#inTable(item);
        return;
      case 'file':
        expectOrder(!(isInTable || this.#isInFile));
        this.#isInFile = true;
        this.#files.files++;
        this.#files.hash.update(encodeFrame(FrameType.File, bytes));
        return;
      case 'file-bytes':
        expectOrder(this.#isInFile);
        this.#files.bytes += bytes.length;
        this.#files.hash.update(bytes);
        return;
      case 'file-end':
        expectOrder(this.#isInFile);
        this.#isInFile = false;
        return;
      case 'manifest':
        expectOrder(!(isInTable || this.#isInFile));
        this.#compare(item.manifest);
        return;
    }
  }

  #begin(header: TableHeader): void {
    if (this.#entries.length >= TABLES_LIMIT.max) throw new ArchiveFault('too-large', 'too many tables');
    if (this.#entries.some(({ name }) => name === header.name)) {
      throw new ArchiveFault('unknown-table', `${header.name} comes twice`);
    }
    this.#table = { header, hash: createHash('sha256'), rows: 0, bytes: 0 };
  }

  #inTable(item: Extract<ArchiveItem, { readonly type: 'rows' | 'table-end' }>): void {
    const table = this.#table;
    if (table === undefined) throw new ArchiveFault('damaged', 'rows of no table');
    if (item.type === 'rows') {
      table.hash.update(item.lines);
      table.bytes += item.lines.length;
      table.rows += item.rows;
      return;
    }
    const { header, rows, bytes, hash } = table;
    this.#entries.push({ ...header, rows, bytes, sha256: hash.digest('hex') });
    this.#table = undefined;
  }

  #compare(manifest: Manifest): void {
    const { files, bytes, hash } = this.#files;
    const isSame = isDeepStrictEqual(manifest.tables, this.#entries);
    const sums = { files, bytes, sha256: hash.digest('hex') };
    if (!isSame) throw new ArchiveFault('damaged', 'the tables are not those of the manifest');
    if (!isDeepStrictEqual(manifest.files, sums))
      throw new ArchiveFault('damaged', 'the files are not those of the manifest');
  }
}

function expectOrder(isRight: boolean): void {
  if (!isRight) throw new ArchiveFault('damaged', 'parts come in another order');
}
