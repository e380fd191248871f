import Delete from '@mui/icons-material/DeleteOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { DeviceRecording, RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { Choice } from './Choice.tsx';
import { channelRows, type DeviceValues } from './deviceForm.ts';
import { PolicyInput } from './PolicyInput.tsx';
import { usePolicyText } from './policyText.ts';

export interface RecordingTabProps {
  readonly form: Form<DeviceValues>;
  readonly inherited: RecordingPolicy;
  /** Channels that the device's data plan keeps from being recorded now. */
  readonly withheld?: readonly number[] | undefined;
}

/** The device's own recording or the inherited one, and channels that differ from it. */
export function RecordingTab({ form, inherited, withheld = [] }: RecordingTabProps) {
  const { t } = useTranslation('DeviceGroup');
  const policyText = usePolicyText();
  const field = form.field('recording');
  const recording: DeviceRecording = field.value;
  const change = (part: Partial<DeviceRecording>) => field.onChange({ ...recording, ...part });
  const shown = recording.device ?? inherited;
  return (
    <>
      {withheld.length > 0 && (
        <Alert severity="warning">
          {t('Withheld by the data plan, which is used up. Channels not recorded now: {{channels}}', {
            channels: listText(withheld),
          })}
        </Alert>
      )}
      {field.problem !== undefined && <Alert severity="error">{field.problem}</Alert>}
      <Choice
        label={t('Recording settings')}
        value={recording.device === null ? 'inherited' : 'own'}
        disabled={field.disabled}
        onChange={(value) => change({ device: value === 'own' ? inherited : null })}
        options={[
          { value: 'inherited', label: t('Use default') },
          { value: 'own', label: t('Custom') },
        ]}
      />
      {recording.device === null && (
        <Typography sx={{ color: 'text.secondary', fontSize: 14 }}>
          {t('Default: {{policy}}', { policy: policyText(inherited) })}
        </Typography>
      )}
      {recording.device !== null && (
        <PolicyInput
          policy={recording.device}
          onChange={(device) => change({ device })}
          disabled={field.disabled}
          label={t('Recording settings')}
        />
      )}
      <ChannelPolicies form={form} recording={recording} preset={shown} onChange={change} />
    </>
  );
}

interface ChannelPoliciesProps {
  readonly form: Form<DeviceValues>;
  readonly recording: DeviceRecording;
  readonly preset: RecordingPolicy;
  readonly onChange: (part: Partial<DeviceRecording>) => void;
}

function ChannelPolicies({ form, recording, preset, onChange }: ChannelPoliciesProps) {
  const { t } = useTranslation('DeviceGroup');
  const { channels } = recording;
  const free = channelRows(form.values).filter(({ channel }) => channels.every((each) => each.channel !== channel));
  const set = (channel: number, policy: RecordingPolicy) =>
    onChange({ channels: channels.map((each) => (each.channel === channel ? { channel, policy } : each)) });
  const [next] = free;
  return (
    <>
      {channels.map(({ channel, policy }) => (
        <Box key={channel} component="section" sx={{ borderTop: 1, borderColor: 'divider', pt: 1.5 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
            <Choice
              label={t('Channel')}
              value={String(channel)}
              disabled={form.isSaving}
              onChange={(value) => onChange({ channels: renumbered(channels, channel, Number(value)) })}
              options={[channel, ...free.map((row) => row.channel)].map((each) => ({
                value: String(each),
                label: String(each),
              }))}
            />
            <Box sx={{ flex: 1 }} />
            <IconButton
              aria-label={t('Delete settings of channel {{channel}}', { channel })}
              onClick={() => onChange({ channels: channels.filter((each) => each.channel !== channel) })}
            >
              <Delete />
            </IconButton>
          </Box>
          <PolicyInput
            policy={policy}
            onChange={(changed) => set(channel, changed)}
            disabled={form.isSaving}
            label={t('Recording settings of channel {{channel}}', { channel })}
          />
        </Box>
      ))}
      {next !== undefined && (
        <Button
          sx={{ justifySelf: 'start' }}
          onClick={() => onChange({ channels: [...channels, { channel: next.channel, policy: preset }] })}
        >
          {t('Add channel settings')}
        </Button>
      )}
    </>
  );
}

function renumbered(channels: DeviceRecording['channels'], from: number, to: number): DeviceRecording['channels'] {
  return channels.map((each) => (each.channel === from ? { ...each, channel: to } : each));
}
