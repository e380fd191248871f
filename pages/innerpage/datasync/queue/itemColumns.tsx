import { useTranslation } from 'react-i18next';
import { syncMethodText, syncStreamText } from '../../../../shared/i18n/syncText.ts';
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { formatClock, formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { ItemState, itemStateText } from './ItemState.tsx';

/** A device's clock that differs by less isn't worth saying. */
const SAME_CLOCK_MS = 2_000;

export function itemName({ name, deviceid, channel }: Pick<SyncItem, 'name' | 'deviceid' | 'channel'>): string {
  return `${name === '' ? deviceid : name} · ${channel}`;
}

export function useItemColumns(): readonly Column<SyncItem>[] {
  const { t } = useTranslation('Datasync');
  const zone = useUserZone();
  const hiddenAtFirst = true;
  const span = (fromMs: number, toMs: number) => `${formatTimestamp(fromMs, zone)} – ${formatClock(toMs, zone)}`;
  return [
    { name: 'device', title: t('Device and channel'), text: itemName, minWidth: 170 },
    {
      name: 'fromMs',
      title: t('Recording'),
      text: ({ fromMs, toMs }) => span(fromMs, toMs),
      sortable: true,
      width: 265,
    },
    {
      name: 'deviceTime',
      title: t("Device's clock"),
      text: ({ fromMs, deviceFromMs, deviceToMs }) =>
        Math.abs(fromMs - deviceFromMs) < SAME_CLOCK_MS ? '' : span(deviceFromMs, deviceToMs),
      width: 265,
      hiddenAtFirst,
    },
    {
      name: 'state',
      title: t('Status'),
      text: itemStateText,
      render: (item) => <ItemState item={item} />,
      minWidth: 210,
    },
    {
      name: 'bytes',
      title: t('Received'),
      text: ({ receivedBytes }) => bytesText(receivedBytes),
      width: 100,
      align: 'right',
    },
    {
      name: 'rate',
      title: t('Rate'),
      text: ({ bytesPerSecond }) => (bytesPerSecond === 0 ? '' : `${bytesText(bytesPerSecond)}/s`),
      width: 105,
      align: 'right',
    },
    {
      name: 'by',
      title: t('Requested by'),
      text: ({ rule, ruleName, requestedBy, event }) => {
        if (requestedBy !== '') return requestedBy;
        if (event !== 0) return t('Event {{number}}', { number: event });
        return rule === 0 ? '' : t('Rule {{name}}', { name: ruleName });
      },
      minWidth: 140,
    },
    {
      name: 'method',
      title: t('Method'),
      text: ({ method, attempts }) => (attempts === 0 ? '' : syncMethodText(method)),
      width: 170,
      hiddenAtFirst,
    },
    { name: 'stream', title: t('Stream'), text: ({ stream }) => syncStreamText(stream), width: 150, hiddenAtFirst },
    {
      name: 'attempts',
      title: t('Attempts'),
      text: ({ attempts }) => String(attempts),
      width: 100,
      align: 'right',
      hiddenAtFirst,
    },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
      hiddenAtFirst,
    },
  ];
}
