import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addReportSchedule, saveReportSchedule } from '../../../../shared/api/reports/reports.ts';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import {
  MAX_SCHEDULE_NAME,
  type ReportKindInfo,
  type ReportSchedule,
  type ReportSenders,
} from '../../../../shared/protocol/api/reports/reports.ts';
import { AddressesInput } from '../../../../shared/ui/addresses/AddressesInput.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { PeriodFields } from '../form/PeriodFields.tsx';
import { ReportFields } from '../form/ReportFields.tsx';
import { ScheduleConflict } from './ScheduleConflict.tsx';
import { checkSchedule, contentOfDraft, draftOfSchedule, type ScheduleDraft } from './scheduleForm.ts';
import { TimingFields } from './TimingFields.tsx';
import { usePauseText, useScheduleFormTexts } from './useScheduleTexts.ts';

export interface ScheduleDialogProps {
  /** One that is stored, or what a new one begins with. */
  readonly opened: { readonly schedule: ReportSchedule } | { readonly draft: ScheduleDraft };
  readonly kinds: readonly ReportKindInfo[];
  readonly senders: ReportSenders;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function ScheduleDialog({ opened, kinds, senders, onSaved, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation('ReportPage');
  const texts = useScheduleFormTexts();
  const pauseText = usePauseText();
  const [schedule, setSchedule] = useState('schedule' in opened ? opened.schedule : undefined);
  const form = useForm<ScheduleDraft>({
    initial: 'schedule' in opened ? draftOfSchedule(opened.schedule) : opened.draft,
    check: (draft) => checkSchedule(draft, texts),
  });
  const kind = kinds.find((each) => each.kind === form.values.kind);
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfDraft(draft, kind?.filters ?? []);
      return schedule === undefined ? addReportSchedule(content) : saveReportSchedule(schedule, content);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={schedule === undefined ? t('Add schedule') : t('Schedule {{name}}', { name: schedule.name })}
      form={form}
      always={schedule === undefined}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {schedule !== undefined && schedule.pause !== '' && <Alert severity="warning">{pauseText(schedule.pause)}</Alert>}
      <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
        <TextInput
          field={form.field('name')}
          label={t('Name')}
          required
          autoFocus={schedule === undefined}
          maxLength={MAX_SCHEDULE_NAME}
        />
        <SwitchInput field={form.field('enabled')} label={t('Enabled')} />
      </Box>
      <Section title={t('Report')}>
        <SelectInput
          field={form.field('kind')}
          label={t('Report')}
          options={kinds.map((each) => ({ value: each.kind, label: reportKindText(each.kind) }))}
        />
        <PeriodFields
          fields={{ period: form.field('period'), fromMs: form.field('fromMs'), toMs: form.field('toMs') }}
          withoutRange
        />
        <ReportFields
          kind={kind}
          fields={{
            deviceGroups: form.field('deviceGroups'),
            devices: form.field('devices'),
            eventTypes: form.field('eventTypes'),
            fences: form.field('fences'),
            leastMinutes: form.field('leastMinutes'),
            speedKmh: form.field('speedKmh'),
          }}
        />
      </Section>
      <TimingFields form={form} />
      <DeliveryFields form={form} senders={senders} />
      <ScheduleConflict form={form} senders={senders} onSchedule={setSchedule} />
    </FormDialog>
  );
}

interface DeliveryFieldsProps {
  readonly form: Form<ScheduleDraft>;
  readonly senders: ReportSenders;
}

function DeliveryFields({ form, senders }: DeliveryFieldsProps) {
  const { t } = useTranslation('ReportPage');
  return (
    <Section title={t('Email')}>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('sender')}
          label={t('Sender')}
          required
          options={[{ value: '', label: '' }, ...senders.map(({ id, name }) => ({ value: String(id), label: name }))]}
        />
        <SelectInput
          field={form.field('format')}
          label={t('File')}
          options={[
            { value: 'xlsx', label: 'Excel (XLSX)' },
            { value: 'csv', label: 'CSV' },
          ]}
        />
        <SelectInput
          field={form.field('language')}
          label={t('Language')}
          options={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
        />
      </Box>
      <AddressesInput
        field={form.field('recipients')}
        label={t('Recipients')}
        hint={t('Email addresses. Files larger than 10 MB are sent as a link that needs a sign-in.')}
      />
    </Section>
  );
}
