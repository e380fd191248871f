// What the gateway's main thread and the threads of reports say to one another.
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import type { ReportOutcome, ReportProgress, ReportTask } from '../../reports/reportTask.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { DamagedBlock } from '../../store/fleet/blocks/damagedBlocks.ts';

export interface RunData {
  readonly does: 'run';
  readonly database: DatabaseLocation;
  readonly recordingPreset: RecordingPolicy;
  readonly overheadPercent: number;
  readonly task: ReportTask;
}

interface ReadData {
  readonly does: 'read';
}

export type ReportThreadData = RunData | ReadData;

export type FromRun =
  | { readonly type: 'progress'; readonly progress: ReportProgress }
  /** The report lacks what is in it. */
  | { readonly type: 'damaged'; readonly block: DamagedBlock }
  /** Nothing follows this message. */
  | { readonly type: 'done'; readonly outcome: ReportOutcome };
