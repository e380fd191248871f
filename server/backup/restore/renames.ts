// The renames of an exchange: which files, in which order, and the rest after an interruption at any point.

/** Paths below DATA_DIR. */
export interface Move {
  /** Path that the gateway uses. */
  readonly present: string;
  /** Path of the file that replaces it; left out: there is none. */
  readonly staged?: string;
  /** Path at which the old file is kept; left out: there is none. */
  readonly aside?: string;
  /** Path for files that a gateway has made since, on the way back: the log of another database would ruin the old one. */
  readonly leftBehind?: string;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export type Direction = 'forward' | 'back';
export type Exists = (path: string) => boolean;

/** The remaining renames to the new files, or back to the old ones, in order. An interruption is possible after any of them. */
export function renamesLeft(moves: readonly Move[], direction: Direction, exists: Exists): Rename[] {
  // All old files are moved first: no disk can then have a new file in a place that the old one has not left.
  const all = [...moves.flatMap(asideOf), ...moves.flatMap(intoPlace)];
  if (direction === 'forward') return all.filter((step) => !step.isDone(exists)).map(({ from, to }) => ({ from, to }));
  const back = all.filter((step) => step.isDone(exists)).reverse();
  return [...moves.flatMap((move) => madeSince(move, exists)), ...back.map(({ from, to }) => ({ from: to, to: from }))];
}

function madeSince({ present, aside, leftBehind }: Move, exists: Exists): Rename[] {
  if (leftBehind === undefined || !exists(present)) return [];
  // Once the old file is back, it is the one at this path.
  return aside === undefined || exists(aside) ? [{ from: present, to: leftBehind }] : [];
}

interface Step extends Rename {
  readonly isDone: (exists: Exists) => boolean;
}

/** No other file ever has the name of an old one. */
function asideOf({ present, aside }: Move): Step[] {
  return aside === undefined ? [] : [{ from: present, to: aside, isDone: (exists) => exists(aside) }];
}

/** Nor does any have that of a new one. */
function intoPlace({ present, staged }: Move): Step[] {
  return staged === undefined ? [] : [{ from: staged, to: present, isDone: (exists) => !exists(staged) }];
}
