// The groups as a list to select from: in the tree's order, each as far in as it lies deep. Pure.
import type { PickOption } from './FilterPick.tsx';

export interface TreeGroup {
  readonly id: number;
  readonly name: string;
  /** Null for one at the top. */
  readonly parent: number | null;
}

export function groupOptions(groups: readonly TreeGroup[]): readonly PickOption[] {
  const beneath = (parent: number | null) => groups.filter((group) => group.parent === parent);
  const options: PickOption[] = [];
  const add = (parent: number | null, above: string, level: number): void => {
    for (const { id, name } of beneath(parent)) {
      const label = above === '' ? name : `${above} / ${name}`;
      options.push({ value: String(id), label, name, level });
      add(id, label, level + 1);
    }
  };
  add(null, '', 0);
  return options;
}

/** The group and all beneath it. */
export function branchOf(groups: readonly TreeGroup[], id: number): ReadonlySet<number> {
  const branch = [id];
  for (const at of branch) branch.push(...groups.filter(({ parent }) => parent === at).map((group) => group.id));
  return new Set(branch);
}
