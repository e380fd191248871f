import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { TemplatePreview } from '../../../../shared/protocol/api/notify/templates.ts';
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { type SmsAlphabet, smsSize } from '../../../../shared/protocol/notify/smsSegments.ts';

export interface RenderedMessageProps {
  readonly kind: SenderKind;
  readonly message: TemplatePreview[number];
}

/** The message as its reader gets it. */
export function RenderedMessage({ kind, message: { subject, body, html } }: RenderedMessageProps) {
  const { t } = useTranslation('Template');
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {subject !== '' && <Typography sx={{ fontWeight: 650, overflowWrap: 'anywhere' }}>{subject}</Typography>}
      {html === '' ? (
        <Box component="pre" sx={TEXT}>
          {body}
        </Box>
      ) : (
        // The frame has no scripts, no forms and no access to the page around it. A frame of its own for each message: one that is given
        // another message navigates, and Back would lead through all previews before it leads out of the form.
        <Box key={html} component="iframe" sandbox="" srcDoc={html} title={t('Preview of the email')} sx={FRAME} />
      )}
      {kind === 'sms' && <SegmentCount text={body} />}
    </Box>
  );
}

const ALPHABETS: Readonly<Record<SmsAlphabet, string>> = { gsm7: 'GSM-7', ucs2: 'UCS-2' };

/** The number of segments, which an SMS gateway charges for. */
function SegmentCount({ text }: { readonly text: string }) {
  const { t } = useTranslation('Template');
  const { alphabet, units, segments } = smsSize(text);
  return (
    <Typography sx={{ fontSize: 13, color: 'text.secondary' }}>
      {t('Segments: {{segments}}. Characters: {{units}} ({{alphabet}}).', {
        segments,
        units,
        alphabet: ALPHABETS[alphabet],
      })}
    </Typography>
  );
}

const TEXT = {
  m: 0,
  p: 1.5,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  fontSize: 13,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
} as const;
/** Mail is shown as in a client with a light theme, whatever the page looks like. */
const FRAME = {
  width: '100%',
  height: 420,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: '#ffffff',
  colorScheme: 'light',
} as const;
