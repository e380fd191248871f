import type { NotifyRuleContent } from '../../../shared/protocol/api/notify/notifyRules.ts';
import type { StoreDb } from '../engine/database.ts';

/** Names of rules, of all member groups, whose messages the template words. */
export async function rulesUsing(db: StoreDb, template: number): Promise<string[]> {
  const rules = await db.selectFrom('notify_rule').select(['name', 'settings']).orderBy('id').execute();
  return rules.filter(({ settings }) => templatesOf(settings).includes(template)).map(({ name }) => name);
}

function templatesOf(settings: string): readonly number[] {
  const { steps = [] } = JSON.parse(settings) as Partial<Pick<NotifyRuleContent, 'steps'>>;
  return steps.flatMap(({ deliveries }) => deliveries.map(({ template }) => template));
}
