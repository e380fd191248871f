import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { useTaskStateText } from '../words/taskTexts.ts';
import { StageSummary } from './StageSummary.tsx';
import { stageCounts } from './stageCounts.ts';
import { TaskStateChip } from './TaskStateChip.tsx';
import { useStageTexts } from './useStageTexts.ts';

export function useTaskColumns(): readonly Column<FirmwareTask>[] {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const stateText = useTaskStateText();
  const { stageName, countsText } = useStageTexts();
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 150 },
    {
      name: 'image',
      title: t('Image'),
      text: ({ imageName, firmwareVersion }) => `${imageName} · ${firmwareVersion}`,
      minWidth: 150,
    },
    {
      name: 'state',
      title: t('Status'),
      text: ({ state }) => stateText(state),
      render: ({ state }) => <TaskStateChip state={state} />,
      width: 120,
    },
    {
      name: 'stages',
      title: t('Stages'),
      text: (task) =>
        stageCounts(task)
          .map((stage) => `${stageName(stage)}: ${countsText(stage)}`)
          .join('; '),
      render: (task) => <StageSummary task={task} />,
      minWidth: 280,
    },
    {
      name: 'createdAtMs',
      title: t('Created'),
      text: ({ createdAtMs }) => formatTimestamp(createdAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    { name: 'createdBy', title: t('Created by'), text: ({ createdBy }) => createdBy, width: 120, hiddenAtFirst: true },
    { name: 'approvedBy', title: t('Approved by'), text: ({ approvedBy }) => approvedBy, width: 135 },
  ];
}
