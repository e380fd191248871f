// What rules and filters choose from: members, roles, senders, templates, devices and device groups.
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { loadNotifyChoices } from '../../../shared/api/notify/notifyRules.ts';
import type { NotifyChoices } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';

const NO_CHOICES: NotifyChoices = {
  members: [],
  roles: [],
  senders: [],
  templates: [],
  deviceGroups: [],
  devices: [],
};

export interface LoadedChoices {
  readonly choices: NotifyChoices;
  readonly isKnown: boolean;
  readonly failure: ApiFailure | undefined;
  readonly reload: () => void;
}

const CHANGED_BY = ['sender', 'template', 'member', 'role', 'membergroup', 'group', 'device'] as const;

export function useNotifyChoices(): LoadedChoices {
  const { value, failure, reload } = useRecord({
    key: ['notify-choices'],
    load: loadNotifyChoices,
    changedBy: CHANGED_BY,
  });
  return { choices: value ?? NO_CHOICES, isKnown: value !== undefined, failure, reload };
}

/** A role's name in the user's language; those that members made are called as they were named. */
export function useRoleName(): (role: NotifyChoices['roles'][number]) => string {
  const { t } = useTranslation('NotifyConfig');
  return ({ name, builtIn }) => {
    switch (builtIn) {
      case 'operator':
        return t('Operator');
      case 'manager':
        return t('Manager');
      case 'administrator':
        return t('Administrator');
      default:
        return name;
    }
  };
}
