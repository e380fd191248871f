// The files of an exchange: which are renamed, in which order, and what is left to do wherever it was cut short.

/** Paths below DATA_DIR. */
export interface Move {
  /** Where the gateway has it. */
  readonly present: string;
  /** What takes its place; left out: nothing does. */
  readonly staged?: string;
  /** Where the old one is kept; left out: there is none. */
  readonly aside?: string;
  /** Where on the way back goes what a gateway has made there since: the log of another database would ruin the old one. */
  readonly leftBehind?: string;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export type Direction = 'forward' | 'back';
export type Exists = (path: string) => boolean;

/** What is left of the way to the new files, or back to the old ones, in its order. It can be cut short after any of them. */
export function renamesLeft(moves: readonly Move[], direction: Direction, exists: Exists): Rename[] {
  // All old ones go first: no disk can have kept a new one in a place from which the old one has not gone.
  const all = [...moves.flatMap(asideOf), ...moves.flatMap(intoPlace)];
  if (direction === 'forward') return all.filter((step) => !step.isDone(exists)).map(({ from, to }) => ({ from, to }));
  const back = all.filter((step) => step.isDone(exists)).reverse();
  return [...moves.flatMap((move) => madeSince(move, exists)), ...back.map(({ from, to }) => ({ from: to, to: from }))];
}

function madeSince({ present, aside, leftBehind }: Move, exists: Exists): Rename[] {
  if (leftBehind === undefined || !exists(present)) return [];
  // Once the old one is back, it is the one that is there.
  return aside === undefined || exists(aside) ? [{ from: present, to: leftBehind }] : [];
}

interface Step extends Rename {
  readonly isDone: (exists: Exists) => boolean;
}

/** Nothing else is ever under the name of an old one. */
function asideOf({ present, aside }: Move): Step[] {
  return aside === undefined ? [] : [{ from: present, to: aside, isDone: (exists) => exists(aside) }];
}

/** Nor under that of a new one. */
function intoPlace({ present, staged }: Move): Step[] {
  return staged === undefined ? [] : [{ from: staged, to: present, isDone: (exists) => !exists(staged) }];
}
