// Firmware tasks as their table holds them.
import type { Selectable } from 'kysely';
import type { FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';
import {
  FIRMWARE_TASK_REASONS,
  FIRMWARE_TASK_STATES,
  type FirmwareTaskReason,
  type FirmwareTaskState,
} from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { FirmwareTaskTable } from './tables.ts';

export interface StoredFirmwareTask {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FirmwareTaskContent;
  readonly imageName: string;
  readonly firmwareVersion: string;
  readonly imageBytes: number;
  readonly state: FirmwareTaskState;
  readonly reason: FirmwareTaskReason;
  readonly stage: number;
  readonly nextStageAtMs: number;
  readonly createdAtMs: number;
  readonly createdBy: string;
  /** Ids of all who made or changed it. */
  readonly editedBy: readonly number[];
  readonly approvedAtMs: number;
  readonly approvedBy: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** With what it shows of its image. */
export type FirmwareTaskRow = Selectable<FirmwareTaskTable> & {
  readonly image_name: string;
  readonly image_version: string;
  readonly image_bytes: number;
};

export function toFirmwareTask(row: FirmwareTaskRow): StoredFirmwareTask {
  const content = JSON.parse(row.content) as Omit<FirmwareTaskContent, 'name' | 'image'>;
  return {
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    content: { ...content, name: row.name, image: row.image },
    imageName: row.image_name,
    firmwareVersion: row.image_version,
    imageBytes: row.image_bytes,
    state: FIRMWARE_TASK_STATES[row.state] ?? 'stopped',
    reason: FIRMWARE_TASK_REASONS.find((reason) => reason === row.reason) ?? '',
    stage: row.stage,
    nextStageAtMs: row.next_stage_at_ms,
    createdAtMs: row.created_at_ms,
    createdBy: row.created_by,
    editedBy: JSON.parse(row.edited_by) as number[],
    approvedAtMs: row.approved_at_ms,
    approvedBy: row.approved_by,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}

export function contentColumns({ name, image, ...content }: FirmwareTaskContent) {
  return { name, name_key: name.toLowerCase(), image, content: JSON.stringify(content) };
}

export function taskStateNumber(state: FirmwareTaskState): number {
  return FIRMWARE_TASK_STATES.indexOf(state);
}
