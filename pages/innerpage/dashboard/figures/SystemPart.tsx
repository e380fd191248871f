import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import type { SystemFigures } from '../../../../shared/protocol/api/fleet.ts';
import { formatDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bitRateText, bytesText, daysNumber, percentText } from './figureTexts.ts';
import { Part } from './Part.tsx';
import { PolledPart } from './PolledPart.tsx';
import { useSystemFigures } from './useFigures.ts';

/** Machine and licence, for those who run the installation. */
export function SystemPart() {
  const { t } = useTranslation('Dashboard');
  const system = useSystemFigures();
  return (
    <>
      <Part title={t('Recordings and disk')}>
        <PolledPart figures={system}>{({ disk }) => <Disk disk={disk} />}</PolledPart>
      </Part>
      <Part title={t('Server')}>
        <PolledPart figures={system}>{(figures) => <Machine system={figures} />}</PolledPart>
      </Part>
    </>
  );
}

function Disk({ disk }: { readonly disk: SystemFigures['disk'] }) {
  const { t } = useTranslation('Dashboard');
  const usedShare = disk.totalBytes > 0 ? 1 - disk.freeBytes / disk.totalBytes : 0;
  const days = (value: number | null): string =>
    value === null ? '–' : t('{{days}} days', { days: daysNumber(value) });
  return (
    <>
      {disk.state !== 'ok' && <DiskAlert state={disk.state} />}
      <Gauge name={t('Disk usage')} share={usedShare} text={t('Free: {{size}}', { size: bytesText(disk.freeBytes) })} />
      <Facts
        facts={[
          [t('Recordings'), bytesText(disk.recordedBytes)],
          [t('Written per day'), bytesText(disk.bytesPerDay)],
          [t('Storage lasts'), days(disk.daysOfRoom)],
          [t('Overwriting starts in'), days(disk.daysUntilFull)],
        ]}
      />
    </>
  );
}

function DiskAlert({ state }: { readonly state: Exclude<SystemFigures['disk']['state'], 'ok'> }) {
  const { t } = useTranslation('Dashboard');
  const texts = {
    low: t(
      'The recording disk is nearly full, and no recordings are left to delete. Release evidence or free up space.',
    ),
    full: t('Recording disk full. Recording has stopped.'),
    gone: t('Recording disk not found. Recording has stopped.'),
    failing: t('Recording disk failing. Recording has stopped.'),
    'read-only': t("Can't write to the recording disk. Recording has stopped."),
  };
  return <Alert severity={state === 'low' ? 'warning' : 'error'}>{texts[state]}</Alert>;
}

function Machine({ system: { cpu, memory, relay, licence, version } }: { readonly system: SystemFigures }) {
  const { t } = useTranslation('Dashboard');
  const zone = useUserZone();
  const devices = licence.devices === 0 ? t('unlimited') : String(licence.devices);
  return (
    <>
      <Gauge
        name={t('Processor')}
        share={cpu.machineShare}
        text={t('Fleetglass: {{value}}', { value: percentText(cpu.gatewayShare) })}
      />
      <Gauge
        name={t('Memory')}
        share={memory.machineTotalBytes > 0 ? memory.machineUsedBytes / memory.machineTotalBytes : 0}
        text={t('Fleetglass: {{value}}', { value: bytesText(memory.gatewayBytes) })}
      />
      <Facts
        facts={[
          [
            t('Live video in'),
            `${bitRateText(relay.inBytesPerSecond)} · ${t('Channels: {{number}}', { number: relay.channels })}`,
          ],
          [
            t('Live video out'),
            `${bitRateText(relay.outBytesPerSecond)} · ${t('Viewers: {{number}}', { number: relay.viewers })}`,
          ],
          [t('Licensed devices'), `${licence.usedDevices} / ${devices}`],
          [t('License expires'), licence.expiresAtMs === 0 ? t('Never') : formatDay(licence.expiresAtMs, zone)],
          [t('Version'), version],
        ]}
      />
    </>
  );
}

function Gauge({ name, share, text }: { readonly name: string; readonly share: number; readonly text: string }) {
  return (
    <Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 13, mb: 0.5 }}>
        <span>{`${name} ${percentText(share)}`}</span>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {text}
        </Box>
      </Box>
      <LinearProgress
        variant="determinate"
        aria-label={name}
        value={Math.min(100, share * 100)}
        color={share > 0.9 ? 'error' : 'primary'}
        sx={{ height: 8, borderRadius: 1 }}
      />
    </Box>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <Box component="dl" sx={{ m: 0, fontSize: 13.5, display: 'flex', flexDirection: 'column', gap: 0.25 }}>
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
