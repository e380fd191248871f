import Block from '@mui/icons-material/BlockOutlined';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSession, listSessions } from '../../../../shared/api/accounts/membership.ts';
import type { ListedSession } from '../../../../shared/protocol/api/accounts.ts';
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
        emptyHint={t('Nobody is signed in.')}
        searchHint={t('Name')}
        hasTimes
      />
      {ending !== undefined && (
        <ConfirmDialog
          title={t('End the session of {{name}}?', { name: ending.username })}
          text={t('Its pages go to sign-in, and its streams end within two seconds.')}
          action={t('End the session')}
          danger
          onConfirm={() => endSession(ending.id)}
          onDone={() => {
            setEnding(undefined);
            notify('success', t('The session has been ended.'));
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
      title: t('User name'),
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
    { name: 'address', title: t('From'), text: (row) => row.address, sortable: true, width: 150 },
    {
      name: 'browser',
      title: t('Browser'),
      text: (row) => browserName(row.userAgent) ?? row.userAgent,
      minWidth: 150,
    },
    { name: 'createdAtMs', title: t('Signed in'), text: (row) => moment(row.createdAtMs), sortable: true, width: 190 },
    {
      name: 'lastSeenAtMs',
      title: t('Last seen'),
      text: (row) => moment(row.lastSeenAtMs),
      sortable: true,
      width: 190,
    },
    {
      name: 'endsAtMs',
      title: t('Ends by itself'),
      text: (row) => moment(row.endsAtMs),
      hiddenAtFirst: true,
      width: 190,
    },
    {
      name: 'wallMonitor',
      title: t('Wall monitor'),
      text: (row) => (row.wallMonitor ? t('Yes') : t('No')),
      hiddenAtFirst: true,
      width: 120,
    },
  ];
}
