import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listFirmwareImages, removeFirmwareImage } from '../../../../shared/api/firmware/images.ts';
import { FIRMWARE_IMAGES_PATH, type FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { useImageColumns } from './imageColumns.tsx';

const ImageDialog = lazyPart('ImageDialog', async () => (await import('./ImageDialog.tsx')).ImageDialog);

/** `image` is undefined for a new one. */
interface Opened {
  readonly image: FirmwareImage | undefined;
}

/** The member group's images. */
export function ImagesTab() {
  const { t } = useTranslation('Firmware');
  const [opened, setOpened] = useState<Opened>();
  const [deleting, setDeleting] = useState<FirmwareImage>();
  const table = useTable({
    name: 'firmware-images',
    load: listFirmwareImages,
    sorting: { column: 'addedAtMs', descending: true },
    changedBy: ['firmwareimage', 'firmwaretask'],
  });
  // Tasks that end by themselves decide what may be deleted.
  useLiveFirmware(table.reload);
  const done = (text: string) => {
    setOpened(undefined);
    setDeleting(undefined);
    notify('success', text);
    table.reload();
  };
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ image: undefined })}>
      {t('Add image')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Images')}
        columns={useImageColumns()}
        rowId={({ id }) => id}
        onOpen={(image) => setOpened({ image })}
        actions={useImageActions((image) => setOpened({ image }), setDeleting)}
        toolbar={add}
        emptyHint={t('No images yet. Add the file that the manufacturer gave you.')}
        csvPath={FIRMWARE_IMAGES_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && (
            <ImageDialog
              opened={opened.image}
              onSaved={() => done(t('Image saved.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: deleting.name })}
          text={t("The file is deleted from the server. Devices keep what they have installed. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeFirmwareImage(deleting)}
          onDone={() => done(t('Image deleted.'))}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function useImageActions(
  onEdit: (image: FirmwareImage) => void,
  onDelete: (image: FirmwareImage) => void,
): (image: FirmwareImage) => readonly RowAction[] {
  const { t } = useTranslation('Firmware');
  return (image) => {
    const { name, openTasks } = image;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => onEdit(image) },
      {
        icon: <Delete />,
        label: openTasks > 0 ? t('{{name}} is needed by tasks', { name }) : t('Delete {{name}}', { name }),
        inMenu: true,
        disabled: openTasks > 0,
        onClick: () => onDelete(image),
      },
    ];
  };
}
