import CloudDownload from '@mui/icons-material/CloudDownloadOutlined';
import Button from '@mui/material/Button';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listSyncItems } from '../../../../shared/api/sync.ts';
import { syncStateText } from '../../../../shared/i18n/syncText.ts';
import { deviceOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import { SYNC_ITEMS_PATH, type SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_ITEM_STATES } from '../../../../shared/protocol/sync/syncWords.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useRules } from '../rules/useRules.ts';
import { useLiveSync } from '../useLiveSync.ts';
import type { ShownSyncView } from '../useSyncView.ts';
import { ChosenItems } from './ChosenItems.tsx';
import { useItemColumns } from './itemColumns.tsx';
import { useItemActions, useItemActs } from './useItemActs.tsx';

const FetchDialog = lazyPart(
  'FetchDialog',
  async () => (await import('../../../../shared/ui/sync/FetchDialog.tsx')).FetchDialog,
);

/** What is fetched, in the order in which it will be; what has ended stands last. */
export function QueueTab({ shown }: { readonly shown: ShownSyncView }) {
  const { t } = useTranslation('Datasync');
  const [chosen, setChosen] = useState<readonly (string | number)[]>([]);
  const [isAsking, setAsking] = useState(false);
  const { state, rule, device } = shown;
  const filters = useMemo(() => ({ state, rule, deviceid: device }), [state, rule, device]);
  const table = useTable<SyncItem>({
    name: 'sync-items',
    load: listSyncItems,
    // Unless the user sorts it, in the order in which it is fetched, which is no column. The list has no search.
    filters,
    search: '',
  });
  useLiveSync(table.reload);
  const act = useItemActs(() => {
    setChosen([]);
    table.reload();
  });
  const fetchButton = (
    <Button variant="contained" size="small" startIcon={<CloudDownload />} onClick={() => setAsking(true)}>
      {t('Fetch recordings')}
    </Button>
  );
  return (
    <>
      {chosen.length > 0 && (
        <ChosenItems
          items={table.list.page.rows.filter(({ id }) => chosen.includes(id))}
          onAct={act}
          onClear={() => setChosen([])}
        />
      )}
      <DataTable
        table={table}
        label={t('Queue')}
        columns={useItemColumns()}
        rowId={({ id }) => id}
        actions={useItemActions(act)}
        selection={chosen}
        onSelect={setChosen}
        filters={<QueueFilters shown={shown} />}
        onClearFilters={() => shown.show({ state: '', rule: '', device: '' })}
        toolbar={fetchButton}
        emptyHint={t('Nothing to fetch. Add a rule on the tab Rules, or fetch recordings yourself.')}
        emptyAction={fetchButton}
        csvPath={SYNC_ITEMS_PATH}
        hasTimes
        hasTwoLines
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {isAsking && (
            <FetchDialog
              draft={device === '' ? {} : { deviceid: device }}
              onRequested={() => {
                setAsking(false);
                table.reload();
              }}
              onClose={() => setAsking(false)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
    </>
  );
}

function QueueFilters({ shown }: { readonly shown: ShownSyncView }) {
  const { t } = useTranslation('Datasync');
  const { devices } = useLiveFleet();
  const deviceOptions = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const rules = useRules();
  return (
    <>
      <FilterPick
        label={t('Device')}
        options={deviceOptions}
        value={shown.device}
        onChange={(device) => shown.show({ device })}
      />
      <FilterSelect
        label={t('Status')}
        value={shown.state}
        options={SYNC_ITEM_STATES.map((value) => ({ value, label: syncStateText(value) }))}
        onChange={(state) => shown.show({ state })}
      />
      <FilterSelect
        label={t('Rule')}
        value={shown.rule}
        options={rules.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(rule) => shown.show({ rule })}
      />
    </>
  );
}
