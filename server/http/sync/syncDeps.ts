import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Stores } from '../../store/stores.ts';
import type { SyncCalls } from '../../sync/syncCalls.ts';
import type { Refusal } from '../kernel/envelope.ts';

export interface SyncRoutesDeps {
  readonly stores: Pick<
    Stores,
    'syncRules' | 'syncItems' | 'syncItemPages' | 'listedRecordings' | 'fenceReach' | 'segments'
  >;
  readonly sync: SyncCalls;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

export const MAY_SYNC = { access: { kind: 'permissions', all: [Permission.Datasync] } } as const;

export const NO_RULE: Refusal = {
  status: 404,
  code: 'no-such-sync-rule',
  message: "Sync rule not found, or you don't have access to it.",
};

export const TOO_MANY_RULES: Refusal = {
  status: 409,
  code: 'too-many-sync-rules',
  message: "You've reached the limit of sync rules. Delete some that aren't needed first.",
};

export const CHANNELS_UNKNOWN: Refusal = {
  status: 409,
  code: 'channels-unknown',
  message: "The device hasn't told its channels yet. Choose channels, or try again when it has been online.",
};

export const NO_FILE: Refusal = {
  status: 404,
  code: 'no-such-sync-file',
  message: 'The file is no longer on the server.',
};
