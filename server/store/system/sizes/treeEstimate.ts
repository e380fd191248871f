// How large a tree of the embedded database is, by some of its pages. Pure.

/** Pages of one level and kind, as the engine's table of pages (dbstat) has them; 1 is the root's level. */
export interface TreeLevel {
  readonly depth: number;
  readonly kind: 'internal' | 'leaf' | 'overflow';
  readonly pages: number;
  /** Entries on them all. */
  readonly cells: number;
}

export interface TreeSize {
  readonly entries: number;
  readonly pages: number;
}

export interface ReadPages {
  readonly levels: readonly TreeLevel[];
  /** There may be more pages than were read: those from the root down to the first leaves. */
  readonly isCut: boolean;
  /** Its inner pages hold entries too, as those of an index and of a table without row ids. */
  readonly hasInnerEntries: boolean;
}

export function treeSize({ levels, isCut, hasInnerEntries }: ReadPages): TreeSize {
  const of = (kind: TreeLevel['kind']) => levels.filter((level) => level.kind === kind);
  const [leaves, inner, overflow] = [sumOf(of('leaf')), of('internal'), sumOf(of('overflow'))];
  const innerEntries = hasInnerEntries ? sumOf(inner).cells : 0;
  if (!isCut || leaves.pages === 0) {
    return { entries: leaves.cells + innerEntries, pages: sumOf(levels).pages };
  }
  // Each inner page leads to one page more than it has cells.
  let levelPages = 1;
  let innerPages = 0;
  for (const { pages, cells } of inner.toSorted((left, right) => left.depth - right.depth)) {
    innerPages += levelPages;
    levelPages *= cells / pages + 1;
  }
  const scale = levelPages / leaves.pages;
  const entries = leaves.cells * scale + (hasInnerEntries ? levelPages - 1 : 0);
  return { entries: Math.round(entries), pages: Math.round(innerPages + levelPages + overflow.pages * scale) };
}

function sumOf(levels: readonly TreeLevel[]): Pick<TreeLevel, 'pages' | 'cells'> {
  return levels.reduce((sum, { pages, cells }) => ({ pages: sum.pages + pages, cells: sum.cells + cells }), {
    pages: 0,
    cells: 0,
  });
}
