// The plan of an import: what it would do to each device, or why not. The same file on the same devices gives the same plan; nothing is
// changed, and other work gets its turn meanwhile.
import { createHash } from 'node:crypto';
import type { ImportCounts, ImportFault, ImportRow } from '../../../../shared/protocol/api/deviceImport.ts';
import { BLANK_DEVICE, DEVICE_FIELD_NAMES, type DeviceFields } from '../../../../shared/protocol/api/devices.ts';
import { columnOf, type DeviceField } from '../../../../shared/protocol/api/imports/deviceColumns.ts';
import { canonicalTerminalText, deviceIdFault, faultsOfDevice } from '../../../../shared/protocol/deviceRules.ts';
import { fromFields, toFields } from '../../../devices/deviceFields.ts';
import type { ChangedDevice, DeviceImport } from '../../../store/devices/deviceImport.ts';
import type { DeviceRecord, NewDeviceRecord } from '../../../store/devices/deviceRecordRows.ts';
import { cellOf, type GroupPaths, READ_FIELDS, readCell } from '../columns.ts';
import type { FileRow } from './readFile.ts';
import { mapYielding, type YieldIfDue } from './yielder.ts';

export interface ImportContext {
  readonly devices: readonly DeviceRecord[];
  readonly isVisible: (device: DeviceRecord) => boolean;
  /** Paths of the groups that the caller sees. */
  readonly paths: GroupPaths;
  /** Device group for new devices without one in the file. */
  readonly presetGroup: number | undefined;
  /** Maximum devices that the license allows in all; 0 for no limit. */
  readonly maxDevices: number;
}

export interface Planned {
  readonly rows: readonly ImportRow[];
  readonly counts: ImportCounts;
  readonly token: string;
  readonly work: DeviceImport;
}

interface Fated {
  readonly row: ImportRow;
  readonly added?: NewDeviceRecord;
  readonly changed?: ChangedDevice;
}

export async function planImport(
  rows: readonly FileRow[],
  context: ImportContext,
  yieldIfDue: YieldIfDue,
): Promise<Planned> {
  const known = new Map(context.devices.map((device) => [device.deviceId, device]));
  const first = new Map<string, number>();
  await mapYielding(rows, yieldIfDue, ({ line, cells }) => {
    const id = (cells.deviceid ?? '').trim();
    if (!first.has(id)) first.set(id, line);
  });
  const readingGround = { ...context, known, first, groups: groupsByPath(context.paths) };
  const readings = await mapYielding(rows, yieldIfDue, (row) => read(row, readingGround));
  const settled = await withoutSharedTerminals(readings, context.devices, yieldIfDue);
  const licensed = await withinLicense(settled, context, yieldIfDue);
  const outcomes = await mapYielding(licensed, yieldIfDue, (reading) => fateOf(reading, context.paths));
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { row } of outcomes) counts[row.outcome]++;
  return {
    rows: outcomes.map(({ row }) => row),
    counts,
    token: await tokenOf(outcomes, yieldIfDue),
    work: {
      added: outcomes.flatMap(({ added }) => added ?? []),
      changed: outcomes.flatMap(({ changed }) => changed ?? []),
    },
  };
}

/** The token stands for everything that was shown, and for the versions of the records shown. */
async function tokenOf(outcomes: readonly Fated[], yieldIfDue: YieldIfDue): Promise<string> {
  const hash = createHash('sha256');
  await mapYielding(outcomes, yieldIfDue, ({ row, added, changed }) => {
    hash.update(`${JSON.stringify([row, added, changed])}\n`);
  });
  return hash.digest('hex');
}

interface Reading {
  readonly line: number;
  readonly deviceId: string;
  readonly current: DeviceRecord | undefined;
  readonly fields: DeviceFields;
  readonly faults: readonly ImportFault[];
}

