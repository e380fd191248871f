import Button from '@mui/material/Button';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';
import type { AlarmCount } from '../../../../shared/protocol/api/dashboard.ts';
import { Empty } from './Empty.tsx';
import { useAlarmText } from './useAlarmText.ts';

const SHOWN = 10;
const BAR_PIXELS = 30;

export interface AlarmKindsProps {
  /** Most frequent first. */
  readonly alarms: readonly AlarmCount[];
  readonly onShow: () => void;
}

export function AlarmKinds({ alarms, onShow }: AlarmKindsProps) {
  const { t } = useTranslation('Dashboard');
  const nameOf = useAlarmText();
  const shown = alarms.slice(0, SHOWN);
  if (shown.length === 0) return <Empty text={t('No alarm began in the last 24 hours.')} />;
  return (
    <>
      <BarChart
        layout="horizontal"
        height={shown.length * BAR_PIXELS + 40}
        aria-label={t('Alarms of the last 24 hours, by kind')}
        skipAnimation
        hideLegend
        margin={{ left: 0, right: 16, top: 4, bottom: 0 }}
        yAxis={[
          {
            scaleType: 'band',
            data: shown.map(({ alarm }) => nameOf(alarm)),
            width: 170,
            tickLabelStyle: { fontSize: 12 },
          },
        ]}
        xAxis={[{ tickMinStep: 1 }]}
        series={[{ data: shown.map(({ count }) => count), label: t('Alarms'), color: '#d32f2f' }]}
      />
      <Button size="small" sx={{ alignSelf: 'flex-start' }} onClick={onShow}>
        {t('Devices in alarm now')}
      </Button>
    </>
  );
}
