import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createDigestEventStore } from './digestEvents.ts';
import { createNotifyChoiceStore } from './notifyChoices.ts';
import { createNotifyMemberStore } from './notifyMembers.ts';
import { createNotifyPlaceStore } from './notifyPlaces.ts';
import { createNotifyRuleStore } from './notifyRules.ts';
import { createNotifySenderNameStore } from './notifySenderNames.ts';
import { createNotifySenderStore } from './notifySenders.ts';
import { createNotifyTemplateStore } from './notifyTemplates.ts';
import { createNotifyToldStore } from './notifyTold.ts';
import { createOutboxStores } from './outbox/stores.ts';
import { createPastEventStore } from './pastEvents.ts';
import { createPushSubscriptionStore } from './pushSubscriptions.ts';

export type NotifyStores = Readonly<ReturnType<typeof createNotifyStores>>;

export function createNotifyStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    notifyChoices: createNotifyChoiceStore(reading),
    notifyMembers: createNotifyMemberStore(reading),
    notifyPlaces: createNotifyPlaceStore(reading),
    notifyRules: createNotifyRuleStore(db, reading, onLimit),
    notifySenderNames: createNotifySenderNameStore(reading),
    notifyTold: createNotifyToldStore(reading),
    ...createOutboxStores(db, reading),
    pastEvents: createPastEventStore(reading),
    notifySenders: createNotifySenderStore(db, reading, onLimit),
    pushSubscriptions: createPushSubscriptionStore(db, onLimit),
    digestEvents: createDigestEventStore(db, onLimit),
    notifyTemplates: createNotifyTemplateStore(db, reading, onLimit),
  };
}
