import type { StoreDb } from '../../engine/database.ts';
import { createMessageActStore } from './messageActs.ts';
import { createMessageListStore } from './messageList.ts';
import { createMessageQueueStore } from './messageQueue.ts';
import { createMessageRemovalStore } from './messageRemoval.ts';
import { createSenderHealthStore } from './senderHealth.ts';

export function createOutboxStores(db: StoreDb, reading: StoreDb) {
  return {
    notifyMessages: createMessageListStore(reading),
    notifyMessageActs: createMessageActStore(db),
    notifyMessageRemoval: createMessageRemovalStore(db),
    notifyQueue: createMessageQueueStore(db),
    notifySenderHealth: createSenderHealthStore(db),
  };
}
