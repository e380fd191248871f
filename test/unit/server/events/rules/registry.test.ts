import { expect, it } from 'vitest';
import { RULES } from '../../../../../server/events/rules/registry.ts';
import { BUILT_IN_CODES, builtInType } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { hasRule, RULE_CODES } from '../../../../../shared/protocol/events/ruleSettings.ts';

it('each event type that has a rule has one, with its settings, and no other has', () => {
  const withRule = BUILT_IN_CODES.filter((code) => builtInType(code)?.hasRule === true);
  expect(Object.keys(RULES).sort()).toEqual([...withRule].sort());
  expect([...RULE_CODES].sort()).toEqual([...withRule].sort());
  expect(BUILT_IN_CODES.filter(hasRule)).toEqual(withRule);
});
