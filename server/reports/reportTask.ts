// Makes a report: reads the database, writes the result. Runs in a thread of its own.
import { rmSync } from 'node:fs';
import type { ReportParameters } from '../../shared/protocol/api/reports/reports.ts';
import type { ReportFault, ReportKind } from '../../shared/protocol/reports/reportWords.ts';
import { reportDefinition } from './kinds/list.ts';
import { reportDevices } from './reportDevices.ts';
import type { ReportQuery, ReportSources } from './reportKind.ts';
import { createResult, ResultTooLarge, type WrittenResult } from './results/resultFile.ts';

export interface ReportTask {
  readonly kind: ReportKind;
  readonly parameters: ReportParameters;
  readonly memberGroup: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  /** Path of the result. */
  readonly file: string;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export type ReportOutcome =
  | ({ readonly ok: true } & WrittenResult)
  | { readonly ok: false; readonly fault: ReportFault; readonly message: string };

export interface ReportProgress {
  /** 0 to 1. */
  readonly share: number;
  readonly rows: number;
}

const MINUTE_MS = 60_000;

/** Leaves a whole result behind, or none. */
export async function makeReport(
  task: ReportTask,
  sources: ReportSources,
  onProgress: (progress: ReportProgress) => void,
): Promise<ReportOutcome> {
  try {
    return await writeReport(task, sources, onProgress);
  } catch (error) {
    rmSync(task.file, { force: true });
    return { ok: false, fault: faultOf(error), message: error instanceof Error ? error.message : String(error) };
  }
}

async function writeReport(
  task: ReportTask,
  sources: ReportSources,
  onProgress: (progress: ReportProgress) => void,
): Promise<ReportOutcome> {
  const definition = reportDefinition(task.kind);
  const query = await queryOf(task, sources);
  if (definition.needsDevices && query.devices.length === 0) return { ok: false, fault: 'no-devices', message: '' };
  const result = createResult(task.file, definition.columns.length, task);
  for await (const { rows, progress } of definition.run(query, sources)) {
    const goesOn = result.add(rows);
    onProgress({ share: progress, rows: result.rows });
    if (!goesOn) break;
  }
  return { ok: true, ...result.finish() };
}

async function queryOf(task: ReportTask, { db }: ReportSources): Promise<ReportQuery> {
  const { kind, memberGroup, parameters, fromMs, toMs, nowMs } = task;
  const { timeZone, eventTypes, fences, members, leastMinutes, speedKmh } = parameters;
  const devices = await reportDevices(db, memberGroup, parameters);
  const leastMs = leastMinutes * MINUTE_MS;
  return { kind, memberGroup, fromMs, toMs, nowMs, timeZone, devices, eventTypes, fences, members, leastMs, speedKmh };
}

function faultOf(error: unknown): ReportFault {
  if (error instanceof ResultTooLarge) return 'too-large';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'SQLITE_FULL' || code === 'ENOSPC' ? 'disk-full' : 'internal';
}
