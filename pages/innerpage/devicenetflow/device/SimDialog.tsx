import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readNetflowDevice, saveSim } from '../../../../shared/api/netflow/netflow.ts';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { usePlans } from '../plans/usePlans.ts';
import { checkSim, contentOfDraft, draftOfDevice, planOptions, type SimDraft } from './simForm.ts';

export interface SimDialogProps {
  readonly device: NetflowDevice;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Which SIM is in the device, and what its plan allows. */
export function SimDialog({ device: opened, onSaved, onClose }: SimDialogProps) {
  const { t } = useTranslation('Netflow');
  const [device, setDevice] = useState(opened);
  const plans = usePlans();
  const texts = { badDay: t('Enter a date, such as 2027-01-31.') };
  const form = useForm<SimDraft>({ initial: draftOfDevice(opened), check: (draft) => checkSim(draft, texts) });
  const save = async () => {
    const saved = await form.submit((draft) => saveSim(contentOfDraft(draft, device)));
    if (saved !== undefined) onSaved();
  };
  const theirs = form.conflict === undefined ? undefined : readNetflowDevice(form.conflict);
  const options = planOptions(plans, [opened, device, ...(theirs === undefined ? [] : [theirs])]);
  const nameOf = (plan: string) => options.find(({ value }) => value === plan)?.label ?? '';
  return (
    <FormDialog
      title={t('SIM and data plan of {{name}}', { name: device.name === '' ? device.deviceid : device.name })}
      form={form}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <SelectInput
        field={form.field('plan')}
        label={t('Data plan')}
        options={[{ value: '', label: t('None') }, ...options]}
        hint={plans.length === 0 ? t('There are no data plans yet. Add one on the tab Data plans.') : undefined}
      />
      <Box sx={COLUMNS}>
        <TextInput field={form.field('number')} label={t('SIM number')} maxLength={30} verbatim type="tel" />
        <TextInput
          field={form.field('iccid')}
          label="ICCID"
          maxLength={30}
          verbatim
          hint={
            device.reportedIccid === ''
              ? t('The device has not reported its own yet.')
              : t('The device reports {{iccid}}.', { iccid: device.reportedIccid })
          }
        />
        <TextInput
          field={form.field('expiryDay')}
          label={t('SIM expires')}
          maxLength={10}
          verbatim
          placeholder="YYYY-MM-DD"
        />
      </Box>
      {theirs !== undefined && (
        <ConflictDialog<SimDraft>
          versions={{ base: form.base, mine: form.values, theirs: draftOfDevice(theirs) }}
          fields={[
            { name: 'plan', label: t('Data plan'), show: ({ plan }) => nameOf(plan) },
            { name: 'number', label: t('SIM number'), show: ({ number }) => number },
            { name: 'iccid', label: 'ICCID', show: ({ iccid }) => iccid },
            { name: 'expiryDay', label: t('SIM expires'), show: ({ expiryDay }) => expiryDay },
          ]}
          onChoose={(values) => {
            setDevice(theirs);
            form.rebase(draftOfDevice(theirs), values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}
