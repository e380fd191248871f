import type { ExplainedRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';

export function doesTell({ misses }: Pick<ExplainedRule, 'misses'>): boolean {
  return misses.length === 0;
}

/** The rules that report the event come first; otherwise the order is kept. */
export function explainedOrder(rules: readonly ExplainedRule[]): readonly ExplainedRule[] {
  return [...rules.filter(doesTell), ...rules.filter((rule) => !doesTell(rule))];
}
