import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { firmwareModels } from '../../../../shared/api/firmware/images.ts';
import { FIRMWARE_MODELS_PATH, type FirmwareModel } from '../../../../shared/protocol/api/firmware/images.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { Column, RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useMethodTexts } from '../words/imageTexts.ts';
import { usesTemplate } from './modelForm.ts';

const ModelDialog = lazyPart('ModelDialog', async () => (await import('./ModelDialog.tsx')).ModelDialog);

/** `model` is undefined for a new one. */
interface Opened {
  readonly model: FirmwareModel | undefined;
}

/** How each model of terminals takes an image. */
export function ModelsTab() {
  const { t } = useTranslation('Firmware');
  const [opened, setOpened] = useState<Opened>();
  const [deleting, setDeleting] = useState<FirmwareModel>();
  const table = useTable({
    name: 'firmware-models',
    load: firmwareModels.list,
    sorting: { column: 'pattern', descending: false },
    changedBy: ['firmwaremodel'],
  });
  const done = (text: string) => {
    setOpened(undefined);
    setDeleting(undefined);
    notify('success', text);
    table.reload();
  };
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ model: undefined })}>
      {t('Add model')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Models')}
        columns={useModelColumns()}
        rowId={({ id }) => id}
        onOpen={(model) => setOpened({ model })}
        actions={useModelActions((model) => setOpened({ model }), setDeleting)}
        toolbar={add}
        emptyHint={t('No models yet. A model that is not listed is updated in packages, first on one device.')}
        csvPath={FIRMWARE_MODELS_PATH}
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && (
            <ModelDialog
              record={opened.model}
              onSaved={() => done(t('Model saved.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: deleting.pattern })}
          text={t(
            "Terminals that only this entry fits are then updated in packages, first on one device. This can't be undone.",
          )}
          action={t('Delete')}
          danger
          onConfirm={() => firmwareModels.remove(deleting)}
          onDone={() => done(t('Model deleted.'))}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function useModelColumns(): readonly Column<FirmwareModel>[] {
  const { t } = useTranslation('Firmware');
  const methods = useMethodTexts();
  const ifPackages = (text: (model: FirmwareModel) => string) => (model: FirmwareModel) =>
    model.method === 'packages' ? text(model) : '';
  return [
    { name: 'pattern', title: t('Model'), text: ({ pattern }) => pattern, sortable: true, minWidth: 160 },
    { name: 'method', title: t('Method'), text: ({ method }) => methods[method], sortable: true, minWidth: 190 },
    {
      name: 'manufacturerBytes',
      title: t('ID length'),
      text: ifPackages(({ manufacturerBytes }) => String(manufacturerBytes)),
      width: 110,
      align: 'right',
    },
    {
      name: 'window',
      title: t('In flight'),
      text: ifPackages(({ window, packageIntervalMs = 0 }) => (packageIntervalMs === 0 ? String(window) : '')),
      width: 110,
      align: 'right',
    },
    {
      name: 'packageIntervalMs',
      title: t('Interval (ms)'),
      text: ifPackages(({ packageIntervalMs = 0 }) => (packageIntervalMs === 0 ? '' : String(packageIntervalMs))),
      width: 120,
      align: 'right',
    },
    {
      name: 'template',
      title: t('Command text'),
      text: ({ method, template }) => (usesTemplate(method) ? template : ''),
      minWidth: 200,
    },
  ];
}

function useModelActions(
  onEdit: (model: FirmwareModel) => void,
  onDelete: (model: FirmwareModel) => void,
): (model: FirmwareModel) => readonly RowAction[] {
  const { t } = useTranslation('Firmware');
  return (model) => {
    const name = model.pattern;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => onEdit(model) },
      { icon: <Delete />, label: t('Delete {{name}}', { name }), inMenu: true, onClick: () => onDelete(model) },
    ];
  };
}
