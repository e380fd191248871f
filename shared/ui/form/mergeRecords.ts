// Two people changed one record: what differs, and the record that comes of choosing.
import { sameValue } from './formState.ts';

export type Side = 'mine' | 'theirs';

export interface Difference<Values> {
  readonly name: keyof Values & string;
  /** Both changed it, each to something else; else only the other did. */
  readonly isDisputed: boolean;
}

export interface ThreeVersions<Values> {
  /** What both began with. */
  readonly base: Values;
  readonly mine: Values;
  readonly theirs: Values;
}

/** The fields that the other changed and that are not as the user has them, in the order of `names`. */
export function differences<Values extends object>(
  { base, mine, theirs }: ThreeVersions<Values>,
  names: readonly (keyof Values & string)[],
): readonly Difference<Values>[] {
  return names
    .filter((name) => !sameValue(theirs[name], base[name]) && !sameValue(theirs[name], mine[name]))
    .map((name) => ({ name, isDisputed: !sameValue(mine[name], base[name]) }));
}

/** What nobody disputes is as the other left it; what is disputed is for the user to say, and their own until then. */
export function proposedSide<Values>({ isDisputed }: Difference<Values>): Side {
  return isDisputed ? 'mine' : 'theirs';
}

/** The record with every difference settled. What only the user changed stays as they have it. */
export function mergedRecord<Values extends object>(
  { mine, theirs }: ThreeVersions<Values>,
  found: readonly Difference<Values>[],
  sides: Readonly<Partial<Record<keyof Values, Side>>>,
): Values {
  const merged = { ...mine };
  for (const difference of found) {
    const side = sides[difference.name] ?? proposedSide(difference);
    if (side === 'theirs') merged[difference.name] = theirs[difference.name];
  }
  return merged;
}
