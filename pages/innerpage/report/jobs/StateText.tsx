import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import type { ReportJob } from '../../../../shared/protocol/api/reports/reports.ts';
import type { ReportFault, ReportState } from '../../../../shared/protocol/reports/reportWords.ts';

const COLORS: Readonly<Record<ReportState, 'default' | 'info' | 'success' | 'error' | 'warning'>> = {
  queued: 'default',
  running: 'info',
  done: 'success',
  failed: 'error',
  canceled: 'default',
  interrupted: 'warning',
};

export function useStateText(): (state: ReportState) => string {
  const { t } = useTranslation('ReportPage');
  const texts: Readonly<Record<ReportState, string>> = {
    queued: t('Queued'),
    running: t('Running'),
    done: t('Done'),
    failed: t('Failed'),
    canceled: t('Canceled'),
    interrupted: t('Interrupted'),
  };
  return (state) => texts[state];
}

export function useFaultText(): (fault: ReportFault) => string {
  const { t } = useTranslation('ReportPage');
  const texts: Readonly<Record<ReportFault, string>> = {
    '': '',
    'no-devices': t('None of the selected devices belong to your member group anymore.'),
    'disk-full': t('There is no room left for reports.'),
    'too-large': t('The report is too large. Select fewer devices or a shorter period.'),
    internal: t('The server could not finish the report. Your administrator finds the reason in the log.'),
    interrupted: t('The server was restarted before the report was done. Run it again.'),
  };
  return (fault) => texts[fault];
}

/** The state in words, with how far a running report has come. */
export function StateChip({ job }: { readonly job: Pick<ReportJob, 'state' | 'progress'> }) {
  const { t } = useTranslation('ReportPage');
  const text = useStateText()(job.state);
  if (job.state !== 'running') {
    return <Chip size="small" variant="outlined" color={COLORS[job.state]} label={text} />;
  }
  const percent = Math.round(job.progress * 100);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, width: '100%', height: '100%' }}>
      <LinearProgress
        variant="determinate"
        value={percent}
        aria-label={t('Progress of the report')}
        sx={{ flex: 1, minWidth: 40 }}
      />
      <Box component="span" sx={{ fontSize: 12, fontVariantNumeric: 'tabular-nums' }}>
        {`${percent} %`}
      </Box>
    </Box>
  );
}
