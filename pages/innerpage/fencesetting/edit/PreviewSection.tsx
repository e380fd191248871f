import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewFence } from '../../../../shared/api/fences.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { FENCE_PREVIEW_DAYS, type FencePreview } from '../../../../shared/protocol/api/fences/fences.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { sameValue } from '../../../../shared/ui/form/formState.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { contentOfDraft, type FenceDraft } from './fenceForm.ts';

export interface PreviewSectionProps {
  readonly draft: FenceDraft;
  readonly hasProblem: boolean;
  /** For the map. */
  readonly onPreview: (preview: ShownPreview | undefined) => void;
  readonly preview: ShownPreview | undefined;
}

/** The preview and the draft that it belongs to: the events of another geofence say nothing about this one. */
export interface ShownPreview {
  readonly draft: FenceDraft;
  readonly result: FencePreview;
}

export function previewOf(shown: ShownPreview | undefined, draft: FenceDraft): FencePreview | undefined {
  return shown !== undefined && sameValue(shown.draft, draft) ? shown.result : undefined;
}

/** What the fence as it is typed and drawn would have raised in the last days. */
export function PreviewSection({ draft, hasProblem, preview, onPreview }: PreviewSectionProps) {
  const { t } = useTranslation('FenceSetting');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const ask = async () => {
    const content = contentOfDraft(draft);
    if (content === undefined) return;
    setBusy(true);
    const answer = await previewFence(content);
    setBusy(false);
    setFailure(answer.ok ? undefined : errorText(answer));
    onPreview(answer.ok ? { draft, result: answer.value } : undefined);
  };
  const shown = previewOf(preview, draft);
  return (
    <Section title={t('Preview')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        <Button variant="outlined" disabled={hasProblem} loading={isBusy} onClick={() => void ask()}>
          {t('Preview the last {{days}} days', { days: FENCE_PREVIEW_DAYS })}
        </Button>
        <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Nothing is saved.')}
        </Box>
      </Box>
      <Box role="status">
        {failure !== undefined && <Alert severity="error">{failure}</Alert>}
        {shown !== undefined && <PreviewResult preview={shown} />}
      </Box>
    </Section>
  );
}

function PreviewResult({ preview: { devices, total, events, isCut } }: { readonly preview: FencePreview }) {
  const { t } = useTranslation('FenceSetting');
  const zone = useUserZone();
  const names = useEventNames();
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
      <Box sx={{ fontSize: 14 }}>
        {t('In the last {{days}} days these devices would have raised {{total}} events. Devices: {{devices}}', {
          days: FENCE_PREVIEW_DAYS,
          total,
          devices,
        })}
      </Box>
      {isCut && <Alert severity="info">{t('There were more positions. Only the latest were checked.')}</Alert>}
      {events.length < total && (
        <Alert severity="info">{t('Only the first {{count}} are listed.', { count: events.length })}</Alert>
      )}
      {events.length > 0 && (
        <Box component="ol" tabIndex={0} aria-label={t('Events in the preview')} sx={LIST}>
          {events.map(({ deviceid, deviceName, type, atMs, lat, lng }) => (
            <li key={`${deviceid}/${type}/${atMs}/${lat}/${lng}`}>
              {`${formatTimestamp(atMs, zone)} · ${deviceName || deviceid} · ${names.nameOf(type)}`}
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
}

const LIST = {
  m: 0,
  pl: 4,
  pr: 1,
  py: 0.5,
  maxHeight: 200,
  overflow: 'auto',
  fontSize: 13,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
