import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import type { ListPage, ListQuery } from '../../../../shared/api/list.ts';
import { getReportChart, getReportResult } from '../../../../shared/api/reports/reports.ts';
import type { ReportJob, ReportKindInfo, ReportRow } from '../../../../shared/protocol/api/reports/reports.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useCellTexts, useResultColumns } from './resultColumns.tsx';

const ResultChart = lazyPart('ResultChart', async () => (await import('./ResultChart.tsx')).ResultChart);

export interface ResultTableProps {
  readonly job: ReportJob;
  /** Undefined: the kind isn't known any more, or the member may not ask for it. */
  readonly info: ReportKindInfo | undefined;
}

/** The rows of a report that is done, and their sums as a chart. */
export function ResultTable({ job, info }: ResultTableProps) {
  const { t } = useTranslation('ReportPage');
  const [hidden, setHidden] = useState(0);
  const scope = useMemo(() => ({ job: job.id }), [job.id]);
  const load = async (query: ListQuery, signal: AbortSignal): Promise<ApiResult<ListPage<ReportRow>>> => {
    const { place, limit, sort, descending, search } = query;
    const asked = { job: job.id, limit, sort, descending, search };
    const result = await getReportResult(
      'offset' in place || 'start' in place ? asked : { ...asked, ...place },
      signal,
    );
    if (!result.ok) return result;
    const { total, rows, next, previous } = result.value;
    setHidden(result.value.hidden);
    return { ok: true, value: { total, hasMoreThanTotal: false, rows, next, previous } };
  };
  const table = useTable({ name: `report-${job.kind}`, load, scope });
  const columns = useResultColumns(info);
  return (
    <>
      {hidden > 0 && (
        <Alert severity="info">
          {t('Rows of devices that you no longer have access to are hidden: {{number}}', { number: hidden })}
        </Alert>
      )}
      {info !== undefined && info.chart !== null && <Chart job={job} info={info} chart={info.chart} />}
      <DataTable
        table={table}
        label={t('Rows of the report')}
        columns={columns}
        rowId={({ row }) => row}
        emptyHint={t('Nothing was found in this period.')}
        hasTimes={info?.columns.some(({ type }) => type === 'time') === true}
      />
    </>
  );
}

interface ChartProps {
  readonly job: ReportJob;
  readonly info: ReportKindInfo;
  readonly chart: NonNullable<ReportKindInfo['chart']>;
}

function Chart({ job, info, chart }: ChartProps) {
  const texts = useCellTexts();
  const { value } = useRecord({
    key: ['report-chart', job.id],
    load: (signal) => getReportChart(job.id, signal),
  });
  const by = info.columns.find(({ name }) => name === chart.by);
  const amount = info.columns.find(({ name }) => name === chart.value);
  if (value === undefined || value.length === 0 || by === undefined || amount === undefined) return null;
  return (
    <ChunkBoundary>
      <Suspense fallback={<Box sx={{ height: 220, flexShrink: 0 }} />}>
        <ResultChart chart={value} by={by} value={amount} texts={texts} />
      </Suspense>
    </ChunkBoundary>
  );
}
