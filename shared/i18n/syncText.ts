// The words of data sync in the user's language. The page loads the namespace `SyncWords`.
import i18next from 'i18next';
import {
  SYNC_CHOICE_NAMES,
  SYNC_FAULT_NAMES,
  SYNC_METHOD_NAMES,
  SYNC_PLACE_NAMES,
  SYNC_STATE_NAMES,
  SYNC_STREAM_NAMES,
  SYNC_WAIT_NAMES,
} from '../protocol/sync/syncTexts.ts';
import type {
  SyncChoice,
  SyncFault,
  SyncItemState,
  SyncMethod,
  SyncPlace,
  SyncStream,
  SyncWait,
} from '../protocol/sync/syncWords.ts';

export const syncStateText = (state: SyncItemState): string => wordText(SYNC_STATE_NAMES[state]);
export const syncMethodText = (method: SyncMethod): string => wordText(SYNC_METHOD_NAMES[method]);
export const syncChoiceText = (choice: SyncChoice): string => wordText(SYNC_CHOICE_NAMES[choice]);
export const syncStreamText = (stream: SyncStream): string => wordText(SYNC_STREAM_NAMES[stream]);
export const syncPlaceText = (place: SyncPlace): string => wordText(SYNC_PLACE_NAMES[place]);

/** '' where nothing is waited for. */
export function syncWaitText(wait: SyncWait): string {
  return wait === '' ? '' : wordText(SYNC_WAIT_NAMES[wait]);
}

/** '' where nothing is wrong. */
export function syncFaultText(fault: SyncFault): string {
  return fault === '' ? '' : wordText(SYNC_FAULT_NAMES[fault]);
}

function wordText(name: string): string {
  return i18next.t(name, { ns: 'SyncWords' });
}
