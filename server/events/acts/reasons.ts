// What administrators do with the reasons that events are closed for.
import type { EventReason, EventReasonContent } from '../../../shared/protocol/api/eventTypes.ts';
import type { RecordActsDeps } from '../../records/recordActs.ts';
import type { EventReasonStore } from '../../store/events/eventReasons.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { builtInReasonRow } from '../types/builtInRows.ts';
import { englishNameOfReason, tidyNames } from '../types/definedNames.ts';
import { createDefinedActs, type DefinedActs, type DefinedRules } from './definedActs.ts';

export type EventReasonActs = DefinedActs<EventReasonContent, EventReason, RecordVersion>;

export interface EventReasonActsDeps extends Pick<RecordActsDeps<never, never>, 'now' | 'bus'> {
  readonly store: Pick<EventReasonStore, 'all' | 'find' | 'add' | 'update' | 'remove'>;
}

const RULES: DefinedRules<EventReasonContent, EventReason> = {
  subject: 'eventreason',
  nameOf: englishNameOfReason,
  tidy: (content) => ({ ...content, ...tidyNames(content) }),
  faultsOf: ({ nameEn }, known) => (nameEn === '' && known?.isBuiltIn !== true ? { nameEn: 'required' } : {}),
  auditFields: ({ nameEn, nameZh, nameJp, isFalseAlarm, enabled }) => {
    return { nameEn, nameZh, nameJp, isFalseAlarm, enabled };
  },
  builtIn: builtInReasonRow,
};

export function createEventReasonActs(deps: EventReasonActsDeps): EventReasonActs {
  return createDefinedActs(RULES, { ...deps, find: ({ id }) => deps.store.find(id) });
}
