import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeCommonRecording } from '../../../../shared/api/devices/deviceGroup.ts';
import type { CommonRecording, RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { PolicyInput } from './PolicyInput.tsx';
import { usePolicyText } from './policyText.ts';

export interface CommonRecordingDialogProps {
  readonly common: CommonRecording;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Values {
  readonly policy: RecordingPolicy;
}

/** What devices without a recording of their own inherit. */
export function CommonRecordingDialog({ common, onDone, onClose }: CommonRecordingDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const policyText = usePolicyText();
  const [version, setVersion] = useState(common.version);
  const form = useForm<Values>({ initial: { policy: common.policy } });
  const submit = async () => {
    const saved = await form.submit(({ policy }) => changeCommonRecording(policy, version));
    if (saved !== undefined) onDone();
  };
  const theirs = form.conflict as CommonRecording | null | undefined;
  const field = form.field('policy');
  return (
    <FormDialog title={t('Default recording')} form={form} onSubmit={() => void submit()} onClose={onClose}>
      <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
        {t('Applies to all devices without their own recording settings.')}
      </Typography>
      <PolicyInput
        policy={field.value}
        onChange={field.onChange}
        disabled={field.disabled}
        label={t('Default recording')}
      />
      {theirs !== undefined && theirs !== null && (
        <ConflictDialog<Values>
          versions={{ base: form.base, mine: form.values, theirs: { policy: theirs.policy } }}
          fields={[{ name: 'policy', label: t('Recording'), show: (values) => policyText(values.policy) }]}
          onChoose={(values) => {
            setVersion(theirs.version);
            form.rebase({ policy: theirs.policy }, values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}
