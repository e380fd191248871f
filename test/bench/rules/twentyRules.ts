// Twenty rules that are on, with what they suggest: nearly every kind that there is.
import { prepareRule } from '../../../server/events/rules/prepareRule.ts';
import type { PreparedRule } from '../../../server/events/rules/rule.ts';
import { builtInRows } from '../../../server/events/types/builtInRows.ts';
import type { Stores } from '../../../server/store/stores.ts';
import type { EventRuleSettings } from '../../../shared/protocol/events/eventRules.ts';
import { RULE_CODES, suggestedSettings } from '../../../shared/protocol/events/ruleSettings.ts';

const CODES = RULE_CODES.filter((code) => code !== 'cabin-temperature');
const NIGHT = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_380, toMinute: 240 }];

export function preparedRules(): PreparedRule[] {
  return CODES.map((code) => {
    const settings = { ...suggestedSettings(code), ...(code === 'forbidden-hours' && { schedule: NIGHT }) };
    return prepareRule(code, settings, 'Asia/Taipei');
  });
}

/** On, or all of them off, for the whole installation. */
export async function configureRules({ eventTypes, eventRules }: Stores, areOn: boolean): Promise<undefined> {
  await eventTypes.addMissing(builtInRows());
  for (const type of RULE_CODES) {
    const settings: EventRuleSettings = {
      enabled: areOn && type !== 'cabin-temperature',
      ...(type === 'forbidden-hours' && { schedule: NIGHT }),
    };
    await eventRules.put({ type, scope: { kind: 'installation' }, settings, version: 0 });
  }
  return undefined;
}
