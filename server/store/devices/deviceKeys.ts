// What devices are sorted and searched by: computed once when a record is written, since neither engine sorts "Bus 2"
// before "Bus 10" or finds a full-width letter by a plain one. Whoever changes this adds a migration that fills anew.

export interface KeyedDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
  /** Canonical number, '' for none. */
  readonly terminal: string;
  readonly model: string;
  readonly sim: string;
}

export interface DeviceKeys {
  readonly id_key: string;
  readonly name_key: string;
  readonly plate_key: string;
  readonly terminal_key: string;
  readonly search_key: string;
}

export function deviceKeys(device: KeyedDevice): DeviceKeys {
  const { deviceId, name, plate, terminal, model, sim } = device;
  return {
    id_key: naturalKey(deviceId),
    name_key: naturalKey(name),
    plate_key: naturalKey(plate),
    terminal_key: naturalKey(terminal),
    search_key: [deviceId, name, plate, terminal, model, sim].map(searchKey).join('\n'),
  };
}

/** Sorted by bytes it puts small letters with large ones, and 2 before 10: each number has its length before it. */
function naturalKey(text: string): string {
  return searchKey(text).replace(/[0-9]+/g, (digits) => {
    const number = digits.replace(/^0+(?=.)/, '');
    return String(number.length).padStart(2, '0') + number;
  });
}

/** One text for every way to write a letter: small, and of plain width. */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
