import type { Stores } from '../store/stores.ts';

export type RecorderStores = Pick<
  Stores,
  | 'segments'
  | 'recordingPolicies'
  | 'evidenceHolds'
  | 'devices'
  | 'deviceRecords'
  | 'memberGroups'
  | 'archives'
  | 'syncRules'
  | 'fetchedSegments'
>;
