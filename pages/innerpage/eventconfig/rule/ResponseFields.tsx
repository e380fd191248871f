import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { MAX_DEVICE_CHANNELS } from '../../../../shared/protocol/api/devices.ts';
import { DRIVER_TEXT_MAX } from '../../../../shared/protocol/events/eventRules.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useTerminalTextHint } from '../../../../shared/ui/form/text/useTerminalTextHint.ts';
import { usePermission } from '../../../../shared/ui/session.ts';
import type { RuleContent } from './ruleContent.ts';
import { COUNT_RANGES, type CountField } from './ruleForm.ts';
import { SettingRow } from './SettingRow.tsx';
import { settingField } from './settingField.ts';
import { numberText } from './unitText.ts';
import { useFieldNames } from './valueText.ts';

interface FieldsProps {
  readonly content: RuleContent;
}

/** The fields that define how repeated alarms are treated. */
export function RepeatFields({ content }: FieldsProps) {
  const { t } = useTranslation('EventConfig');
  return (
    <Section title={t('Repeated alarms')}>
      <Box sx={COLUMNS}>
        <CountRow content={content} name="mergeSeconds" />
        <CountRow content={content} name="eventsAnHour" />
      </Box>
    </Section>
  );
}

/** The actions when an event begins. Events of the server itself have no device to act on. */
export function ActionFields({ content }: FieldsProps) {
  const { t } = useTranslation('EventConfig');
  const { hasRule, isReported, category } = content.row;
  const hasDevice = hasRule || isReported || category === 'fence';
  return (
    <Section title={t('Event actions')}>
      <SwitchRow
        content={content}
        name="popUp"
        hint={t('Opens a window on every page of members who can see the event.')}
      />
      {hasDevice && (
        <>
          <Box sx={COLUMNS}>
            <ChannelsRow content={content} name="recordChannels" />
            <CountRow content={content} name="recordSeconds" />
            <ChannelsRow content={content} name="snapshotChannels" />
          </Box>
          <Box sx={COLUMNS}>
            <DriverTextRow content={content} />
            <SwitchRow content={content} name="isSpoken" hint={t('The terminal reads the text out.')} />
          </Box>
        </>
      )}
      {isReported && (
        <Box sx={COLUMNS}>
          <SwitchRow
            content={content}
            name="requestsFiles"
            hint={t("Requests the terminal's own files of the alarm.")}
          />
          <SwitchRow content={content} name="confirms" hint={t('The terminal then stops repeating the alarm.')} />
        </Box>
      )}
    </Section>
  );
}

/** The text that events send to the driver. Only members who can send texts themselves can set it. */
function DriverTextRow({ content }: FieldsProps) {
  const { t } = useTranslation('EventConfig');
  const hintOf = useTerminalTextHint();
  const mayText = usePermission(Permission.DeviceText);
  const field = settingField(content.form, 'driverText');
  return (
    <SettingRow content={content} name="driverText" isLocked={!mayText}>
      <TextInput
        field={field}
        label={t('Text to the driver')}
        hint={
          mayText
            ? hintOf(field.value, t('Leave empty for none.'))
            : t("You don't have permission to send texts to drivers.")
        }
        disabled={!mayText}
        maxLength={DRIVER_TEXT_MAX}
      />
    </SettingRow>
  );
}

function CountRow({ content, name }: FieldsProps & { readonly name: CountField }) {
  const { t } = useTranslation('EventConfig');
  const fieldNames = useFieldNames(content.row.type);
  const { minimum, maximum } = COUNT_RANGES[name];
  return (
    <SettingRow content={content} name={name}>
      <NumberInput
        field={settingField(content.form, name)}
        label={fieldNames[name]}
        required
        hint={t('Range: {{min}}–{{max}}', { min: numberText(minimum), max: numberText(maximum) })}
      />
    </SettingRow>
  );
}

const CHANNELS = Array.from({ length: MAX_DEVICE_CHANNELS }, (_, index) => ({
  value: String(index + 1),
  label: `ch ${index + 1}`,
}));

function ChannelsRow({ content, name }: FieldsProps & { readonly name: 'recordChannels' | 'snapshotChannels' }) {
  const { t } = useTranslation('EventConfig');
  const fieldNames = useFieldNames(content.row.type);
  return (
    <SettingRow content={content} name={name}>
      <ManyInput
        placeholder=""
        field={settingField(content.form, name)}
        label={fieldNames[name]}
        hint={t('Leave empty for none.')}
        options={CHANNELS}
      />
    </SettingRow>
  );
}

interface SwitchRowProps extends FieldsProps {
  readonly name: 'enabled' | 'popUp' | 'isSpoken' | 'requestsFiles' | 'confirms';
  readonly hint: string;
}

export function SwitchRow({ content, name, hint }: SwitchRowProps) {
  const fieldNames = useFieldNames(content.row.type);
  return (
    <SettingRow content={content} name={name}>
      <SwitchInput field={settingField(content.form, name)} label={fieldNames[name]} hint={hint} />
    </SettingRow>
  );
}
