import type { Limit, OnLimit } from './limit.ts';

export interface GroupPlacesOptions {
  readonly limit: Limit;
  readonly onLimit: OnLimit;
  /** Member groups that may ask for places. */
  readonly groups: () => number;
}

/** A group takes so much of what the others have left, so that whoever comes next finds a place at once. */
const SHARE = 3 / 4;

/** How many of the places may be a member group's while others have so many. The only group there is has all of them. */
export function shareOf(
  places: number,
  { others, groups }: { readonly others: number; readonly groups: number },
): number {
  const left = places - others;
  return groups <= 1 && others === 0 ? left : Math.ceil(left * SHARE);
}

/** Whether a member group may have one more beside those that are taken. */
export function hasShare(
  memberGroup: number,
  taken: readonly { readonly memberGroup: number }[],
  { places, groups }: { readonly places: number; readonly groups: number },
): boolean {
  const own = taken.filter((each) => each.memberGroup === memberGroup).length;
  return own < shareOf(places, { others: taken.length - own, groups });
}

/** Places that member groups share, of which none can take all. */
export class GroupPlaces {
  readonly #options: GroupPlacesOptions;
  readonly #taken = new Map<number, number>();
  #total = 0;

  constructor(options: GroupPlacesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#total;
  }

  hasRoom(memberGroup: number): boolean {
    const { limit, groups } = this.#options;
    const own = this.#taken.get(memberGroup) ?? 0;
    return own < shareOf(limit.max, { others: this.#total - own, groups: groups() });
  }

  /** The result gives the place back, and may be called twice. Undefined where the group has its share, or nothing is left. */
  enter(memberGroup: number): (() => void) | undefined {
    const { limit, onLimit } = this.#options;
    if (this.hasRoom(memberGroup)) return this.add(memberGroup);
    onLimit(limit);
    return undefined;
  }

  /** What was there before and has its place already. */
  add(memberGroup: number): () => void {
    this.#change(memberGroup, 1);
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.#change(memberGroup, -1);
      hasLeft = true;
    };
  }

  #change(memberGroup: number, by: 1 | -1): void {
    this.#total += by;
    const taken = (this.#taken.get(memberGroup) ?? 0) + by;
    if (taken > 0) this.#taken.set(memberGroup, taken);
    else this.#taken.delete(memberGroup);
  }
}
