import Block from '@mui/icons-material/BlockOutlined';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSession, listSessions } from '../../../../shared/api/accounts/membership.ts';
import { type ListedSession, SESSIONS_PATH } from '../../../../shared/protocol/api/accounts.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { browserName } from '../../../../shared/ui/browserName.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';

/** Who is signed in, from where, and an end to it. */
export function SessionsTab() {
  const { t } = useTranslation('Membership');
  const [ending, setEnding] = useState<ListedSession>();
  const table = useTable({
    name: 'sessions',
    load: listSessions,
    sorting: { column: 'lastSeenAtMs', descending: true },
    changedBy: ['session'],
  });
  return (
    <>
      <DataTable
        table={table}
        label={t('Sessions')}
        columns={useSessionColumns()}
        rowId={(row) => row.id}
        actions={(row) => [
          {
            icon: <Block />,
            label: t('End the session of {{name}} at {{address}}', { name: row.username, address: row.address }),
            disabled: !row.mayEnd || row.isCurrent,
            onClick: () => setEnding(row),
          },
        ]}
        actionCount={1}
        emptyHint={t('No members are signed in.')}
        searchHint={t('Name')}
        csvPath={SESSIONS_PATH}
        hasTimes
      />
      {ending !== undefined && (
        <ConfirmDialog
          title={t('End the session of {{name}}?', { name: ending.username })}
          text={t('The member is signed out. Video stops within 2 seconds.')}
          action={t('End session')}
          danger
          onConfirm={() => endSession(ending.id)}
          onDone={() => {
            setEnding(undefined);
            notify('success', t('Session ended.'));
            table.reload();
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
}

function useSessionColumns(): readonly Column<ListedSession>[] {
  const { t } = useTranslation('Membership');
  const zone = useUserZone();
  const moment = (atMs: number): string => formatTimestamp(atMs, zone);
  return [
    {
      name: 'username',
      title: t('Username'),
      text: (row) => row.username,
      render: (row) => (
        <>
          {row.username} {row.isCurrent && <Chip size="small" variant="outlined" label={t('This browser')} />}
        </>
      ),
      sortable: true,
      minWidth: 170,
    },
    { name: 'displayName', title: t('Display name'), text: (row) => row.displayName, minWidth: 130 },
    { name: 'address', title: t('Source IP'), text: (row) => row.address, sortable: true, width: 150 },
    {
      name: 'browser',
      title: t('Browser'),
      text: (row) => browserName(row.userAgent) ?? row.userAgent,
      minWidth: 150,
    },
    {
      name: 'createdAtMs',
      title: t('Signed in'),
      text: (row) => moment(row.createdAtMs),
      sortable: true,
      isTimestamp: true,
      width: 190,
    },
    {
      name: 'lastSeenAtMs',
      title: t('Last active'),
      text: (row) => moment(row.lastSeenAtMs),
      sortable: true,
      isTimestamp: true,
      width: 190,
    },
    {
      name: 'endsAtMs',
      title: t('Auto sign-out'),
      text: (row) => moment(row.endsAtMs),
      hiddenAtFirst: true,
      width: 190,
    },
    {
      name: 'wallMonitor',
      title: t('Wall display'),
      text: (row) => (row.wallMonitor ? t('Yes') : t('No')),
      hiddenAtFirst: true,
      width: 120,
    },
  ];
}
