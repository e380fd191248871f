// What a page of a list of devices takes part of: the groups that are seen, and of a list ordered by their names those that
// have a part in the page. Pure.

/** The device groups that somebody sees. */
export interface DeviceScope {
  readonly groups: readonly number[];
  /** Devices in no group too. */
  readonly ungrouped: boolean;
}

/** Which rows of the list are shown. */
export interface PageRange {
  /** Rows before it; 0 for one that begins at a cursor. */
  readonly offset: number;
  readonly limit: number;
  /** What the row at the cursor is ordered by. The sizes begin with its groups then, if they still are. */
  readonly cursorName?: string | undefined;
}

export interface GroupSize {
  /** Null: in no group. */
  readonly serialno: number | null;
  /** What the list is ordered by. */
  readonly name: string;
  readonly size: number;
}

export interface PagePart {
  readonly scope: DeviceScope;
  /** Devices of the list before those of these groups. */
  readonly skipped: number;
}

/** `sizes` in the order in which the list is walked. Groups of one name are one: their devices stand among each other. */
export function partOfPage(sizes: readonly GroupSize[], { offset, limit, cursorName }: PageRange): PagePart {
  const chosen: (number | null)[] = [];
  let before = 0;
  let skipped = 0;
  for (let at = 0, end = 0; at < sizes.length && before < offset + limit; at = end) {
    const name = sizes[at]?.name;
    while (end < sizes.length && sizes[end]?.name === name) end++;
    const alike = sizes.slice(at, end);
    // Where the cursor lies, all devices of the name may be on its other side.
    const isAtCursor = name === cursorName;
    const size = isAtCursor ? 0 : alike.reduce((sum, group) => sum + group.size, 0);
    if (before + size <= offset && !isAtCursor) skipped += size;
    else chosen.push(...alike.map(({ serialno }) => serialno));
    before += size;
  }
  const groups = chosen.filter((serialno) => serialno !== null);
  return { scope: { groups, ungrouped: groups.length < chosen.length }, skipped };
}
