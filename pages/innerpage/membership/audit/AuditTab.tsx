import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listAudit } from '../../../../shared/api/audit.ts';
import { auditActionText } from '../../../../shared/i18n/auditActionText.ts';
import { AUDIT_PATH, type AuditRow } from '../../../../shared/protocol/api/audit.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { AuditEntryDialog } from './AuditEntryDialog.tsx';
import { AuditFilters, NO_FILTER, queryOfFilter } from './AuditFilters.tsx';
import { changeSummary } from './changeRows.ts';
import { useFieldWords } from './fieldWords.ts';

/** Who did what to what, when and from where. */
export function AuditTab() {
  const { t } = useTranslation('Audit');
  const zone = useUserZone();
  const [filter, setFilter] = useState(NO_FILTER);
  const [opened, setOpened] = useState<AuditRow>();
  const table = useTable({
    name: 'audit',
    load: listAudit,
    sorting: { column: 'at', descending: true },
    filters: useMemo(() => queryOfFilter(filter, zone), [filter, zone]),
  });
  return (
    <>
      <DataTable
        table={table}
        label={t('Audit log')}
        columns={useAuditColumns()}
        rowId={(row) => row.id}
        onOpen={setOpened}
        filters={<AuditFilters filter={filter} onChange={setFilter} />}
        onClearFilters={() => setFilter(NO_FILTER)}
        emptyHint={t('No activity yet')}
        searchHint={t('Member, device, or value')}
        csvPath={AUDIT_PATH}
        hasTimes
      />
      {opened !== undefined && (
        <AuditEntryDialog
          entry={opened}
          onClose={() => setOpened(undefined)}
          onActor={(actor) => {
            setFilter({ ...NO_FILTER, actor });
            table.setSearch('');
            setOpened(undefined);
          }}
          onTarget={(target) => {
            setFilter(NO_FILTER);
            table.setSearch(target);
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
}

function useAuditColumns(): readonly Column<AuditRow>[] {
  const { t } = useTranslation('Audit');
  const zone = useUserZone();
  const words = useFieldWords();
  return [
    {
      name: 'at',
      title: t('Time'),
      text: (row) => formatTimestamp(row.atMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 170,
    },
    {
      name: 'actor',
      title: t('Performed by'),
      text: (row) => row.actor || t('Not signed in'),
      sortable: true,
      width: 140,
    },
    { name: 'action', title: t('Action'), text: (row) => auditActionText(row.action), sortable: true, minWidth: 180 },
    { name: 'target', title: t('Target'), text: (row) => row.target, sortable: true, width: 150 },
    { name: 'address', title: t('Source IP'), text: (row) => row.address, sortable: true, width: 140 },
    { name: 'changes', title: t('Changes'), text: (row) => changeSummary(row, words), minWidth: 200 },
  ];
}
