import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import type { FirmwareDevice, FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { partOfState, type StagePart, stageCounts } from '../tasks/stageCounts.ts';
import { useStageTexts } from '../tasks/useStageTexts.ts';
import { deviceText, useCauseText, useDeviceStateText } from '../words/deviceTexts.ts';
import { useMethodTexts } from '../words/imageTexts.ts';

const COLORS: Readonly<Record<StagePart, 'default' | 'info' | 'success' | 'error'>> = {
  done: 'success',
  active: 'info',
  waiting: 'default',
  failed: 'error',
  ended: 'default',
};

export function useDeviceColumns(task: FirmwareTask): readonly Column<FirmwareDevice>[] {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const stateText = useDeviceStateText();
  const causeText = useCauseText();
  const methods = useMethodTexts();
  const { stageName } = useStageTexts();
  const stages = stageCounts(task);
  const hiddenAtFirst = true;
  return [
    { name: 'name', title: t('Device'), text: deviceText, sortable: true, minWidth: 200 },
    {
      name: 'stage',
      title: t('Stage'),
      text: ({ stage }) => {
        const found = stages[stage];
        return found === undefined ? String(stage + 1) : stageName(found);
      },
      sortable: true,
      width: 145,
    },
    {
      name: 'state',
      title: t('Status'),
      text: ({ state }) => stateText(state),
      render: ({ state }) => (
        <Chip size="small" variant="outlined" color={COLORS[partOfState(state)]} label={stateText(state)} />
      ),
      sortable: true,
      width: 120,
    },
    { name: 'cause', title: t('Cause'), text: causeText, minWidth: 250 },
    {
      name: 'sentBytes',
      title: t('Sent'),
      text: sentText,
      render: (device) => <SentBar device={device} />,
      width: 150,
    },
    {
      name: 'attempts',
      title: t('Attempts'),
      text: ({ attempts }) => String(attempts),
      width: 100,
      align: 'right',
      hiddenAtFirst,
    },
    { name: 'versionBefore', title: t('Version before'), text: ({ versionBefore }) => versionBefore, width: 140 },
    { name: 'versionAfter', title: t('Version after'), text: ({ versionAfter }) => versionAfter, width: 130 },
    { name: 'model', title: t('Model'), text: ({ model }) => model, width: 130, hiddenAtFirst },
    { name: 'method', title: t('Method'), text: ({ method }) => methods[method], width: 180, hiddenAtFirst },
    {
      name: 'changedAtMs',
      title: t('Last change'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
  ];
}

function sentText({ sentBytes, totalBytes }: FirmwareDevice): string {
  return totalBytes === 0 || sentBytes === 0 ? '' : `${bytesText(sentBytes)} / ${bytesText(totalBytes)}`;
}

function SentBar({ device }: { readonly device: FirmwareDevice }) {
  const { t } = useTranslation('Firmware');
  const text = sentText(device);
  if (text === '') return null;
  return (
    <Box sx={SENT}>
      <LinearProgress
        variant="determinate"
        value={Math.min(100, (device.sentBytes / device.totalBytes) * 100)}
        aria-label={t('Sent to {{name}}', { name: device.name || device.deviceid })}
      />
      <Box component="span" sx={{ fontSize: 11, fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Box>
    </Box>
  );
}

const SENT = {
  width: '100%',
  height: '100%',
  // In a card of a phone the row's height is that of its content.
  minHeight: 32,
  display: 'grid',
  alignContent: 'center',
  gap: 0.25,
  lineHeight: 1.2,
} as const;
