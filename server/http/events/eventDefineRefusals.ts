// Why calls that define events are refused.
import type { EventReason } from '../../../shared/protocol/api/eventTypes.ts';
import type { DefinedFault, DefinedRefusal } from '../../events/acts/definedActs.ts';
import type { Refusal } from '../kernel/envelope.ts';
import { refusedFields } from '../kernel/envelope.ts';
import { recordRefusal } from '../kernel/records/recordRoutes.ts';

export const NO_EVENT_TYPE = {
  status: 404,
  code: 'no-such-event-type',
  message: "Event type not found, or you don't have access to it.",
} as const;
export const NO_REASON = {
  status: 404,
  code: 'no-such-reason',
  message: "Reason not found, or you don't have access to it.",
} as const;
/** Events that were raised keep their type and their reason for as long as they are kept. */
export const USED_BY_EVENTS = {
  status: 409,
  code: 'used-by-events',
  message: 'Events refer to this. Turn it off instead of deleting it.',
} as const;
export const BUILT_IN_ENTRY = {
  status: 409,
  code: 'built-in-entry',
  message: "Built-in entries can't be deleted. Turn this one off instead.",
} as const;
export const NOT_BUILT_IN = {
  status: 409,
  code: 'not-built-in',
  message: 'Only built-in entries can be reset.',
} as const;
export const LAST_REASON = {
  status: 409,
  code: 'last-reason',
  message: 'At least one reason must be on, so that events can be closed.',
} as const;
export const TOO_MANY_TYPES = {
  status: 409,
  code: 'too-many-event-types',
  message: "You've reached the limit of custom event types. Delete one first.",
} as const;
export const TOO_MANY_REASONS = {
  status: 409,
  code: 'too-many-reasons',
  message: "You've reached the limit of custom reasons. Delete one first.",
} as const;
export const NAME_TAKEN: Refusal = { ...refusedFields({ nameEn: 'taken' }), status: 409 };

const REFUSALS: Readonly<Record<DefinedFault, Refusal>> = {
  'built-in': BUILT_IN_ENTRY,
  'not-built-in': NOT_BUILT_IN,
  last: LAST_REASON,
  used: USED_BY_EVENTS,
};

export function refusalOfReason(refused: DefinedRefusal<EventReason>): Refusal {
  return recordRefusal(refused, { ...REFUSALS, gone: NO_REASON, tooMany: TOO_MANY_REASONS });
}
