import type { ExplainedRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';

export function doesTell({ misses }: Pick<ExplainedRule, 'misses'>): boolean {
  return misses.length === 0;
}

/** Those that tell of the event first, else as they came. */
export function explainedOrder(rules: readonly ExplainedRule[]): readonly ExplainedRule[] {
  return [...rules.filter(doesTell), ...rules.filter((rule) => !doesTell(rule))];
}
