import { useTranslation } from 'react-i18next';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { RuleGroup, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';

/** What the place is called, for headings. */
export function usePlaceName({ scope, group, deviceid = '' }: RuleScopeQuery, groups: readonly RuleGroup[]): string {
  const { t } = useTranslation('EventConfig');
  const { devices } = useLiveFleet();
  switch (scope) {
    case 'installation':
      return t('Installation');
    case 'group':
      return groups.find(({ id }) => String(id) === group)?.name ?? t('Device group');
    case 'device':
      return devices.get(deviceid)?.name || deviceid;
  }
}
