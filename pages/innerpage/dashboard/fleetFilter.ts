// Which devices the list and the map show, and in what order. Pure.
import type { FleetCounts, LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import { SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';

/** The cards of the page: each is a state to filter by. */
export const CARDS = ['total', 'online', 'offline', 'moving', 'parked', 'alarm', 'never', 'videoLoss'] as const;
export type Card = (typeof CARDS)[number] & keyof FleetCounts;

export interface FleetFilter {
  readonly card: Card;
  /** Serial number of a device group; 0 for all. */
  readonly group: number;
  readonly search: string;
  /** Some devices that were pointed at; undefined for all. */
  readonly only: DeviceSet | undefined;
}

/** Devices that stand on one spot of the map, or that a figure counts. */
export interface DeviceSet {
  readonly ids: ReadonlySet<string>;
  /** What they have in common, in words. */
  readonly label: string;
}

export const EVERYTHING: FleetFilter = { card: 'total', group: 0, search: '', only: undefined };

export function isOfCard(device: LiveDevice, card: Card): boolean {
  switch (card) {
    case 'total':
      return true;
    case 'online':
    case 'offline':
    case 'never':
      return device.state === card;
    case 'moving':
      return device.state === 'online' && device.isMoving;
    case 'parked':
      return device.state === 'online' && !device.isMoving;
    case 'alarm':
      return device.inAlarm;
    case 'videoLoss':
      return device.videoLoss;
  }
}

/** What is compared: full-width and half-width letters, and their cases, count as one. */
function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Every word of the search stands somewhere in name, id, plate, terminal number or group. */
export function filterDevices(devices: readonly LiveDevice[], filter: FleetFilter): readonly LiveDevice[] {
  const words = foldText(filter.search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const { card, group, only } = filter;
  if (words.length === 0 && card === 'total' && group === 0 && only === undefined) return devices;
  const shown = devices.filter(
    (device) =>
      isOfCard(device, card) &&
      (group === 0 || device.group === group) &&
      (only === undefined || only.ids.has(device.id)) &&
      (words.length === 0 || hasWords(device, words)),
  );
  return card === 'alarm' ? shown.sort(byAlarm) : shown;
}

/** The worst first; of equal ones, the one that has waited longest. Devices of one moment stay in their order. */
function byAlarm(left: LiveDevice, right: LiveDevice): number {
  return rankOf(left) - rankOf(right) || left.alarmSince - right.alarmSince;
}

function rankOf({ alarmSeverity }: LiveDevice): number {
  return alarmSeverity === '' ? SEVERITIES.length : SEVERITIES.indexOf(alarmSeverity);
}

function hasWords(device: LiveDevice, words: readonly string[]): boolean {
  const text = foldText(`${device.name}\n${device.id}\n${device.plate}\n${device.terminal}\n${device.groupName}`);
  return words.every((word) => text.includes(word));
}

/** Ten thousand comparisons of text take longer than a second's updates leave time for: the order is kept. */
export class FleetOrder {
  readonly #collator = new Intl.Collator(undefined, { numeric: true });
  #names = new Map<string, string>();
  #ids: readonly string[] = [];

  /** All devices by name, then id. */
  sorted(devices: ReadonlyMap<string, LiveDevice>): readonly LiveDevice[] {
    if (!this.#holds(devices)) this.#renew(devices);
    return this.#ids.flatMap((id) => devices.get(id) ?? []);
  }

  #holds(devices: ReadonlyMap<string, LiveDevice>): boolean {
    if (devices.size !== this.#names.size) return false;
    for (const [id, { name }] of devices) if (this.#names.get(id) !== name) return false;
    return true;
  }

  #renew(devices: ReadonlyMap<string, LiveDevice>): void {
    this.#names = new Map([...devices].map(([id, { name }]) => [id, name]));
    const { compare } = this.#collator;
    this.#ids = [...this.#names]
      .sort(([leftId, left], [rightId, right]) => compare(left, right) || compare(leftId, rightId))
      .map(([id]) => id);
  }
}

export interface GroupChoice {
  readonly serialno: number;
  readonly name: string;
}

/** The groups that devices are in, by name. */
export function groupsOf(devices: Iterable<LiveDevice>): readonly GroupChoice[] {
  const names = new Map<number, string>();
  for (const { group, groupName } of devices) names.set(group, groupName);
  const groups = [...names].map(([serialno, name]) => ({ serialno, name }));
  return groups.sort((left, right) => left.name.localeCompare(right.name, undefined, { numeric: true }));
}
