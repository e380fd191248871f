import { useTranslation } from 'react-i18next';
import type { MemberState } from '../../../../shared/protocol/api/accounts.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { type Choices, useRoleName } from '../choices.ts';
import { MEMBER_STATES, useStateName } from './memberColumns.tsx';

/** '' for all. */
export interface MembersFilter {
  readonly role: string;
  readonly group: string;
  readonly state: MemberState | '';
}

export const NO_FILTER: MembersFilter = { role: '', group: '', state: '' };

export interface MemberFiltersProps {
  readonly filter: MembersFilter;
  readonly choices: Choices;
  readonly onChange: (filter: MembersFilter) => void;
}

export function MemberFilters({ filter, choices, onChange }: MemberFiltersProps) {
  const { t } = useTranslation('Membership');
  const roleName = useRoleName();
  const stateName = useStateName();
  return (
    <>
      <FilterSelect
        label={t('Role')}
        value={filter.role}
        onChange={(role) => onChange({ ...filter, role })}
        options={choices.roles.map((role) => ({ value: String(role.id), label: roleName(role) }))}
      />
      <FilterSelect
        label={t('Member group')}
        value={filter.group}
        onChange={(group) => onChange({ ...filter, group })}
        options={choices.groups.map(({ serialno, name }) => ({ value: String(serialno), label: name }))}
      />
      <FilterSelect
        label={t('Status')}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
        options={MEMBER_STATES.map((state) => ({ value: state, label: stateName(state) }))}
      />
    </>
  );
}
