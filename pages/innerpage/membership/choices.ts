// What the forms and filters of the page choose from: roles, groups, device groups.
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getChoices } from '../../../shared/api/accounts/membership.ts';
import { useChangedRecords } from '../../../shared/live/pageLive.ts';
import type { MembershipChoices, Role } from '../../../shared/protocol/api/accounts.ts';

export const NO_CHOICES: MembershipChoices = { roles: [], groups: [], deviceGroups: [], secondFactorForAll: false };

export interface Choices extends MembershipChoices {
  readonly isKnown: boolean;
  readonly reload: () => void;
}

export function useChoices(): Choices {
  const [choices, setChoices] = useState<MembershipChoices>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const abort = new AbortController();
    void getChoices(abort.signal).then((result) => {
      if (!abort.signal.aborted && result.ok) setChoices(result.value);
    });
    return () => abort.abort();
  }, [round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useChangedRecords(CHANGED_BY, reload);
  return { ...(choices ?? NO_CHOICES), isKnown: choices !== undefined, reload };
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
