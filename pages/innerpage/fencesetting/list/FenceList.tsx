import Box from '@mui/material/Box';
import { Suspense, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeFence, removeFence } from '../../../../shared/api/fences.ts';
import type { Fence, ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { FENCE_KINDS } from '../../../../shared/protocol/fences/fenceWords.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { contentOfDraft, copyOfFence, draftOfFence } from '../edit/fenceForm.ts';
import type { OpenedFence } from '../edit/openedFence.ts';
import { useKindText } from '../fenceTexts.ts';
import { FenceTools } from './FenceTools.tsx';
import { useFenceColumns } from './fenceColumns.tsx';
import { SelectedFence } from './SelectedFence.tsx';
import { useFenceActions } from './useFenceActions.tsx';
import type { FenceTable } from './useFenceTable.ts';

const ImportDialog = lazyPart(
  'FenceImportDialog',
  async () => (await import('../import/FenceImportDialog.tsx')).FenceImportDialog,
);

export interface FenceListProps {
  readonly listed: FenceTable;
  readonly selected: ShownFence | undefined;
  /** The geofence under the pointer, here or on the map. */
  readonly pointed: number | undefined;
  /** Shows the geofence on the map. */
  readonly onLook: (fence: ShownFence) => void;
  readonly onPoint: (fence: number | undefined) => void;
  readonly onOpen: (opened: OpenedFence) => void;
}

export function FenceList({ listed, selected, pointed, onLook, onPoint, onOpen }: FenceListProps) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const { table, kind, setKind } = listed;
  const [deleting, setDeleting] = useState<Fence>();
  const [isImporting, setImporting] = useState(false);
  const turn = useTurn(table.reload);
  const actions = useFenceActions({
    onEdit: (fence) => onOpen({ fence, tab: 'settings' }),
    onTerminals: (fence) => onOpen({ fence, tab: 'terminals' }),
    onTurn: (fence, isOn) => void turn(fence, isOn),
    onDuplicate: (fence) => onOpen({ draft: copyOfFence(fence, t('{{name}} (copy)', { name: fence.name })) }),
    onDelete: setDeleting,
  });
  return (
    <>
      {selected !== undefined && <SelectedFence selected={selected} onLook={onLook} onOpen={onOpen} />}
      <Box
        sx={{ ...LIST, ...pointedRow(pointed) }}
        onMouseOver={(event) => onPoint(rowAt(event))}
        onMouseLeave={() => onPoint(undefined)}
        onFocus={(event) => onPoint(rowAt(event))}
      >
        <DataTable
          table={table}
          label={t('Geofences')}
          columns={useFenceColumns(useDeviceChoices())}
          rowId={({ id }) => id}
          openedId={selected?.id}
          onOpen={onLook}
          actions={actions}
          filters={
            <FilterSelect
              label={t('Kind')}
              value={kind}
              options={FENCE_KINDS.map((value) => ({ value, label: kindText(value) }))}
              onChange={setKind}
            />
          }
          onClearFilters={() => setKind('')}
          toolbar={<FenceTools onAdd={(draft) => onOpen({ draft })} onImport={() => setImporting(true)} />}
          emptyHint={t('No geofences yet. Add one and draw it on the map.')}
          hasTimes
        />
      </Box>
      <ChunkBoundary>
        <Suspense fallback={null}>
          {isImporting && (
            <ImportDialog
              onDone={() => {
                setImporting(false);
                table.reload();
              }}
              onClose={() => setImporting(false)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <DeleteDialog
          fence={deleting}
          onDone={() => {
            setDeleting(undefined);
            notify('success', t('Geofence deleted.'));
            table.reload();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function useTurn(onDone: () => void): (fence: Fence, enabled: boolean) => Promise<void> {
  const { t } = useTranslation('FenceSetting');
  return async (fence, enabled) => {
    const { id, version, name } = fence;
    const content = contentOfDraft({ ...draftOfFence(fence), enabled });
    if (content === undefined) return;
    const result = await changeFence(id, { ...content, version });
    if (!result.ok) notifyFailure(result);
    else notify('success', enabled ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    onDone();
  };
}

interface DeleteDialogProps {
  readonly fence: Fence;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ fence, onDone, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('FenceSetting');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: fence.name })}
      text={t("It raises no more events, and is removed from terminals. Past events stay. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => removeFence(fence)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** The grid writes the row's id on its element. */
function rowAt({ target }: SyntheticEvent): number | undefined {
  const row = target instanceof Element ? target.closest('[data-id]') : null;
  const id = Number(row?.getAttribute('data-id') ?? Number.NaN);
  return Number.isInteger(id) ? id : undefined;
}

function pointedRow(pointed: number | undefined) {
  return pointed === undefined ? {} : { [`& .MuiDataGrid-row[data-id="${pointed}"]`]: { bgcolor: 'action.hover' } };
}

const LIST = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0 } as const;
