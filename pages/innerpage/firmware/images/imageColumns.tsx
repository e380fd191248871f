import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { usePartTexts } from '../words/imageTexts.ts';

export function useImageColumns(): readonly Column<FirmwareImage>[] {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const parts = usePartTexts();
  const hiddenAtFirst = true;
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 160 },
    {
      name: 'firmwareVersion',
      title: t('Version'),
      text: ({ firmwareVersion }) => firmwareVersion,
      sortable: true,
      minWidth: 120,
    },
    { name: 'models', title: t('Models'), text: ({ models }) => listText(models), minWidth: 160 },
    { name: 'part', title: t('Part'), text: ({ part }) => parts[part], width: 130, hiddenAtFirst },
    {
      name: 'bytes',
      title: t('Size'),
      text: ({ bytes }) => bytesText(bytes),
      sortable: true,
      width: 100,
      align: 'right',
    },
    {
      name: 'openTasks',
      title: t('Open tasks'),
      text: ({ openTasks }) => String(openTasks),
      width: 110,
      align: 'right',
    },
    {
      name: 'addedAtMs',
      title: t('Added'),
      text: ({ addedAtMs }) => formatTimestamp(addedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    { name: 'addedBy', title: t('Added by'), text: ({ addedBy }) => addedBy, width: 130, hiddenAtFirst },
    { name: 'sha256', title: 'SHA-256', text: ({ sha256 }) => sha256, minWidth: 200, hiddenAtFirst },
    { name: 'notes', title: t('Notes'), text: ({ notes }) => notes, minWidth: 160, hiddenAtFirst },
  ];
}
