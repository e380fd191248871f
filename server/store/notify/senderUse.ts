// Which rules tell by a sender. Rules keep their steps as JSON; they are few, and read only when a sender is to be removed.
import type { NotifyStep } from '../../../shared/protocol/api/notify/notifyRules.ts';
import type { StoreDb } from '../engine/database.ts';

export async function isSenderUsed(db: StoreDb, sender: number): Promise<boolean> {
  const rules = await db.selectFrom('notify_rule').select('settings').execute();
  return rules.some(({ settings }) => namesSender(settings, sender));
}

function namesSender(settings: string, sender: number): boolean {
  const { steps = [] } = JSON.parse(settings) as { readonly steps?: readonly NotifyStep[] };
  return steps.some(({ deliveries }) => deliveries.some((delivery) => delivery.sender === sender));
}
