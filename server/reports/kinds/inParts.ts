// Reports read a few devices at a time: that bounds the memory of one statement's answer, and tells how far they are.
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportBatch, ReportQuery, ReportRowValues } from '../reportKind.ts';

const DEVICES_AT_ONCE = 5;

/** `load` gives the rows of some devices, by the order of these. */
export async function* byDevices(
  { devices }: Pick<ReportQuery, 'devices'>,
  load: (part: readonly ReportDevice[]) => Promise<readonly ReportRowValues[]>,
): AsyncGenerator<ReportBatch> {
  for (let start = 0; start < devices.length; start += DEVICES_AT_ONCE) {
    const part = devices.slice(start, start + DEVICES_AT_ONCE);
    yield { rows: await load(part), progress: Math.min(1, (start + part.length) / devices.length) };
  }
}

export function incarnationsOf(devices: readonly ReportDevice[]): number[] {
  return devices.map(({ incarnation }) => incarnation);
}

export function archiveNumbersOf(devices: readonly ReportDevice[]): number[] {
  return devices.map(({ archiveNumber }) => archiveNumber);
}

/** Rows as a statement gave them, device after device in the order of the devices. */
export function inOrderOf<Row>(
  devices: readonly ReportDevice[],
  rows: readonly Row[],
  keyOf: (row: Row) => number,
  keyOfDevice: (device: ReportDevice) => number = ({ incarnation }) => incarnation,
): (readonly [ReportDevice, Row])[] {
  const byKey = groupBy(rows, keyOf);
  return devices.flatMap((device) => (byKey.get(keyOfDevice(device)) ?? []).map((row) => [device, row] as const));
}

export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
