// Rules prepared for many events: their conditions as sets, found by the member group and the type of an event.
import type { StoredNotifyRule } from '../../store/notify/notifyRules.ts';

export interface PreparedRule {
  readonly rule: StoredNotifyRule;
  /** Undefined: all types; likewise for the severities. */
  readonly types: ReadonlySet<string> | undefined;
  readonly severities: ReadonlySet<string> | undefined;
  /** Undefined: all devices of the member group. */
  readonly places: RulePlaces | undefined;
}

interface RulePlaces {
  /** Device groups with the groups inside them. */
  readonly deviceGroups: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
}

/** The group above each group; undefined for those at the top. */
export type GroupParents = ReadonlyMap<number, number | undefined>;

const NO_RULES: readonly PreparedRule[] = [];

export class RuleIndex {
  readonly all: readonly PreparedRule[];
  readonly #byId: ReadonlyMap<number, PreparedRule>;
  /** Rules that are on, by member group and type; '' stands for rules of all types. */
  readonly #byType = new Map<string, PreparedRule[]>();
  /** Rules that are on and cover events of the gateway itself, by type as above. */
  readonly #ofGateway = new Map<string, PreparedRule[]>();
  readonly longestIntervalMs: number;

  constructor(rules: readonly StoredNotifyRule[], parents: GroupParents) {
    this.all = rules.map((rule) => prepareRule(rule, parents));
    this.#byId = new Map(this.all.map((prepared) => [prepared.rule.id, prepared]));
    this.longestIntervalMs = Math.max(0, ...rules.map(({ intervalMinutes }) => intervalMinutes)) * 60_000;
    for (const prepared of this.all) if (prepared.rule.enabled) this.#add(prepared);
  }

  find(id: number): PreparedRule | undefined {
    return this.#byId.get(id);
  }

  /** Rules that are on and may cover an event of this type at a device of these member groups; undefined: of the gateway itself. */
  *candidates(type: string, memberGroups: Iterable<number> | undefined): Iterable<PreparedRule> {
    if (memberGroups === undefined) {
      for (const key of [type, '']) yield* this.#ofGateway.get(key) ?? NO_RULES;
      return;
    }
    for (const memberGroup of memberGroups) {
      for (const key of [type, '']) yield* this.#byType.get(`${memberGroup}/${key}`) ?? NO_RULES;
    }
  }

  #add(prepared: PreparedRule): void {
    const { memberGroup, coversGateway } = prepared.rule;
    for (const type of prepared.types ?? ['']) {
      push(this.#byType, `${memberGroup}/${type}`, prepared);
      if (coversGateway) push(this.#ofGateway, type, prepared);
    }
  }
}

export function prepareRule(rule: StoredNotifyRule, parents: GroupParents): PreparedRule {
  const { types, severities, deviceGroups, devices } = rule;
  const isEverywhere = deviceGroups.length === 0 && devices.length === 0;
  return {
    rule,
    types: types.length === 0 ? undefined : new Set(types),
    severities: severities.length === 0 ? undefined : new Set(severities),
    places: isEverywhere
      ? undefined
      : { deviceGroups: withGroupsInside(deviceGroups, parents), devices: new Set(devices) },
  };
}

/** The groups with all groups inside them. */
function withGroupsInside(groups: readonly number[], parents: GroupParents): ReadonlySet<number> {
  if (groups.length === 0) return new Set();
  const wanted = new Set(groups);
  const isInside = (group: number): boolean => {
    const seen = new Set<number>();
    for (let at: number | undefined = group; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (wanted.has(at)) return true;
      seen.add(at);
    }
    return false;
  };
  return new Set([...wanted, ...[...parents.keys()].filter(isInside)]);
}

function push(map: Map<string, PreparedRule[]>, key: string, rule: PreparedRule): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [rule]);
  else known.push(rule);
}
