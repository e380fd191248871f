// Every environment variable, as each area declares its own: `--help`, the documentation and the reader are made from this table.
import { accountVariables } from './accounts.ts';
import { backupConflicts, backupVariables } from './backup.ts';
import { deviceVariables } from './devices.ts';
import { eventVariables } from './events.ts';
import { firmwareVariables } from './firmware.ts';
import { fleetVariables } from './fleet.ts';
import { netflowVariables } from './netflow.ts';
import { networkConflicts, networkVariables } from './network.ts';
import { notifyVariables } from './notify.ts';
import { operationVariables } from './operation.ts';
import { recordingVariables } from './recordings.ts';
import { reportVariables } from './reports.ts';
import { storageVariables } from './storage.ts';
import { syncVariables } from './sync.ts';
import { systemVariables } from './system.ts';
import { trackVariables } from './tracks.ts';
import type { ValuesOf } from './variable.ts';

/** In the order in which people read them. */
export const variables = {
  ...networkVariables,
  ...deviceVariables,
  ...storageVariables,
  ...recordingVariables,
  ...accountVariables,
  ...operationVariables,
  ...systemVariables,
  ...fleetVariables,
  ...eventVariables,
  ...notifyVariables,
  ...trackVariables,
  ...reportVariables,
  ...firmwareVariables,
  ...netflowVariables,
  ...syncVariables,
  ...backupVariables,
};

export type Config = ValuesOf<typeof variables>;

/** Each says what is wrong with its area's values together. */
export const conflictChecks: readonly ((config: Config) => readonly string[])[] = [networkConflicts, backupConflicts];
