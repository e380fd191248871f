import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { type DeviceChoices, useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { imageOption } from '../form/useImageOptions.ts';
import { TaskStateChip } from '../tasks/TaskStateChip.tsx';
import { useIgnitionTexts, useTaskReasonText } from '../words/taskTexts.ts';
import { type Fact, useTargetFacts } from './targetFacts.ts';

/** What a task installs on which devices, who approved it, and what it waits for. */
export function TaskFacts({ task }: { readonly task: FirmwareTask }) {
  const { t } = useTranslation('Firmware');
  const reason = useTaskReasonText()(task.reason);
  const isNamed = [task.devices, task.deviceGroups, task.canaries].some((ids) => ids.length > 0);
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1, minWidth: 0, flexShrink: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" sx={{ fontSize: 18, fontWeight: 650, overflowWrap: 'anywhere' }}>
          {task.name}
        </Typography>
        <TaskStateChip state={task.state} />
      </Box>
      {reason !== '' && <Alert severity="warning">{reason}</Alert>}
      {task.state === 'draft' && !task.mayApprove && (
        <Alert severity="info">
          {t('Another member with permission for this page approves the task. You made or changed it.')}
        </Alert>
      )}
      {isNamed ? <NamedFacts task={task} /> : <Facts task={task} choices={NO_CHOICES} />}
    </Box>
  );
}

const NO_CHOICES: DeviceChoices = { devices: [], groups: [] };

/** Asks for the names of devices and groups: with thousands of devices that isn't free while they report. */
function NamedFacts({ task }: { readonly task: FirmwareTask }) {
  return <Facts task={task} choices={useDeviceChoices()} />;
}

interface FactsProps {
  readonly task: FirmwareTask;
  readonly choices: DeviceChoices;
}

function Facts({ task, choices }: FactsProps) {
  const { t } = useTranslation('Firmware');
  const { imageName, firmwareVersion, image } = task;
  const facts: readonly Fact[] = [
    [t('Image'), imageOption({ id: image, name: imageName, firmwareVersion }).label],
    ...useMoments(task),
    ...useTargetFacts(task, choices),
    [t('Conditions'), useConditionsText()(task)],
  ];
  return <FactList facts={facts} />;
}

function useMoments(task: FirmwareTask): readonly Fact[] {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const by = (atMs: number, member: string) =>
    atMs === 0 ? '' : t('{{time}} by {{member}}', { time: formatTimestamp(atMs, zone), member });
  const at = (atMs: number) => (atMs === 0 ? '' : formatTimestamp(atMs, zone));
  return [
    [t('Created'), by(task.createdAtMs, task.createdBy)],
    [t('Approval'), by(task.approvedAtMs, task.approvedBy) || t('Not yet')],
    [t('Started'), at(task.startedAtMs)],
    [t('Ended'), at(task.endedAtMs)],
  ];
}

/** Hours, days and conditions in a line. */
function useConditionsText(): (task: FirmwareTask) => string {
  const { t } = useTranslation('Firmware');
  const scheduleText = useScheduleText();
  const ignition = useIgnitionTexts();
  return (task) =>
    [
      scheduleText(task.window),
      task.fromDay !== '' && t('from {{day}}', { day: task.fromDay }),
      task.toDay !== '' && t('until {{day}}', { day: task.toDay }),
      task.parkedMinutes > 0 && t('parked for {{minutes}} min', { minutes: task.parkedMinutes }),
      task.ignition !== 'any' && t('ignition: {{state}}', { state: ignition[task.ignition] }),
      task.unwatched && t('video not watched'),
      task.minimumSignal > 0 && t('signal from {{signal}}', { signal: task.minimumSignal }),
      task.needsPlan && t('data plan sufficient'),
    ]
      .filter((text) => text !== false && text !== '')
      .join(' · ');
}
