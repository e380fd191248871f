// Values of a result as cells of a file for people: names for codes, units that people calculate with, times on their clock. Pure.
import { REPORT_UNITS } from '../../../shared/protocol/reports/reportTexts.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';
import type { ReportValue } from '../reportKind.ts';
import type { ResultColumn } from './resultFile.ts';

/** A text, a number, a moment on the wall clock as if it were UTC, or nothing. */
export type ReportCell = string | number | { readonly wallMs: number } | null;

export interface CellWords {
  /** By id. */
  readonly deviceNames: Readonly<Record<string, string>>;
  /** By code. */
  readonly eventTypes: Readonly<Record<string, string>>;
  /** By the column's name and the code. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** IANA name. */
  readonly timeZone: string;
}

export type RowCells = (values: readonly ReportValue[]) => ReportCell[];

export function createCells(columns: readonly ResultColumn[], words: CellWords): RowCells {
  const cells = columns.map((column) => cellOf(column, words));
  return (values) => cells.map((cell, at) => cell(values[at] ?? null));
}

type Cell = (value: ReportValue) => ReportCell;

function cellOf({ name, type }: ResultColumn, { deviceNames, eventTypes, codes, timeZone }: CellWords): Cell {
  switch (type) {
    case 'device':
      return named(deviceNames);
    case 'event-type':
      return named(eventTypes);
    case 'code':
      return named(codes[name] ?? {});
    case 'time':
      return momentCell(timeZone);
    case 'day':
      return dayCell;
    default:
      return inUnit(REPORT_UNITS[type]?.size ?? 1);
  }
}

function named(names: Readonly<Record<string, string>>): Cell {
  return (value) => (typeof value === 'string' && Object.hasOwn(names, value) ? names[value] || value : value);
}

function inUnit(size: number): Cell {
  return (value) => (typeof value === 'number' ? Math.round((value / size) * 1_000) / 1_000 : value);
}

/** A month is a text: no day of it is meant. */
function dayCell(value: ReportValue): ReportCell {
  const [year, month, day] = String(value ?? '')
    .split('-')
    .map(Number);
  if (year === undefined || month === undefined || day === undefined) return value;
  return { wallMs: Date.UTC(year, month - 1, day) };
}

const QUARTER_MS = 15 * 60_000;
const MAX_OFFSETS = 10_000;

/** Clocks change at full quarters of an hour, and asking the platform for each row would take most of the time of a file. */
function momentCell(timeZone: string): Cell {
  const offsets = new Map<number, number>();
  return (value) => {
    if (typeof value !== 'number' || value === 0) return null;
    const quarterMs = value - (((value % QUARTER_MS) + QUARTER_MS) % QUARTER_MS);
    let offset = offsets.get(quarterMs);
    if (offset === undefined) {
      if (offsets.size >= MAX_OFFSETS) offsets.clear();
      offset = wallClockMs(quarterMs, timeZone) - quarterMs;
      offsets.set(quarterMs, offset);
    }
    return { wallMs: value + offset };
  };
}
