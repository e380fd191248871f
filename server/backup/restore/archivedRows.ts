// Picks some columns of some tables from an archive while it is read.
import type { AccessState } from '../../store/backup/carry/carryAccess.ts';
import type { JsonCell } from '../../store/backup/cells.ts';
import type { ArchiveItem } from '../archive/archiveItem.ts';
import { ArchiveFault } from '../archive/faults.ts';

export type PickedRow = Readonly<Record<string, JsonCell>>;

/** Maximum of characters held per table. Names and hashes take a fraction of it; an archive can come from anybody. */
const MAX_HELD_CHARACTERS = 32 * 1024 * 1024;

interface OpenTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly wanted: readonly string[];
  heldCharacters: number;
}

export class ArchivedRows {
  readonly #wanted: ReadonlyMap<string, readonly string[]>;
  readonly #max: number;
  /** Undefined: there are more than can be held. */
  readonly #rows = new Map<string, PickedRow[] | undefined>();
  #table: OpenTable | undefined;

  /** `max`: maximum of rows held per table. */
  constructor(wanted: ReadonlyMap<string, readonly string[]>, max: number) {
    this.#wanted = wanted;
    this.#max = max;
  }

  take(item: ArchiveItem): void {
    if (item.type === 'table')
      this.#begin(
        item.table.name,
        item.table.columns.map(({ name }) => name),
      );
    else if (item.type === 'rows') this.#add(item.lines);
    else if (item.type === 'table-end') this.#table = undefined;
  }

  /** Undefined: the archive has more than can be held, or no table with these columns. */
  rowsOf(table: string): readonly PickedRow[] | undefined {
    return this.#rows.get(table);
  }

  #begin(name: string, columns: readonly string[]): void {
    const wanted = this.#wanted.get(name);
    // An earlier schema may lack some columns.
    if (wanted === undefined || !wanted.every((column) => columns.includes(column))) return;
    this.#table = { name, columns, wanted, heldCharacters: 0 };
    this.#rows.set(name, []);
  }

  #add(lines: Buffer): void {
    if (this.#table === undefined) return;
    const { name, columns, wanted } = this.#table;
    const rows = this.#rows.get(name);
    if (rows === undefined) return;
    for (const line of lines.toString().split('\n').slice(0, -1)) {
      const cells = cellsOf(line, name);
      const picked = wanted.map((column) => [column, cells[columns.indexOf(column)] ?? null] as const);
      this.#table.heldCharacters += picked.reduce((sum, [, cell]) => sum + String(cell).length, 0);
      if (rows.length >= this.#max || this.#table.heldCharacters > MAX_HELD_CHARACTERS) {
        this.#rows.set(name, undefined);
        return;
      }
      rows.push(Object.fromEntries(picked));
    }
  }
}

/** The cells of a line of the archive, whatever they contain. */
export function cellsOf(line: string, table: string): readonly JsonCell[] {
  try {
    const row: unknown = JSON.parse(line);
    if (Array.isArray(row)) return row;
  } catch {
    // The fault is thrown below.
  }
  throw new ArchiveFault('damaged', `a row of ${table} is none of its columns`);
}

/** Access state from the columns picked of the tables of accounts and links. */
export function accessOf(rows: ArchivedRows): AccessState {
  return {
    accounts: (rows.rowsOf('app_user') ?? []).map((row) => ({
      id: Number(row.id),
      createdAtMs: Number(row.created_at_ms),
      username: String(row.username),
      isDisabled: row.disabled !== 0,
      passwordHash: String(row.password_hash),
      passwordChangedAtMs: Number(row.password_changed_at_ms),
    })),
    links: (rows.rowsOf('link_credential') ?? []).map((row) => ({
      id: Number(row.id),
      secretHash: String(row.secret_hash),
      revokedAtMs: Number(row.revoked_at_ms),
      label: '',
    })),
  };
}
