import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getNetflowHours } from '../../../../shared/api/netflow/netflow.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { NetflowDevice, NetflowHours } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { formatDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { UseChart } from '../usage/UseChart.tsx';
import { UseTable } from '../usage/UseTable.tsx';
import { totalOf, type UseStep } from '../usage/usedKinds.ts';
import { spanOfDay, stepsOfSpan, stepText } from '../usage/useSpan.ts';

export interface HoursDialogProps {
  readonly device: NetflowDevice;
  readonly onClose: () => void;
}

/** A day of one device, hour by hour. */
export function HoursDialog({ device, onClose }: HoursDialogProps) {
  const { t } = useTranslation(['Netflow', 'Common']);
  const zone = useUserZone();
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const [day, setDay] = useState(() => formatDay(Date.now(), zone));
  const { deviceid } = device;
  const hours = useRecord({
    key: ['netflow-hours', deviceid, day, zone],
    load: (signal) => getNetflowHours({ deviceid, day, timeZone: zone }, signal),
    keepsOther: true,
  });
  const steps = stepsOf(hours.value ?? [], day, zone);
  const label = t('Usage of {{day}} by hour', { day });
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="md" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{device.name === '' ? deviceid : device.name}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <Box sx={{ pt: 1 }}>
          {/* Without a day there is nothing to show: clearing it goes back to today. */}
          <FilterDay
            label={t('Day')}
            value={day}
            onChange={(next) => setDay(next === '' ? formatDay(Date.now(), zone) : next)}
          />
        </Box>
        {hours.failure !== undefined && <Alert severity="error">{errorText(hours.failure)}</Alert>}
        {hours.value !== undefined && hours.value.length === 0 && (
          <Box sx={{ color: 'text.secondary' }}>{t('No data was used on this day.')}</Box>
        )}
        {hours.value !== undefined && hours.value.length > 0 && (
          <>
            <FactList
              facts={[
                [t('Received from the device'), bytesText(sum(hours.value, 'received'))],
                [t('Sent to the device'), bytesText(sum(hours.value, 'sent'))],
              ]}
            />
            <UseChart steps={steps} label={label} />
            <UseTable steps={steps} label={label} stepTitle={t('Hour')} />
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Close', { ns: 'Common' })}</Button>
      </DialogActions>
    </Dialog>
  );
}

function stepsOf(hours: NetflowHours, day: string, zone: string): readonly UseStep[] {
  const known = new Map(hours.map((hour) => [Number(hour.fromMs), hour]));
  return stepsOfSpan(spanOfDay(day, zone), zone).map((atMs) => {
    const hour = known.get(atMs);
    return {
      atMs,
      label: stepText(atMs, 'hour', zone),
      kinds: hour === undefined ? [] : hour.received.map((bytes, at) => bytes + (hour.sent[at] ?? 0)),
    };
  });
}

function sum(hours: NetflowHours, way: 'received' | 'sent'): number {
  return hours.reduce((bytes, hour) => bytes + totalOf(hour[way]), 0);
}
