import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { Member, MemberState } from '../../../../shared/protocol/api/accounts.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { type Choices, useRoleName } from '../choices.ts';

export const MEMBER_STATES: readonly MemberState[] = ['active', 'invited', 'disabled', 'expired'];

const COLORS = { active: 'success', invited: 'info', disabled: 'default', expired: 'warning' } as const;

export function useStateName(): (state: MemberState) => string {
  const { t } = useTranslation('Membership');
  return (state) =>
    ({ active: t('Active'), invited: t('Invited'), disabled: t('Disabled'), expired: t('Expired') })[state];
}

export function useMemberColumns({ roles, groups }: Choices): readonly Column<Member>[] {
  const { t } = useTranslation('Membership');
  const zone = useUserZone();
  const roleName = useRoleName();
  const stateName = useStateName();
  const moment = (atMs: number, none: string): string => (atMs === 0 ? none : formatTimestamp(atMs, zone));
  const groupNames = (row: Member) =>
    listText(row.groups.map((serialno) => groups.find((group) => group.serialno === serialno)?.name ?? ''));
  return [
    { name: 'username', title: t('Username'), text: (row) => row.username, sortable: true, minWidth: 130 },
    { name: 'displayName', title: t('Display name'), text: (row) => row.displayName, sortable: true, minWidth: 130 },
    { name: 'email', title: t('Email address'), text: (row) => row.email, hiddenAtFirst: true, minWidth: 160 },
    { name: 'phone', title: t('Phone number'), text: (row) => row.phone, hiddenAtFirst: true, width: 150 },
    {
      name: 'role',
      title: t('Role'),
      text: (row) => roleName(roles.find(({ id }) => id === row.role)),
      sortable: true,
      width: 130,
    },
    { name: 'groups', title: t('Member groups'), text: groupNames, minWidth: 150 },
    {
      name: 'state',
      title: t('Status'),
      text: (row) => stateName(row.state),
      render: (row) => <Chip size="small" variant="outlined" color={COLORS[row.state]} label={stateName(row.state)} />,
      width: 110,
    },
    {
      name: 'secondFactor',
      title: t('2FA'),
      text: (row) => (row.secondFactor ? t('On') : t('Off')),
      width: 140,
    },
    {
      name: 'lastSignInAtMs',
      title: t('Last sign-in'),
      text: (row) => moment(row.lastSignInAtMs, t('Never signed in')),
      sortable: true,
      isTimestamp: true,
      width: 190,
    },
    {
      name: 'expiresAtMs',
      title: t('Account expiry'),
      text: (row) => moment(row.expiresAtMs, t('Never')),
      sortable: true,
      hiddenAtFirst: true,
      width: 190,
    },
    {
      name: 'createdAtMs',
      title: t('Added'),
      text: (row) => moment(row.createdAtMs, ''),
      sortable: true,
      isTimestamp: true,
      hiddenAtFirst: true,
      width: 190,
    },
  ];
}