interface ReadContext extends ImportContext {
  readonly known: ReadonlyMap<string, DeviceRecord>;
  /** The first line of each ID. */
  readonly first: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

function read(row: FileRow, context: ReadContext): Reading {
  const deviceId = (row.cells.deviceid ?? '').trim();
  const current = context.known.get(deviceId);
  const faults: ImportFault[] = [];
  if (row.isRagged) {
    // Nobody knows which cell belongs to which column.
    const cells = [{ column: '', code: 'cells', value: '' }];
    return { line: row.line, deviceId, current, fields: BLANK_DEVICE, faults: cells };
  }
  const idFault = deviceIdFault(deviceId);
  if (idFault !== undefined) faults.push({ column: 'deviceid', code: idFault, value: deviceId });
  const firstLine = context.first.get(deviceId) ?? row.line;
  if (idFault === undefined && firstLine !== row.line) {
    faults.push({ column: 'deviceid', code: 'repeated', value: String(firstLine) });
  }
  if (current !== undefined && !context.isVisible(current)) {
    faults.push({ column: 'deviceid', code: 'taken', value: deviceId });
  }
  const cells = readCells(row, faults);
  const group = readGroup(row, { context, current, faults });
  const fields = { ...(current === undefined ? BLANK_DEVICE : toFields(current)), ...cells, ...group };
  faults.push(...ruleFaults(fields, row, faults));
  return { line: row.line, deviceId, current, fields, faults };
}

/** A column that the file does not have leaves the field unchanged. */
function readCells({ cells }: FileRow, faults: ImportFault[]): Partial<DeviceFields> {
  let fields: Partial<DeviceFields> = {};
  for (const name of READ_FIELDS) {
    const column = columnOf(name);
    const cell = cells[column];
    if (cell === undefined) continue;
    const given = readCell(name, cell);
    if (given !== undefined) fields = { ...fields, [name]: given };
    else faults.push({ column, code: name === 'chn' ? 'bad-format' : 'not-allowed', value: shown(cell) });
  }
  return fields;
}

interface GroupReading {
  readonly context: ReadContext;
  readonly current: DeviceRecord | undefined;
  readonly faults: ImportFault[];
}

function readGroup(row: FileRow, { context, current, faults }: GroupReading): Partial<DeviceFields> {
  const cell = row.cells.group?.trim();
  const isUnsaid = cell === undefined || cell === '';
  if (isUnsaid && current !== undefined) {
    // An empty cell doesn't remove a device from its group: only administrators would see it then.
    return {};
  }
  if (isUnsaid) {
    if (context.presetGroup === undefined) faults.push({ column: 'group', code: 'required', value: '' });
    return { group: context.presetGroup ?? null };
  }
  const found = context.groups.get(normalPath(cell)) ?? [];
  const [group] = found;
  if (group === undefined) faults.push({ column: 'group', code: 'unknown', value: shown(cell) });
  if (found.length > 1) faults.push({ column: 'group', code: 'ambiguous', value: shown(cell) });
  return { group: group ?? null };
}

function groupsByPath(paths: GroupPaths): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [group, path] of paths) groups.set(normalPath(path), [...(groups.get(normalPath(path)) ?? []), group]);
  return groups;
}

