// Devices of firmware tasks as their table holds them.
import type { Selectable } from 'kysely';
import {
  FIRMWARE_DEVICE_STATES,
  FIRMWARE_ENDED_STATES,
  FIRMWARE_FAULTS,
  FIRMWARE_METHODS,
  FIRMWARE_WAITS,
  type FirmwareDeviceState,
  type FirmwareFault,
  type FirmwareMethod,
  type FirmwareWait,
} from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { FirmwareDeviceTable, FirmwareStepTable } from './tables.ts';

export interface StoredFirmwareDevice {
  readonly id: number;
  readonly task: number;
  readonly incarnation: number;
  readonly stage: number;
  readonly state: FirmwareDeviceState;
  readonly wait: FirmwareWait;
  readonly fault: FirmwareFault;
  /** '' until one was chosen. */
  readonly method: FirmwareMethod | '';
  readonly model: string;
  readonly attempts: number;
  readonly sentBytes: number;
  readonly versionBefore: string;
  readonly versionAfter: string;
  /** When the state is over by itself; 0 for none. */
  readonly deadlineMs: number;
  readonly changedAtMs: number;
}

export interface FirmwareStep extends Pick<StoredFirmwareDevice, 'state' | 'wait' | 'fault' | 'sentBytes'> {
  readonly atMs: number;
  readonly attempt: number;
  readonly detail: string;
}

/** Whose firmware nobody works on any more. */
export const ENDED_STATE_NUMBERS = FIRMWARE_ENDED_STATES.map(deviceStateNumber);

export function deviceStateNumber(state: FirmwareDeviceState): number {
  return FIRMWARE_DEVICE_STATES.indexOf(state);
}

export function toFirmwareDevice(row: Selectable<FirmwareDeviceTable>): StoredFirmwareDevice {
  return {
    id: row.id,
    task: row.task,
    incarnation: row.incarnation,
    stage: row.stage,
    state: stateOf(row.state),
    wait: waitOf(row.wait),
    fault: faultOf(row.fault),
    method: FIRMWARE_METHODS.find((method) => method === row.method) ?? '',
    model: row.model,
    attempts: row.attempts,
    sentBytes: row.sent_bytes,
    versionBefore: row.version_before,
    versionAfter: row.version_after,
    deadlineMs: row.deadline_ms,
    changedAtMs: row.changed_at_ms,
  };
}

/** What may change of it. */
export function deviceColumns(device: StoredFirmwareDevice) {
  return {
    state: deviceStateNumber(device.state),
    wait: device.wait,
    fault: device.fault,
    method: device.method,
    model: device.model,
    attempts: device.attempts,
    sent_bytes: device.sentBytes,
    version_before: device.versionBefore,
    version_after: device.versionAfter,
    deadline_ms: device.deadlineMs,
    changed_at_ms: device.changedAtMs,
  };
}

export function stepColumns(device: number, step: FirmwareStep) {
  return {
    device,
    at_ms: step.atMs,
    state: deviceStateNumber(step.state),
    wait: step.wait,
    fault: step.fault,
    attempt: step.attempt,
    sent_bytes: step.sentBytes,
    detail: step.detail,
  };
}

export function toFirmwareStep(row: Selectable<FirmwareStepTable>): FirmwareStep {
  return {
    atMs: row.at_ms,
    state: stateOf(row.state),
    wait: waitOf(row.wait),
    fault: faultOf(row.fault),
    attempt: row.attempt,
    sentBytes: row.sent_bytes,
    detail: row.detail,
  };
}

function stateOf(number: number): FirmwareDeviceState {
  return FIRMWARE_DEVICE_STATES[number] ?? 'failed';
}

function waitOf(text: string): FirmwareWait {
  return FIRMWARE_WAITS.find((wait) => wait === text) ?? '';
}

function faultOf(text: string): FirmwareFault {
  return FIRMWARE_FAULTS.find((fault) => fault === text) ?? 'internal';
}
