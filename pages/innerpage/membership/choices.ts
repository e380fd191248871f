// What the forms and filters of the page choose from: roles, groups, device groups.
import { useTranslation } from 'react-i18next';
import { getChoices } from '../../../shared/api/accounts/membership.ts';
import type { MembershipChoices, Role } from '../../../shared/protocol/api/accounts.ts';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';

const NO_CHOICES: MembershipChoices = { roles: [], groups: [], deviceGroups: [], secondFactorForAll: false };

export interface Choices extends MembershipChoices {
  readonly isKnown: boolean;
  readonly reload: () => void;
}

export function useChoices(): Choices {
  const { value, reload } = useRecord({ key: ['membership-choices'], load: getChoices, changedBy: CHANGED_BY });
  return { ...(value ?? NO_CHOICES), isKnown: value !== undefined, reload };
}

const CHANGED_BY = ['role', 'membergroup', 'group'] as const;

/** A role's name in the user's language; those that people made are called as they were named. */
export function useRoleName(): (role: Pick<Role, 'name' | 'builtIn'> | undefined) => string {
  const { t } = useTranslation('Membership');
  return (role) => {
    switch (role?.builtIn) {
      case undefined:
        return t('Custom permissions');
      case '':
        return role?.name ?? '';
      case 'operator':
        return t('Operator');
      case 'manager':
        return t('Manager');
      case 'administrator':
        return t('Administrator');
    }
  };
}
