import ArrowBack from '@mui/icons-material/ArrowBack';
import Print from '@mui/icons-material/LocalPrintshopOutlined';
import Replay from '@mui/icons-material/ReplayOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { getReportJob, runReportAgain, startReportFile } from '../../../../shared/api/reports/reports.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import type { ReportFormat, ReportJob } from '../../../../shared/protocol/api/reports/reports.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { zoneLabel } from '../../../../shared/time/zones.ts';
import { DownloadButton } from '../../../../shared/ui/files/DownloadButton.tsx';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { pageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { StateChip, useFaultText, useStateText } from '../jobs/StateText.tsx';
import { spanText } from '../periodText.ts';
import { viewOfQuery } from '../reportAddress.ts';
import { useLiveReports } from '../useLiveReports.ts';
import { useReportKinds } from '../useReportKinds.ts';
import type { ShownReportView } from '../useReportView.ts';
import { ResultTable } from './ResultTable.tsx';

export interface ResultViewProps {
  readonly number: number;
  readonly shown: ShownReportView;
}

/** One report: how far it has come, and its rows once it is done. The page's address leads back to it. */
export function ResultView({ number, shown }: ResultViewProps) {
  const { t } = useTranslation('ReportPage');
  const {
    value: job,
    failure,
    reload,
  } = useRecord({
    key: ['report-job', number],
    load: (signal) => getReportJob(number, signal),
  });
  const kinds = useReportKinds();
  useLiveReports(reload);
  const again = async (before: ReportJob) => {
    const result = await runReportAgain(before.id);
    if (!result.ok) notifyFailure(result);
    // Whoever has gone back to all reports meanwhile stays there.
    else if (viewOfQuery(pageQuery()).job === before.id) shown.show({ job: result.value.id });
  };
  const text = failure && errorText(failure);
  return (
    <Box sx={VIEW}>
      <Box sx={{ ...TOOLS, displayPrint: 'none' }}>
        <Button size="small" startIcon={<ArrowBack />} onClick={() => shown.show({ tab: 'reports', job: undefined })}>
          {t('All reports')}
        </Button>
        <Box sx={{ flex: 1 }} />
        {job !== undefined && isClosed(job) && (
          <Button size="small" startIcon={<Replay />} onClick={() => void again(job)}>
            {t('Run again')}
          </Button>
        )}
        {job?.state === 'done' && <Files job={job} />}
      </Box>
      {text !== undefined && <Alert severity="error">{text}</Alert>}
      {job === undefined && text === undefined && <Waiting />}
      {job !== undefined && <JobFacts job={job} />}
      {job?.state === 'done' && kinds.isKnown && (
        <ResultTable job={job} info={kinds.list.find(({ kind }) => kind === job.kind)} />
      )}
    </Box>
  );
}

function isClosed({ state }: ReportJob): boolean {
  return state !== 'queued' && state !== 'running';
}

function Files({ job }: { readonly job: ReportJob }) {
  const { t } = useTranslation(['ReportPage', 'Table']);
  const timeZone = useUserZone();
  const file = (format: ReportFormat) => () =>
    startReportFile({ job: job.id, format, language: currentLocale(), timeZone });
  return (
    <>
      <DownloadButton label={t('Export CSV', { ns: 'Table' })} request={file('csv')} />
      <DownloadButton label={t('Export Excel')} request={file('xlsx')} />
      <Button size="small" startIcon={<Print />} onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </>
  );
}

function JobFacts({ job }: { readonly job: ReportJob }) {
  const { t } = useTranslation('ReportPage');
  const zone = useUserZone();
  const stateText = useStateText();
  const faultText = useFaultText();
  const { timeZone } = job.parameters;
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography component="h2" sx={{ fontSize: 18, fontWeight: 650 }}>
        {reportKindText(job.kind)}
      </Typography>
      <FactList
        facts={[
          [t('Period'), `${spanText(job)}, ${zoneLabel(timeZone, job.fromMs)}`],
          [t('Status'), isClosed(job) ? stateText(job.state) : ''],
          [t('Created'), formatTimestamp(job.createdAtMs, zone)],
          [t('Kept until'), job.expiresAtMs === 0 ? '' : formatTimestamp(job.expiresAtMs, zone)],
        ]}
      />
      {!isClosed(job) && (
        <Box role="status" sx={{ maxWidth: 360, height: 24 }}>
          <StateChip job={job} />
        </Box>
      )}
      {job.fault !== '' && <Alert severity="warning">{faultText(job.fault)}</Alert>}
      {job.isCut && (
        <Alert severity="info">{t('There were more rows than a report can have. The rest was left out.')}</Alert>
      )}
    </Box>
  );
}

const VIEW = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, gap: 1.5 } as const;
const TOOLS = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 } as const;
