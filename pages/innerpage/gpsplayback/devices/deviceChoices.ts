// Which devices can be chosen, in which order. Pure.
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';

export interface DeviceFilter {
  readonly search: string;
  /** Serial number of a device group; 0 for all. */
  readonly group: number;
  readonly recent: readonly string[];
}

/** Full-width and half-width letters, and their cases, count as one. */
function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The devices viewed last come first, the others by name. Every word of the search occurs in the name, ID, plate or group. */
export function deviceChoices(devices: Iterable<LiveDevice>, filter: DeviceFilter): readonly LiveDevice[] {
  const words = foldText(filter.search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = [...devices].filter(
    (device) => (filter.group === 0 || device.group === filter.group) && hasWords(device, words),
  );
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = ({ id }: LiveDevice) => {
    const at = filter.recent.indexOf(id);
    return at < 0 ? filter.recent.length : at;
  };
  return found.sort((left, right) => rank(left) - rank(right) || compare(nameOf(left), nameOf(right)));
}

export function nameOf({ id, name }: Pick<LiveDevice, 'id' | 'name'>): string {
  return name || id;
}

function hasWords({ id, name, plate, groupName }: LiveDevice, words: readonly string[]): boolean {
  const text = foldText(`${name}\n${id}\n${plate}\n${groupName}`);
  return words.every((word) => text.includes(word));
}
