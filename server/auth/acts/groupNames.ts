// Names of member groups and device groups, which the audit log keeps in place of numbers.
import type { MemberGroupStore } from '../../store/accounts/memberGroups.ts';
import type { DeviceGroupStore } from '../../store/devices/deviceGroups.ts';

interface Numbered {
  readonly serialno: number;
  readonly name: string;
}

interface NamedGroups {
  readonly memberGroups: Pick<MemberGroupStore, 'list'>;
  readonly deviceGroups: Pick<DeviceGroupStore, 'list'>;
}

export async function groupNamesOf({
  memberGroups,
}: Pick<NamedGroups, 'memberGroups'>): Promise<ReadonlyMap<number, string>> {
  return namesBySerial(await memberGroups.list());
}

export async function deviceGroupNamesOf({
  deviceGroups,
}: Pick<NamedGroups, 'deviceGroups'>): Promise<ReadonlyMap<number, string>> {
  return namesBySerial(await deviceGroups.list());
}

function namesBySerial(groups: readonly Numbered[]): ReadonlyMap<number, string> {
  return new Map(groups.map(({ serialno, name }) => [serialno, name]));
}

/** The names for the audit log, in their order. */
export function namesOf(numbers: readonly number[], names: ReadonlyMap<number, string>): readonly string[] {
  return numbers.map((number) => nameOf(number, names)).sort();
}

export function nameOf(number: number, names: ReadonlyMap<number, string>): string {
  return names.get(number) ?? String(number);
}
