import Add from '@mui/icons-material/AddOutlined';
import Cancel from '@mui/icons-material/CancelOutlined';
import Replay from '@mui/icons-material/ReplayOutlined';
import OpenInNew from '@mui/icons-material/TableChartOutlined';
import Button from '@mui/material/Button';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelReport, listReportJobs, runReportAgain } from '../../../../shared/api/reports/reports.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import { REPORT_JOBS_PATH, type ReportJob } from '../../../../shared/protocol/api/reports/reports.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useLiveReports } from '../useLiveReports.ts';
import { useReportKinds } from '../useReportKinds.ts';
import type { ShownReportView } from '../useReportView.ts';
import { JobFilters, NO_FILTER } from './JobFilters.tsx';
import { useJobColumns } from './jobColumns.tsx';

const ReportDialog = lazyPart('ReportDialog', async () => (await import('../form/ReportDialog.tsx')).ReportDialog);

/** The member's reports, the newest first. */
export function JobsTab({ shown }: { readonly shown: ShownReportView }) {
  const { t } = useTranslation('ReportPage');
  const kinds = useReportKinds();
  const [filter, setFilter] = useState(NO_FILTER);
  const [isAsking, setAsking] = useState(false);
  const filters = useMemo(() => ({ kind: filter.kind, state: filter.state }), [filter]);
  const table = useTable({
    name: 'report-jobs',
    load: listReportJobs,
    sorting: { column: 'createdAtMs', descending: true },
    filters,
    // The list has no search.
    search: '',
  });
  useLiveReports(table.reload);
  const act = async (call: () => ReturnType<typeof cancelReport>, done: string) => {
    const result = await call();
    if (result.ok) notify('success', done);
    else notifyFailure(result);
    table.reload();
  };
  const actions = useJobActions({
    onOpen: ({ id }) => shown.show({ job: id }),
    onCancel: ({ id }) => void act(() => cancelReport(id), t('Report canceled.')),
    onAgain: ({ id }) => void act(() => runReportAgain(id), t('Report requested.')),
  });
  return (
    <>
      {kinds.failure !== undefined && (
        <TableFailure failure={kinds.failure} hasRows={kinds.isKnown} onRetry={kinds.reload} />
      )}
      <DataTable
        table={table}
        label={t('Reports')}
        columns={useJobColumns()}
        rowId={({ id }) => id}
        onOpen={({ id }) => shown.show({ job: id })}
        actions={actions}
        filters={<JobFilters filter={filter} kinds={kinds.list} onChange={setFilter} />}
        onClearFilters={() => setFilter(NO_FILTER)}
        toolbar={
          <Button
            variant="contained"
            size="small"
            startIcon={<Add />}
            disabled={!kinds.isKnown}
            onClick={() => setAsking(true)}
          >
            {t('New report')}
          </Button>
        }
        emptyHint={t('No reports yet. Results are kept for 7 days.')}
        csvPath={REPORT_JOBS_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {isAsking && (
            <ReportDialog
              kinds={kinds.list}
              onRequested={() => {
                setAsking(false);
                notify('success', t('Report requested.'));
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

interface JobActions {
  readonly onOpen: (job: ReportJob) => void;
  readonly onCancel: (job: ReportJob) => void;
  readonly onAgain: (job: ReportJob) => void;
}

function useJobActions(on: JobActions): (job: ReportJob) => readonly RowAction[] {
  const { t } = useTranslation('ReportPage');
  return (job) => {
    const name = `${reportKindText(job.kind)} #${job.id}`;
    const isOpen = job.state === 'queued' || job.state === 'running';
    return [
      { icon: <OpenInNew />, label: t('Open {{name}}', { name }), onClick: () => on.onOpen(job) },
      isOpen
        ? { icon: <Cancel />, label: t('Cancel {{name}}', { name }), onClick: () => on.onCancel(job) }
        : { icon: <Replay />, label: t('Run {{name}} again', { name }), onClick: () => on.onAgain(job) },
    ];
  };
}
