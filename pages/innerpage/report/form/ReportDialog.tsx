import { useTranslation } from 'react-i18next';
import { runReport } from '../../../../shared/api/reports/reports.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import type { ReportKindInfo } from '../../../../shared/protocol/api/reports/reports.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { PeriodFields } from './PeriodFields.tsx';
import { ReportFields } from './ReportFields.tsx';
import { checkReport, newReport, parametersOfDraft, type ReportDraft } from './reportForm.ts';
import { useReportTexts } from './useReportTexts.ts';

export interface ReportDialogProps {
  readonly kinds: readonly ReportKindInfo[];
  readonly onRequested: () => void;
  readonly onClose: () => void;
}

/** Asks for a report. */
export function ReportDialog({ kinds, onRequested, onClose }: ReportDialogProps) {
  const { t } = useTranslation('ReportPage');
  const texts = useReportTexts();
  const zone = useUserZone();
  const form = useForm<ReportDraft>({
    initial: newReport(kinds[0]?.kind ?? 'trips', zone),
    check: (draft) => checkReport(draft, texts),
  });
  const kind = kinds.find((each) => each.kind === form.values.kind);
  const submit = async () => {
    const requested = await form.submit((draft) =>
      runReport({ kind: draft.kind, parameters: parametersOfDraft(draft, kind?.filters ?? []) }),
    );
    if (requested !== undefined) onRequested();
  };
  return (
    <FormDialog
      title={t('New report')}
      form={form}
      always
      saveLabel={t('Run report')}
      maxWidth="md"
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <SelectInput
        field={form.field('kind')}
        label={t('Report')}
        autoFocus
        options={kinds.map((each) => ({ value: each.kind, label: reportKindText(each.kind) }))}
      />
      <PeriodFields fields={{ period: form.field('period'), fromMs: form.field('fromMs'), toMs: form.field('toMs') }} />
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
    </FormDialog>
  );
}
