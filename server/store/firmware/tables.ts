import type { Generated } from 'kysely';

export interface FirmwareTables {
  upload: UploadTable;
  firmware_image: FirmwareImageTable;
  firmware_model: FirmwareModelTable;
  firmware_task: FirmwareTaskTable;
  firmware_device: FirmwareDeviceTable;
  firmware_step: FirmwareStepTable;
}

/** Files that members are uploading. */
export interface UploadTable {
  /** Random hex; also the name of its file in DATA_DIR/uploads. */
  id: string;
  user_id: number;
  /** One of UPLOAD_PURPOSES. */
  purpose: string;
  bytes: number;
  /** Hash of the whole file, as announced. */
  sha256: string;
  created_at_ms: number;
  expires_at_ms: number;
}

export interface FirmwareImageTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  /** Key for sorting and searching. */
  name_key: string;
  firmware_version: string;
  /** Also the name of its file in DATA_DIR/firmware. Images with the same content share the file. */
  sha256: string;
  bytes: number;
  /** JSON object: FirmwareImageContent without name and version. */
  content: string;
  added_at_ms: number;
  /** The member's name at that time. */
  added_by: string;
  /** When it was deleted; it is kept for the tasks that had it. 0 while it exists. */
  removed_at_ms: Generated<number>;
  version: Generated<number>;
}

export interface FirmwareModelTable {
  id: Generated<number>;
  member_group: number;
  pattern: string;
  /** One of FIRMWARE_METHODS, for sorting the list; `content` has it too. */
  method: string;
  /** JSON object: FirmwareModelContent without pattern. */
  content: string;
  version: Generated<number>;
}

export interface FirmwareTaskTable {
  id: Generated<number>;
  member_group: number;
  image: number;
  name: string;
  name_key: string;
  /** JSON object: FirmwareTaskContent without name and image. */
  content: string;
  /** Number in FIRMWARE_TASK_STATES. */
  state: number;
  /** A code of FIRMWARE_TASK_REASONS. */
  reason: Generated<string>;
  stage: Generated<number>;
  /** When the next stage begins; 0 while none waits. */
  next_stage_at_ms: Generated<number>;
  created_at_ms: number;
  created_by: string;
  /** JSON list of all members who made or changed it: none of them may approve it. */
  edited_by: string;
  approved_at_ms: Generated<number>;
  approved_by: Generated<string>;
  started_at_ms: Generated<number>;
  ended_at_ms: Generated<number>;
  version: Generated<number>;
}

/** A device of a task, created when the task starts. */
export interface FirmwareDeviceTable {
  id: Generated<number>;
  task: number;
  incarnation: number;
  stage: number;
  /** Number in FIRMWARE_DEVICE_STATES. */
  state: number;
  /** A code of FIRMWARE_WAITS. */
  wait: Generated<string>;
  /** A code of FIRMWARE_FAULTS. */
  fault: Generated<string>;
  /** One of FIRMWARE_METHODS; '' until one was chosen. */
  method: Generated<string>;
  model: Generated<string>;
  attempts: Generated<number>;
  sent_bytes: Generated<number>;
  version_before: Generated<string>;
  version_after: Generated<string>;
  /** When the state ends by itself: the next attempt, the end of verification; 0 for none. */
  deadline_ms: Generated<number>;
  changed_at_ms: number;
}

export interface FirmwareStepTable {
  id: Generated<number>;
  device: number;
  at_ms: number;
  state: number;
  wait: string;
  fault: string;
  attempt: number;
  sent_bytes: number;
  detail: string;
}
