// What a page of a list of devices takes part of: the groups that are seen, and of a list ordered by their names those that
// have a part in the page. Pure.

/** The device groups that somebody sees. */
export interface DeviceScope {
  readonly groups: readonly number[];
  /** Devices in no group too. */
  readonly ungrouped: boolean;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
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
  /** Of the page, among the devices of these groups alone. */
  readonly offset: number;
}

/** `sizes` in the list's order. Groups of one name are one: their devices stand among each other. */
export function partOfPage(sizes: readonly GroupSize[], { offset, limit }: Page): PagePart {
  const chosen: (number | null)[] = [];
  let before = 0;
  let skipped = 0;
  for (let at = 0, end = 0; at < sizes.length && before < offset + limit; at = end) {
    const name = sizes[at]?.name;
    while (end < sizes.length && sizes[end]?.name === name) end++;
    const alike = sizes.slice(at, end);
    const size = alike.reduce((sum, group) => sum + group.size, 0);
    if (before + size <= offset) skipped += size;
    else chosen.push(...alike.map(({ serialno }) => serialno));
    before += size;
  }
  const groups = chosen.filter((serialno) => serialno !== null);
  return { scope: { groups, ungrouped: groups.length < chosen.length }, offset: offset - skipped };
}
