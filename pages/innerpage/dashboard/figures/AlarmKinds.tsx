import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { AlarmCount } from '../../../../shared/protocol/api/fleet.ts';
import { useAlarmText } from '../useAlarmText.ts';
import { CountBars } from './CountBars.tsx';
import { Empty } from './Empty.tsx';

export interface AlarmKindsProps {
  /** Most frequent first. */
  readonly alarms: readonly AlarmCount[];
  readonly onKind: (alarm: number) => void;
  readonly onShowActive: () => void;
}

/** Each kind leads to the devices that had it, the button below to those in alarm at this moment. */
export function AlarmKinds({ alarms, onKind, onShowActive }: AlarmKindsProps) {
  const { t } = useTranslation('Dashboard');
  const nameOf = useAlarmText();
  if (alarms.length === 0) return <Empty text={t('No new alarms in the last 24 hours.')} />;
  return (
    <>
      <CountBars
        bars={alarms.map(({ alarm, count }) => ({ key: String(alarm), name: nameOf(alarm), count }))}
        onPick={(key) => onKind(Number(key))}
      />
      <Button size="small" sx={{ alignSelf: 'flex-start' }} onClick={onShowActive}>
        {t('Show devices in alarm')}
      </Button>
    </>
  );
}
