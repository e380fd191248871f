// Rows of the present database and of an archive, told apart by their primary keys.
import type { PickedRow } from '../../store/backup/carry/presentRows.ts';

export interface Compared {
  /** In the archive alone. */
  readonly added: number;
  /** In both, whatever they say. */
  readonly kept: number;
  /** In the present database alone. */
  readonly removed: number;
}

/** Some names, and how many there are. */
export interface NameList {
  readonly names: readonly string[];
  readonly count: number;
}

/** More of them tell nobody more. */
export const MAX_NAMES = 100;

export function compareRows(now: readonly PickedRow[], then: readonly PickedRow[], key: readonly string[]): Compared {
  const [present, archived] = [now, then].map((rows) => new Set(rows.map((row) => keyOf(row, key)))) as [
    Set<string>,
    Set<string>,
  ];
  let kept = 0;
  for (const each of present) if (archived.has(each)) kept++;
  return { added: archived.size - kept, kept, removed: present.size - kept };
}

/** Of rows that the archive hasn't got. */
export function vanishingRows(
  now: readonly PickedRow[],
  then: readonly PickedRow[],
  key: readonly string[],
): PickedRow[] {
  const archived = new Set(then.map((row) => keyOf(row, key)));
  return now.filter((row) => !archived.has(keyOf(row, key)));
}

export function nameList(names: readonly string[]): NameList {
  return { names: [...names].sort().slice(0, MAX_NAMES), count: names.length };
}

/** Engines give large numbers as numbers or as text. */
function keyOf(row: PickedRow, key: readonly string[]): string {
  return JSON.stringify(key.map((column) => String(row[column])));
}
