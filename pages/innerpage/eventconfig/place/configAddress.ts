// The page's query: which place it shows, and which part. What it doesn't know is ignored. Pure.
import { RULE_SCOPES, type RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { queryText } from '../../../../shared/ui/frame/pageQuery.ts';

export const CONFIG_TABS = ['rules', 'limits'] as const;
export type ConfigTab = (typeof CONFIG_TABS)[number];

export interface ConfigView {
  /** A group or a device that isn't selected yet is left out. */
  readonly place: RuleScopeQuery;
  readonly tab: ConfigTab;
}

export const INSTALLATION: RuleScopeQuery = { scope: 'installation' };

export function viewOfQuery(query: string): ConfigView {
  const values = Object.fromEntries(new URLSearchParams(query));
  const place = placeOf(values);
  const tab = CONFIG_TABS.find((each) => each === values.tab) ?? 'rules';
  return { place, tab: place.scope === 'device' ? tab : 'rules' };
}

function placeOf({ scope, group = '', deviceid = '' }: Readonly<Record<string, string>>): RuleScopeQuery {
  const known = RULE_SCOPES.find((each) => each === scope) ?? 'installation';
  switch (known) {
    case 'installation':
      return INSTALLATION;
    case 'group':
      return groupPlace(group);
    case 'device':
      return devicePlace(deviceid);
  }
}

/** '' for none selected. */
export function groupPlace(group: string): RuleScopeQuery {
  return /^[1-9]\d{0,14}$/.test(group) ? { scope: 'group', group } : { scope: 'group' };
}

/** '' for none selected. */
export function devicePlace(deviceid: string): RuleScopeQuery {
  return deviceid === '' ? { scope: 'device' } : { scope: 'device', deviceid };
}

export function queryOfView({ place, tab }: ConfigView): string {
  const { scope, group, deviceid } = place;
  return queryText(
    new URLSearchParams({
      ...(scope !== 'installation' && { scope }),
      ...(group !== undefined && { group }),
      ...(deviceid !== undefined && { deviceid }),
      ...(tab !== 'rules' && { tab }),
    }),
  );
}

/** Whether it is known whose settings are shown. */
export function isSelected({ scope, group, deviceid }: RuleScopeQuery): boolean {
  switch (scope) {
    case 'installation':
      return true;
    case 'group':
      return group !== undefined;
    case 'device':
      return deviceid !== undefined;
  }
}
