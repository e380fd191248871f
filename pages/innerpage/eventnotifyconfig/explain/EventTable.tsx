import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listEvents } from '../../../../shared/api/events.ts';
import { severityText, statusText } from '../../../../shared/i18n/eventWordText.ts';
import { deviceOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import { StatusChip } from '../../../../shared/ui/events/StatusChip.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';

export interface EventTableProps {
  readonly names: EventNames;
  readonly onChoose: (event: number) => void;
}

/** The events that the user sees, the newest first, to select one from. */
export function EventTable({ names, onChoose }: EventTableProps) {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const { devices } = useLiveFleet();
  const options = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const [deviceid, setDevice] = useState('');
  const [severity, setSeverity] = useState<Severity | ''>('');
  const table = useTable({
    name: 'notify-events',
    load: listEvents,
    sorting: { column: 'time', descending: true },
    filters: useMemo(() => ({ deviceid, severities: severity }), [deviceid, severity]),
  });
  return (
    <DataTable
      table={table}
      label={t('Events')}
      columns={useEventColumns(names)}
      rowId={({ id }) => id}
      onOpen={({ id }) => onChoose(id)}
      filters={
        <>
          <FilterPick label={t('Device')} options={options} value={deviceid} onChange={setDevice} />
          <FilterSelect
            label={t('Severity')}
            value={severity}
            options={SEVERITIES.map((value) => ({ value, label: severityText(value) }))}
            onChange={setSeverity}
          />
        </>
      }
      onClearFilters={() => {
        setDevice('');
        setSeverity('');
      }}
      toolbar={t('Select an event to see who is told of it.')}
      emptyHint={t('No events yet')}
      hasTimes
    />
  );
}

function useEventColumns(names: EventNames): readonly Column<EventRow>[] {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const zone = useUserZone();
  return [
    {
      name: 'time',
      title: t('Start'),
      text: ({ beginAtMs }) => formatTimestamp(beginAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    {
      name: 'severity',
      title: t('Severity'),
      text: ({ severity }) => severityText(severity),
      render: ({ severity }) => <SeverityChip severity={severity} />,
      sortable: true,
      width: 110,
    },
    { name: 'type', title: t('Event type'), text: ({ type }) => names.nameOf(type), minWidth: 190 },
    { name: 'device', title: t('Device'), text: deviceText, minWidth: 130 },
    {
      name: 'status',
      title: t('Status'),
      text: ({ status }) => statusText(status),
      render: ({ status }) => <StatusChip status={status} />,
      width: 140,
    },
    { name: 'id', title: t('Event ID'), text: ({ id }) => String(id), width: 110, hiddenAtFirst: true },
  ];
}