/** Spaces around slashes are not part of the names. A slash after a backslash is. */
function normalPath(path: string): string {
  return path
    .split(/(?<!\\)\//)
    .map((name) => name.trim())
    .join('/');
}

/** Faults by the rules of the form; a column that could not be read at all is named only once. */
function ruleFaults(fields: DeviceFields, row: FileRow, before: readonly ImportFault[]): ImportFault[] {
  const named = new Set(before.map(({ column }) => column));
  return Object.entries(faultsOfDevice(fields)).flatMap(([field, code]) => {
    const column = columnOf(field as DeviceField);
    return named.has(column) ? [] : [{ column, code, value: shown(row.cells[column] ?? '') }];
  });
}

/** Checks the terminals that the devices would have in the end: no two devices may share one. */
async function withoutSharedTerminals(
  readings: readonly Reading[],
  devices: readonly DeviceRecord[],
  yieldIfDue: YieldIfDue,
): Promise<readonly Reading[]> {
  let fated = readings;
  for (;;) {
    const holders = await holdersOf(fated, devices, yieldIfDue);
    const lines = new Map(fated.filter(({ faults }) => faults.length === 0).map((each) => [each.deviceId, each.line]));
    const next = await mapYielding(fated, yieldIfDue, (reading) => {
      const number = canonicalTerminalText(reading.fields.terminal);
      if (reading.faults.length > 0 || number === '') return reading;
      const fault = terminalFault(reading, (holders.get(number) ?? []).slice(0, MAX_NAMED_LINES), lines);
      return fault === undefined ? reading : { ...reading, faults: [fault] };
    });
    // A row that is refused keeps its old terminal, which another row may have wanted.
    if (next.every((reading, at) => reading === fated[at])) return next;
    fated = next;
  }
}

/** The number of lines that are named where rows share a terminal. */
const MAX_NAMED_LINES = 6;

/** A fault that says who else has the row's terminal: other rows of the file, or another device. Undefined for nobody. */
function terminalFault(
  { deviceId, line, fields }: Reading,
  holders: readonly string[],
  lines: ReadonlyMap<string, number>,
): ImportFault | undefined {
  const others = holders.filter((holder) => holder !== deviceId);
  if (others.length === 0) return undefined;
  const shared = others.flatMap((holder) => lines.get(holder) ?? []);
  const column = 'terminal';
  if (shared.length === 0) return { column, code: 'taken', value: canonicalTerminalText(fields.terminal) };
  return { column, code: 'shared', value: [line, ...shared].toSorted((one, other) => one - other).join(', ') };
}

/** New devices are accepted in the order of the file as long as the license has room; existing ones stay. */
function withinLicense(
  readings: readonly Reading[],
  { devices, maxDevices }: ImportContext,
  yieldIfDue: YieldIfDue,
): Promise<readonly Reading[]> {
  let room = maxDevices === 0 ? Number.POSITIVE_INFINITY : maxDevices - devices.length;
  return mapYielding(readings, yieldIfDue, (reading) => {
    if (reading.current !== undefined || reading.faults.length > 0 || room-- > 0) return reading;
    return { ...reading, faults: [{ column: '', code: 'licence-full', value: String(maxDevices) }] };
  });
}

async function holdersOf(
  readings: readonly Reading[],
  devices: readonly DeviceRecord[],
  yieldIfDue: YieldIfDue,
): Promise<ReadonlyMap<string, string[]>> {
  const after = new Map<string, string>();
  await mapYielding(devices, yieldIfDue, ({ deviceId, terminal }) => after.set(deviceId, terminal));
  await mapYielding(readings, yieldIfDue, ({ deviceId, fields, faults }) => {
    if (faults.length === 0) after.set(deviceId, fields.terminal);
  });
  const holders = new Map<string, string[]>();
  await mapYielding(after, yieldIfDue, ([deviceId, terminal]) => {
    if (terminal === '') return;
    const number = canonicalTerminalText(terminal);
    const others = holders.get(number);
    if (others === undefined) holders.set(number, [deviceId]);
    else others.push(deviceId);
  });
  return holders;
}

function fateOf({ line, deviceId, current, fields, faults }: Reading, paths: GroupPaths): Fated {
  const head = { line, deviceid: shown(deviceId), name: shown(fields.name) };
  if (faults.length > 0) return { row: { ...head, outcome: 'refused', changes: [], faults } };
  const after = fromFields(fields);
  if (current === undefined) {
    return { row: { ...head, outcome: 'added', changes: [], faults }, added: { ...after, deviceId } };
  }
  const changes = changesOf(toFields(current), toFields(after), paths);
  if (changes.length === 0) return { row: { ...head, outcome: 'unchanged', changes, faults } };
  const hasNewTerminal = changes.some(({ column }) => column === 'terminal');
  const changed = { deviceId, version: current.version, fields: after, hasNewTerminal };
  return { row: { ...head, outcome: 'changed', changes, faults }, changed };
}

function changesOf(before: DeviceFields, after: DeviceFields, paths: GroupPaths): ImportRow['changes'] {
  const comparable = { ...after, terminal: canonicalTerminalText(after.terminal) };
  return DEVICE_FIELD_NAMES.flatMap((name) => {
    const from = cellOf(before, name, paths);
    const to = cellOf(comparable, name, paths);
    return from === to ? [] : [{ column: columnOf(name), from: shown(from), to: shown(to) }];
  });
}

const MAX_SHOWN = 200;

/** Unchecked texts from a file may be of any length. */
function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
