// Installation settings that belong to other pages: shown beside the installation's presets, and set on those pages.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getSettingsElsewhere, resetRecording } from '../../../../shared/api/version/settings.ts';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { SettingsElsewhere } from '../../../../shared/protocol/api/system/settings.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { innerPageLink } from '../../../../shared/ui/frame/innerPageLink.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { usePermission } from '../../../../shared/ui/session.ts';

/** Shows nothing until the values are known: the settings above are useful without them. */
export function Elsewhere() {
  const { t } = useTranslation('Version');
  const { value, reload } = useRecord({
    key: ['settings elsewhere'],
    load: getSettingsElsewhere,
    changedBy: ['setting'],
  });
  if (value === undefined) return null;
  return (
    <Section title={t('Set on other pages')} level="h2">
      <Recording recording={value.recording} onReset={reload} />
      <Row
        name={t('Two-factor authentication for everybody')}
        value={value.secondFactorForAll ? t('On') : t('Off')}
        page={{ src: '/innerpage/membership.html', label: t('Open Account') }}
        permission={Permission.Member}
      />
    </Section>
  );
}

interface RecordingProps {
  readonly recording: SettingsElsewhere['recording'];
  readonly onReset: () => void;
}

function Recording({ recording: { own, preset, version }, onReset }: RecordingProps) {
  const { t } = useTranslation('Version');
  const textOf = usePolicyText();
  const isMine = usePermission(Permission.DeviceGroup);
  const presetText = textOf(preset);
  const reset = async () => {
    const done = await resetRecording(version);
    if (done.ok) notify('success', t('Settings saved.'));
    else notifyFailure(done);
    onReset();
  };
  return (
    <Row
      name={t('Default recording')}
      value={textOf(own ?? preset)}
      hint={
        own === null
          ? t('Preset in use: {{preset}}', { preset: presetText })
          : t('Set here. Preset: {{preset}}', { preset: presetText })
      }
      page={{ src: '/innerpage/devicegroup.html', label: t('Open Device Group') }}
      permission={Permission.DeviceGroup}
    >
      {own !== null && isMine && (
        <Button
          size="small"
          onClick={() => void reset()}
          aria-label={t('Reset {{name}} to preset', { name: t('Default recording') })}
        >
          {t('Reset to preset')}
        </Button>
      )}
    </Row>
  );
}

interface RowProps {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
  readonly page: { readonly src: string; readonly label: string };
  /** Permission for the page. */
  readonly permission: Permission;
  readonly children?: ReactNode;
}

function Row({ name, value, hint, page, permission, children }: RowProps) {
  const mayOpen = usePermission(permission);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: 1 }}>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography component="h3" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {name}
        </Typography>
        <Box>{value}</Box>
        {hint !== undefined && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{hint}</Box>}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        {mayOpen && <Link {...innerPageLink(page, '')}>{page.label}</Link>}
        {children}
      </Box>
    </Box>
  );
}

function usePolicyText(): (policy: RecordingPolicy) => string {
  const { t } = useTranslation('Version');
  const modes = { off: t('Off'), always: t('Always'), ignition: t('While the ignition is on') };
  const qualities = { main: t('Main stream'), sub: t('Sub stream') };
  return ({ mode, quality }) => (mode === 'off' ? modes.off : `${modes[mode]} (${qualities[quality]})`);
}
