import AddLink from '@mui/icons-material/AddLinkOutlined';
import LinkOff from '@mui/icons-material/LinkOffOutlined';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listLinks, revokeLink } from '../../../../shared/api/links.ts';
import {
  LINK_CHANNELS_MAX,
  LINK_STATES,
  LINKS_PATH,
  type LinkKind,
  type LinkRow,
  type LinkState,
  type MadeLink,
} from '../../../../shared/protocol/api/links.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useKindName, useStateName } from './kindNames.ts';
import { LinkDialog } from './LinkDialog.tsx';
import { MadeLinkDialog } from './MadeLinkDialog.tsx';

/** The links that the user has made, and with `system` those of others for devices of the current group. */
export function LinksTab() {
  const { t } = useTranslation('Links');
  const stateName = useStateName();
  const [state, setState] = useState<LinkState | ''>('active');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly link: MadeLink; readonly kinds: readonly LinkKind[] }>();
  const [revoking, setRevoking] = useState<LinkRow>();
  const table = useLinkTable(state);
  const add = (
    <Button variant="contained" size="small" startIcon={<AddLink />} onClick={() => setMaking(true)}>
      {t('New link')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Links')}
        columns={useLinkColumns()}
        rowId={(row) => row.id}
        actions={(row) => [
          {
            icon: <LinkOff />,
            label: t('Revoke the link of {{device}}', { device: row.name || row.deviceid }),
            disabled: row.state === 'revoked',
            onClick: () => setRevoking(row),
          },
        ]}
        actionCount={1}
        filters={
          <FilterSelect
            label={t('State')}
            value={state}
            onChange={setState}
            options={LINK_STATES.map((value) => ({ value, label: stateName(value) }))}
          />
        }
        onClearFilters={() => setState('')}
        toolbar={add}
        emptyHint={t('No link is in force. A link shows one device to people without an account here.')}
        emptyAction={add}
        searchHint={t('Device, note, maker')}
        csvPath={LINKS_PATH}
        hasTimes
      />
      {isMaking && (
        <LinkDialog
          onClose={() => setMaking(false)}
          onMade={(link, kinds) => {
            setMaking(false);
            setMade({ link, kinds });
            table.reload();
          }}
        />
      )}
      {made !== undefined && <MadeLinkDialog {...made} onClose={() => setMade(undefined)} />}
      {revoking !== undefined && (
        <RevokeDialog
          link={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined);
            notify('success', t('The link has been revoked.'));
            table.reload();
          }}
        />
      )}
    </>
  );
}

function useLinkTable(state: LinkState | '') {
  return useTable({
    name: 'links',
    load: listLinks,
    sorting: { column: 'created', descending: true },
    // Those in force are what the list is of at first: that there is none is then all there is to say.
    filters: useMemo(() => (state === 'active' ? {} : { state }), [state]),
    scope: useMemo(() => (state === 'active' ? { state } : {}), [state]),
    changedBy: ['link'],
  });
}

interface RevokeDialogProps {
  readonly link: LinkRow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RevokeDialog({ link, onClose, onDone }: RevokeDialogProps) {
  const { t } = useTranslation('Links');
  const device = link.name || link.deviceid;
  return (
    <ConfirmDialog
      title={t('Revoke this link?')}
      text={
        link.note === ''
          ? t('The link to {{device}} ends within two seconds for everybody who has it, and cannot be brought back.', {
              device,
            })
          : t(
              'The link to {{device}} ({{note}}) ends within two seconds for everybody who has it, and cannot be brought back.',
              {
                device,
                note: link.note,
              },
            )
      }
      action={t('Revoke')}
      danger
      onConfirm={() => revokeLink(link.id)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const STATE_COLORS = { active: 'success', expired: 'default', revoked: 'default' } as const;

function useLinkColumns(): readonly Column<LinkRow>[] {
  const { t } = useTranslation('Links');
  const zone = useUserZone();
  const kindName = useKindName();
  const stateName = useStateName();
  const moment = (atMs: number, none: string): string => (atMs === 0 ? none : formatTimestamp(atMs, zone));
  const stateChip = (row: LinkRow): ReactNode => (
    <Chip size="small" variant="outlined" color={STATE_COLORS[row.state]} label={stateName(row.state)} />
  );
  return [
    { name: 'device', title: t('Device'), text: (row) => row.name || row.deviceid, sortable: true, minWidth: 120 },
    { name: 'deviceid', title: t('Device id'), text: (row) => row.deviceid, hiddenAtFirst: true },
    { name: 'plate', title: t('Plate'), text: (row) => row.plate, hiddenAtFirst: true, width: 110 },
    { name: 'note', title: t('Note'), text: (row) => row.note, sortable: true, minWidth: 140 },
    { name: 'kinds', title: t('The link opens'), text: (row) => row.kinds.map(kindName).join(', '), minWidth: 160 },
    { name: 'channels', title: t('Channels'), text: (row) => channelText(row, t('All')), width: 100 },
    { name: 'state', title: t('State'), text: (row) => stateName(row.state), render: stateChip, width: 110 },
    { name: 'until', title: t('Until'), text: (row) => moment(row.untilMs, t('No end')), sortable: true, width: 170 },
    {
      name: 'used',
      title: t('Last used'),
      text: (row) => moment(row.lastUsedAtMs, t('Never')),
      sortable: true,
      width: 170,
    },
    { name: 'uses', title: t('Uses'), text: (row) => String(row.useCount), sortable: true, width: 90, align: 'right' },
    { name: 'lastAddress', title: t('From'), text: (row) => row.lastAddress, width: 130 },
    { name: 'owner', title: t('Made by'), text: (row) => row.owner, sortable: true, width: 120 },
    {
      name: 'created',
      title: t('Made'),
      text: (row) => moment(row.createdAtMs, ''),
      sortable: true,
      hiddenAtFirst: true,
      width: 170,
    },
  ];
}

function channelText({ channels }: LinkRow, all: string): string {
  return channels.length === LINK_CHANNELS_MAX ? all : channels.join(', ');
}
