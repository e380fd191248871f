// Why calls that define events are refused.
import type { EventReason } from '../../../shared/protocol/api/eventTypes.ts';
import type { DefinedFault, DefinedRefusal } from '../../events/acts/definedActs.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import type { Refusal } from '../kernel/envelope.ts';
import { recordRefusal } from '../kernel/records/recordRoutes.ts';
import { recordOfType } from './eventDefineShapes.ts';

export const NO_EVENT_TYPE = {
  status: 404,
  code: 'no-such-event-type',
  message: "Event type not found, or you don't have access to it.",
} as const;
const NO_REASON = {
  status: 404,
  code: 'no-such-reason',
  message: "Reason not found, or you don't have access to it.",
} as const;
/** Events that were raised keep their type and their reason for as long as they are kept. */
const USED_BY_EVENTS = {
  status: 409,
  code: 'used-by-events',
  message: 'Events refer to this. Turn it off instead of deleting it.',
} as const;
const BUILT_IN_ENTRY = {
  status: 409,
  code: 'built-in-entry',
  message: "Built-in entries can't be deleted. Turn this one off instead.",
} as const;
const NOT_BUILT_IN = {
  status: 409,
  code: 'not-built-in',
  message: 'Only built-in entries can be reset.',
} as const;
const LAST_REASON = {
  status: 409,
  code: 'last-reason',
  message: 'At least one reason must be on, so that events can be closed.',
} as const;
const TOO_MANY_TYPES = {
  status: 409,
  code: 'too-many-event-types',
  message: "You've reached the limit of custom event types. Delete one first.",
} as const;
const TOO_MANY_REASONS = {
  status: 409,
  code: 'too-many-reasons',
  message: "You've reached the limit of custom reasons. Delete one first.",
} as const;

const REFUSALS: Readonly<Record<DefinedFault, Refusal>> = {
  'built-in': BUILT_IN_ENTRY,
  'not-built-in': NOT_BUILT_IN,
  last: LAST_REASON,
  used: USED_BY_EVENTS,
};

export function refusalOfReason(refused: DefinedRefusal<EventReason>): Refusal {
  return recordRefusal(refused, { ...REFUSALS, gone: NO_REASON, tooMany: TOO_MANY_REASONS });
}

export function refusalOfType(refused: DefinedRefusal<StoredEventType>): Refusal {
  const shown = refused.kind === 'conflict' ? { ...refused, current: recordOfType(refused.current) } : refused;
  return recordRefusal(shown, { ...REFUSALS, gone: NO_EVENT_TYPE, tooMany: TOO_MANY_TYPES });
}
