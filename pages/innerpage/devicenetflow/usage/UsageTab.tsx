import Box from '@mui/material/Box';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getNetflowUse, startNetflowFile } from '../../../../shared/api/netflow/netflow.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import type { NetflowUse } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { DownloadButton } from '../../../../shared/ui/files/DownloadButton.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { DeviceUsage } from '../device/DeviceUsage.tsx';
import { USE_RANGES, type UseRange } from '../netflowAddress.ts';
import { useLiveNetflow } from '../useLiveNetflow.ts';
import type { ShownNetflowView } from '../useNetflowView.ts';
import { TopDevices } from './TopDevices.tsx';
import { UsageTools, type UseLook } from './UsageTools.tsx';
import { spanOfRange, stepsOfSpan, stepText, type UseSpan } from './useSpan.ts';

const UseChart = lazyPart('UseChart', async () => (await import('./UseChart.tsx')).UseChart);
const UseTable = lazyPart('UseTable', async () => (await import('./UseTable.tsx')).UseTable);

/** The usage over time, and below it by device. */
export function UsageTab({ shown }: { readonly shown: ShownNetflowView }) {
  const { t } = useTranslation(['Netflow', 'Table']);
  const zone = useUserZone();
  const [look, setLook] = useState<UseLook>('chart');
  const names = useRangeNames();
  const { range, group } = shown;
  // The span is computed at the moment of the request: the range moves on with the day.
  const span = () => spanOfRange(range, Date.now(), zone);
  const use = useRecord({
    key: ['netflow-use', range, group, zone],
    load: (signal) => getNetflowUse({ ...span(), timeZone: zone, ...(group === '' ? {} : { group }) }, signal),
    keepsOther: true,
  });
  useLiveNetflow(use.reload);
  const file = (format: 'csv' | 'xlsx') => () => startNetflowFile({ format, language: currentLocale() });
  return (
    <>
      <UsageTools
        range={range}
        ranges={USE_RANGES.map((value) => ({ value, label: names[value] }))}
        look={look}
        total={use.value === undefined ? '' : bytesText(sumOf(use.value))}
        onRange={(next) => shown.show({ range: next })}
        onLook={setLook}
      >
        <DownloadButton label={t('Export CSV', { ns: 'Table' })} request={file('csv')} />
        <DownloadButton label={t('Export Excel')} request={file('xlsx')} />
      </UsageTools>
      {use.failure !== undefined && (
        <TableFailure failure={use.failure} hasRows={use.value !== undefined} onRetry={use.reload} />
      )}
      {use.value !== undefined && (
        <Box sx={OVER_TIME}>
          <Box sx={{ minWidth: 0 }}>
            <ChunkBoundary>
              <Suspense fallback={<Box sx={{ height: 230 }} />}>
                <UseOverTime use={use.value} span={span()} look={look} label={names[range]} />
              </Suspense>
            </ChunkBoundary>
          </Box>
          {use.value.top.length > 0 && <TopDevices top={use.value.top} />}
        </Box>
      )}
      <DeviceUsage shown={shown} />
    </>
  );
}

interface UseOverTimeProps {
  readonly use: NetflowUse;
  readonly span: UseSpan;
  readonly look: UseLook;
  readonly label: string;
}

function UseOverTime({ use, span, look, label }: UseOverTimeProps) {
  const { t } = useTranslation('Netflow');
  const zone = useUserZone();
  const known = new Map(use.steps.map(({ fromMs, kinds }) => [Number(fromMs), kinds]));
  const steps = stepsOfSpan(span, zone).map((atMs) => ({
    atMs,
    label: stepText(atMs, span.step, zone),
    kinds: known.get(atMs) ?? [],
  }));
  const title = t('Usage by kind: {{range}}', { range: label });
  return look === 'chart' ? (
    <UseChart steps={steps} label={title} />
  ) : (
    <UseTable steps={steps} label={title} stepTitle={t('Time')} />
  );
}

function sumOf({ steps }: NetflowUse): number {
  return steps.flatMap(({ kinds }) => kinds).reduce((sum, bytes) => sum + bytes, 0);
}

function useRangeNames(): Readonly<Record<UseRange, string>> {
  const { t } = useTranslation('Netflow');
  return { day: t('Today'), month: t('This month'), 'last-month': t('Last month'), year: t('12 months') };
}

const OVER_TIME = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
  columnGap: 2,
  rowGap: 1,
  flexShrink: 0,
} as const;
