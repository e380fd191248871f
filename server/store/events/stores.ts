import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createAttachmentRequestStore } from './attachmentRequests.ts';
import { createEventActStore } from './eventActs.ts';
import { createEventAssigneeStore } from './eventAssignees.ts';
import { createEventCountStore } from './eventCounts.ts';
import { createEventEvidenceStore } from './eventEvidence.ts';
import { createEventFigureStore } from './eventFigures.ts';
import { createEventFilterStore } from './eventFilters.ts';
import { createEventLogStore } from './eventLog.ts';
import { createEventMediaStore } from './eventMedia.ts';
import { createEventMonthStore } from './eventMonths.ts';
import { createEventReasonStore } from './eventReasons.ts';
import { createEventRemovalStore } from './eventRemoval.ts';
import { createEventTypeStore } from './eventTypes.ts';
import { createEventListStore } from './list/eventList.ts';
import { createMissedEvidenceStore } from './missedEvidence.ts';
import { createEventRuleStore } from './rules/eventRules.ts';
import { createRulePlaceStore } from './rules/rulePlaces.ts';

export type EventStores = Readonly<ReturnType<typeof createEventStores>>;

export function createEventStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    attachmentRequests: createAttachmentRequestStore(db),
    eventEvidence: createEventEvidenceStore(reading),
    eventActs: createEventActStore(db),
    eventAssignees: createEventAssigneeStore(db),
    eventCounts: createEventCountStore(reading),
    eventFilters: createEventFilterStore(db, onLimit),
    eventList: createEventListStore(db, reading),
    eventFigures: createEventFigureStore(reading),
    eventLog: createEventLogStore(db),
    eventMedia: createEventMediaStore(db),
    eventReasons: createEventReasonStore(db, onLimit),
    eventTypes: createEventTypeStore(db, reading, onLimit),
    eventMonths: createEventMonthStore(db),
    eventRemoval: createEventRemovalStore(db),
    eventRules: createEventRuleStore(db, onLimit),
    missedEvidence: createMissedEvidenceStore(db),
    rulePlaces: createRulePlaceStore(reading),
  };
}
