import Alert from '@mui/material/Alert';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTemplateEvents, previewTemplate } from '../../../../shared/api/notify/templates.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { TemplateContent, TemplateEvents } from '../../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';
import { templateProblems } from '../../../../shared/protocol/notify/templateProblems.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useSettled } from '../../../../shared/ui/records/useSettled.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { contentOf, type TemplateDraft } from '../templateForm.ts';
import { RenderedMessage } from './RenderedMessage.tsx';

export interface PreviewPartProps {
  readonly draft: TemplateDraft;
  /** The language that is shown. */
  readonly locale: Locale;
}

/** Typing is over when nothing was typed for this long. */
const PAUSE_MS = 500;

/** What the template would say, as it is in the form. */
export function PreviewPart({ draft, locale }: PreviewPartProps) {
  const { t } = useTranslation('Template');
  const [event, setEvent] = useState(0);
  const settled = useSettled(JSON.stringify(contentOf(draft)), PAUSE_MS);
  const content = JSON.parse(settled) as TemplateContent;
  return (
    <Section title={t('Preview')}>
      <EventSelect value={event} onChange={setEvent} />
      {Object.keys(templateProblems(content)).length > 0 ? (
        <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
          {t('The preview appears when all texts are complete.')}
        </Typography>
      ) : (
        <LoadedPreview content={content} event={event} locale={locale} />
      )}
    </Section>
  );
}

interface LoadedPreviewProps {
  readonly content: TemplateContent;
  /** 0: a made-up one. */
  readonly event: number;
  readonly locale: Locale;
}

function LoadedPreview({ content: { kind, fallback, texts }, event, locale }: LoadedPreviewProps) {
  const request = { kind, fallback, texts, event };
  const { value, failure } = useRecord({
    key: ['template-preview', request],
    load: (signal) => previewTemplate(request, signal),
    keepsOther: true,
  });
  if (failure !== undefined) return <Alert severity="error">{errorText(failure)}</Alert>;
  const shown = value?.find(({ language }) => language === locale);
  return shown === undefined ? <Waiting /> : <RenderedMessage kind={kind} message={shown} />;
}

interface EventSelectProps {
  readonly value: number;
  readonly onChange: (event: number) => void;
}

function EventSelect({ value, onChange }: EventSelectProps) {
  const { t } = useTranslation('Template');
  const zone = useUserZone();
  const { nameOf } = useEventNames();
  const { value: events = [] } = useRecord({ key: ['template-events'], load: loadTemplateEvents });
  const textOf = ({ beginAtMs, type, deviceName }: TemplateEvents[number]): string =>
    listText([formatTimestamp(beginAtMs, zone), nameOf(type), deviceName].filter((part) => part !== ''));
  return (
    <TextField
      select
      fullWidth
      size="small"
      label={t('Event')}
      value={value}
      onChange={(change) => onChange(Number(change.target.value))}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value={0}>{t('Example event')}</option>
      {events.map((event) => (
        <option key={event.id} value={event.id}>
          {textOf(event)}
        </option>
      ))}
    </TextField>
  );
}
