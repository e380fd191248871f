// The tree of groups as rows, and what a move means. No React here.
import type { GroupNode, GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';

/** The groups whose devices the table shows: one group, devices in no group, or all. */
export type Chosen = number | 'all' | 'none';

export interface TreeRow {
  readonly id: Chosen;
  readonly group: GroupNode | undefined;
  /** From 1. */
  readonly level: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** Place among the rows of its level under one parent, from 1, and their number. */
  readonly place: number;
  readonly count: number;
  /** Number of devices, including those of the subgroups. */
  readonly devices: number;
}

/** The rows in view, top to bottom: all devices, the groups, devices in no group where there are any. */
export function treeRows({ groups, ungrouped }: GroupTree, closed: ReadonlySet<number>): readonly TreeRow[] {
  const children = childrenOf(groups);
  const totals = totalsOf(groups, children);
  const tops = children.get(null) ?? [];
  const count = tops.length + 1 + (ungrouped > 0 ? 1 : 0);
  const sum = tops.reduce((total, { id }) => total + (totals.get(id) ?? 0), ungrouped);
  const plain = { group: undefined, level: 1, hasChildren: false, isOpen: false, count };
  const rows: TreeRow[] = [{ ...plain, id: 'all', place: 1, devices: sum }];
  const add = (siblings: readonly GroupNode[], level: number, offset: number, among: number): void => {
    for (const [at, group] of siblings.entries()) {
      const beneath = children.get(group.id) ?? [];
      const isOpen = beneath.length > 0 && !closed.has(group.id);
      const place = { place: at + 1 + offset, count: among };
      const devices = totals.get(group.id) ?? 0;
      rows.push({ id: group.id, group, level, hasChildren: beneath.length > 0, isOpen, devices, ...place });
      if (isOpen) add(beneath, level + 1, 0, beneath.length);
    }
  };
  add(tops, 1, 1, count);
  if (ungrouped > 0) rows.push({ ...plain, id: 'none', place: count, devices: ungrouped });
  return rows;
}

function childrenOf(groups: readonly GroupNode[]): ReadonlyMap<number | null, readonly GroupNode[]> {
  const children = new Map<number | null, GroupNode[]>();
  for (const group of groups) {
    const beside = children.get(group.parent);
    if (beside === undefined) children.set(group.parent, [group]);
    else beside.push(group);
  }
  return children;
}

function totalsOf(groups: readonly GroupNode[], children: ReturnType<typeof childrenOf>): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  const total = (group: GroupNode): number => {
    const sum = (children.get(group.id) ?? []).reduce((all, each) => all + total(each), group.devices);
    totals.set(group.id, sum);
    return sum;
  };
  for (const group of groups) if (group.parent === null) total(group);
  return totals;
}

/** The group and all groups below it. */
export function branchOf(groups: readonly GroupNode[], id: number): ReadonlySet<number> {
  const branch = [id];
  for (const at of branch) branch.push(...groups.filter(({ parent }) => parent === at).map((group) => group.id));
  return new Set(branch);
}

export interface PathOption {
  readonly id: number;
  readonly path: string;
}

/** Every group with its path, in the tree's order. */
export function groupPaths(groups: readonly GroupNode[]): readonly PathOption[] {
  const children = childrenOf(groups);
  const paths: PathOption[] = [];
  const add = (parent: number | null, above: string): void => {
    for (const { id, name } of children.get(parent) ?? []) {
      const path = above === '' ? name : `${above} / ${name}`;
      paths.push({ id, path });
      add(id, path);
    }
  };
  add(null, '');
  return paths;
}

export interface NewPlace {
  readonly parent: number | null;
  readonly before: number | null;
}

export type Step = 'up' | 'down' | 'in' | 'out';

/** The place that a keyboard step moves a group to; undefined where there is none. */
export function stepPlace(groups: readonly GroupNode[], { id, parent }: GroupNode, step: Step): NewPlace | undefined {
  const children = childrenOf(groups);
  const beside = children.get(parent) ?? [];
  const at = beside.findIndex((group) => group.id === id);
  switch (step) {
    case 'up': {
      const above = beside[at - 1];
      return above === undefined ? undefined : { parent, before: above.id };
    }
    case 'down':
      return at + 1 >= beside.length ? undefined : { parent, before: beside[at + 2]?.id ?? null };
    case 'in': {
      const above = beside[at - 1];
      return above === undefined ? undefined : { parent: above.id, before: null };
    }
    case 'out': {
      const outer = groups.find((group) => group.id === parent);
      if (outer === undefined) return undefined;
      const around = children.get(outer.parent) ?? [];
      return { parent: outer.parent, before: around[around.indexOf(outer) + 1]?.id ?? null };
    }
  }
}

export type DropZone = 'before' | 'into';

/** The place of a group dropped on another one; undefined where it can't go: into itself, or where it already is. */
export function dropPlace(
  groups: readonly GroupNode[],
  dragged: number,
  { over, zone }: { readonly over: Chosen; readonly zone: DropZone },
): NewPlace | undefined {
  const group = groups.find(({ id }) => id === dragged);
  if (group === undefined || over === 'none') return undefined;
  if (over === 'all') {
    const isLast = group.parent === null && nextBeside(groups, group) === undefined;
    return isLast ? undefined : { parent: null, before: null };
  }
  const target = groups.find(({ id }) => id === over);
  if (target === undefined || branchOf(groups, dragged).has(over)) return undefined;
  const next = nextBeside(groups, group);
  // Dropped into its current group, it goes after all others there.
  if (zone === 'into') return group.parent === over && next === undefined ? undefined : { parent: over, before: null };
  return group.parent === target.parent && next?.id === over ? undefined : { parent: target.parent, before: over };
}

function nextBeside(groups: readonly GroupNode[], { id, parent }: GroupNode): GroupNode | undefined {
  const beside = groups.filter((each) => each.parent === parent);
  return beside[beside.findIndex((each) => each.id === id) + 1];
}

/** The next row whose name begins with the typed text, searching from the current row and wrapping around; undefined for none. */
export function rowTyped<Row>(
  rows: readonly Row[],
  at: number,
  typed: string,
  nameOf: (row: Row) => string,
): number | undefined {
  const wanted = typed.toLocaleLowerCase();
  // A second letter narrows the search from the same row, a first one goes on to the next.
  const from = typed.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step++) {
    const index = (from + step) % rows.length;
    const row = rows[index];
    if (row !== undefined && nameOf(row).toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

/** The upper part of a row means before it, the rest into it. */
export function zoneAt(centreY: number, row: { readonly top: number; readonly height: number }): DropZone {
  return centreY < row.top + row.height * BEFORE_SHARE ? 'before' : 'into';
}

const BEFORE_SHARE = 0.3;
