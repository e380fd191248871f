import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendAlarmLimits } from '../../../../shared/api/eventConfig.ts';
import type { DeviceAlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { numberText } from '../rule/unitText.ts';
import { alarmBitsOf, MASK_NAMES } from './alarmBits.ts';
import { LimitsConflict } from './LimitsConflict.tsx';
import { checkLimits, draftOfLimits, LIMIT_NUMBER_NAMES, type LimitsDraft, limitsToSend } from './limitsForm.ts';
import { bitText, useLimitNames } from './limitTexts.ts';

export interface LimitsDialogProps {
  readonly limits: DeviceAlarmLimits;
  readonly onSent: () => void;
  readonly onClose: () => void;
}

export function LimitsDialog({ limits: shown, onSent, onClose }: LimitsDialogProps) {
  const { t } = useTranslation(['EventConfig', 'EventTypes']);
  const names = useLimitNames();
  // What comes in meanwhile is no change of the user's.
  const [opened, setOpened] = useState(shown);
  const { deviceid, version, wanted } = opened;
  const form = useForm<LimitsDraft>({
    initial: draftOfLimits(opened),
    check: (draft) =>
      checkLimits(draft, (maximum) =>
        t('Enter a number from {{min}} to {{max}}.', { min: 0, max: numberText(maximum) }),
      ),
  });
  const send = async () => {
    // Only fields that were never set were emptied: the terminal keeps what it has.
    const limits = limitsToSend(opened, form.values);
    if (Object.keys(limits).length === 0) return onClose();
    const sent = await form.submit(() => sendAlarmLimits({ deviceid, version, limits }));
    if (sent !== undefined) onSent();
  };
  return (
    <FormDialog
      title={t('Device limits of {{device}}', { device: deviceid })}
      form={form}
      saveLabel={t('Send')}
      // What the terminal didn't take can be sent again.
      always={wanted !== null}
      maxWidth="md"
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {!shown.isOnline && (
        <Alert severity="info">{t('The terminal is offline. It gets the limits when it connects.')}</Alert>
      )}
      <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
        {t("Leave a field empty to keep the terminal's value.")}
      </Typography>
      <Box sx={COLUMNS}>
        {LIMIT_NUMBER_NAMES.map((name) => (
          <NumberInput key={name} field={form.field(name)} label={names[name]} />
        ))}
      </Box>
      {MASK_NAMES.map((name) => (
        <ChoiceInput
          key={name}
          field={form.field(name)}
          label={names[name]}
          options={alarmBitsOf(name).map((bit) => ({ value: String(bit.bit), label: bitText(bit) }))}
          inColumns
        />
      ))}
      <LimitsConflict form={form} onLimits={setOpened} />
    </FormDialog>
  );
}
