import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Result from '@mui/icons-material/TableChartOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getReportSenders, listReportSchedules, removeReportSchedule } from '../../../../shared/api/reports/reports.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import { REPORT_SCHEDULES_PATH, type ReportSchedule } from '../../../../shared/protocol/api/reports/reports.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useLiveReports } from '../useLiveReports.ts';
import { useReportKinds } from '../useReportKinds.ts';
import type { ShownReportView } from '../useReportView.ts';
import { useScheduleColumns } from './scheduleColumns.tsx';
import { newSchedule, type ScheduleDraft } from './scheduleForm.ts';

const ScheduleDialog = lazyPart('ScheduleDialog', async () => (await import('./ScheduleDialog.tsx')).ScheduleDialog);

type Opened = { readonly schedule: ReportSchedule } | { readonly draft: ScheduleDraft };

/** The member's schedules: which report is made when, and who gets it by mail. */
export function SchedulesTab({ shown }: { readonly shown: ShownReportView }) {
  const { t } = useTranslation('ReportPage');
  const zone = useUserZone();
  const kinds = useReportKinds();
  const senders = useRecord({ key: ['report-senders'], load: getReportSenders, changedBy: ['sender'] });
  const [opened, setOpened] = useState<Opened>();
  const [deleting, setDeleting] = useState<ReportSchedule>();
  const table = useTable({
    name: 'report-schedules',
    load: listReportSchedules,
    sorting: { column: 'name', descending: false },
    changedBy: ['reportschedule'],
  });
  useLiveReports(table.reload);
  const done = (text: string) => {
    setOpened(undefined);
    setDeleting(undefined);
    notify('success', text);
    table.reload();
  };
  const actions = useScheduleActions({
    onEdit: (schedule) => setOpened({ schedule }),
    onResult: ({ lastJob }) => shown.show({ job: lastJob }),
    onDelete: setDeleting,
  });
  const isReady = kinds.isKnown && senders.value !== undefined;
  return (
    <>
      {senders.value?.length === 0 && (
        <Alert severity="info">
          {t('There is no email sender yet. An administrator adds one on the page Sender Setting.')}
        </Alert>
      )}
      <DataTable
        table={table}
        label={t('Schedules')}
        columns={useScheduleColumns()}
        rowId={({ id }) => id}
        onOpen={(schedule) => setOpened({ schedule })}
        actions={actions}
        toolbar={
          <Button
            variant="contained"
            size="small"
            startIcon={<Add />}
            disabled={!isReady}
            onClick={() => setOpened({ draft: newSchedule(kinds.list[0]?.kind ?? 'trips', zone, currentLocale()) })}
          >
            {t('Add schedule')}
          </Button>
        }
        emptyHint={t('No schedules yet. Add one, and a report is sent by email at its times.')}
        csvPath={REPORT_SCHEDULES_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && isReady && (
            <ScheduleDialog
              opened={opened}
              kinds={kinds.list}
              senders={senders.value ?? []}
              onSaved={() => done(t('Schedule saved.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <DeleteDialog
          schedule={deleting}
          onDone={() => done(t('Schedule deleted.'))}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly schedule: ReportSchedule;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ schedule, onDone, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('ReportPage');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: schedule.name })}
      text={t("The report isn't sent anymore. Results that were made stay for their 7 days. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => removeReportSchedule(schedule)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface ScheduleActions {
  readonly onEdit: (schedule: ReportSchedule) => void;
  readonly onResult: (schedule: ReportSchedule) => void;
  readonly onDelete: (schedule: ReportSchedule) => void;
}

function useScheduleActions(on: ScheduleActions): (schedule: ReportSchedule) => readonly RowAction[] {
  const { t } = useTranslation('ReportPage');
  return (schedule) => {
    const { name } = schedule;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => on.onEdit(schedule) },
      {
        icon: <Result />,
        label: t('Last result of {{name}}', { name }),
        inMenu: true,
        disabled: schedule.lastJob === 0,
        onClick: () => on.onResult(schedule),
      },
      { icon: <Delete />, label: t('Delete {{name}}', { name }), inMenu: true, onClick: () => on.onDelete(schedule) },
    ];
  };
}
