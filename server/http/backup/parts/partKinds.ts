import { deviceGroupKind, deviceKind } from './deviceKinds.ts';
import { eventReasonKind, eventRuleKind, eventTypeKind } from './eventKinds.ts';
import { fenceKind } from './fenceKind.ts';
import { memberGroupKind, memberKind, roleKind } from './memberKinds.ts';
import { senderKind, templateKind } from './messageKinds.ts';
import type { PartKind } from './partRecords.ts';

/** What others refer to comes first. */
export const PART_KINDS: readonly PartKind[] = [
  ...[deviceGroupKind, deviceKind],
  ...[roleKind, memberGroupKind, memberKind],
  fenceKind,
  ...[eventTypeKind, eventReasonKind, eventRuleKind],
  ...[templateKind, senderKind],
];
