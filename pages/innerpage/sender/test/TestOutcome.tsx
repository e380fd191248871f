import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { SenderTestResult } from '../../../../shared/protocol/api/notify/senders.ts';
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { fieldText } from '../../../../shared/ui/form/text/fieldText.ts';
import { flatRefusal } from '../form/settingRefusal.ts';
import { useFieldLabels } from '../form/useSenderTexts.ts';

export interface TestOutcomeProps {
  readonly result: ApiResult<SenderTestResult>;
  readonly kind: SenderKind;
}

export function TestOutcome({ result, kind }: TestOutcomeProps) {
  return result.ok ? <Answered result={result.value} /> : <Refused failure={result} kind={kind} />;
}

function Answered({ result }: { readonly result: SenderTestResult }) {
  const { t } = useTranslation('Sender');
  const { isSent, answer, tookMs, conversation } = result;
  return (
    <>
      <Alert severity={isSent ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
        <div>
          {isSent
            ? t('Test message sent in {{milliseconds}} ms.', { milliseconds: tookMs })
            : t('Test message not sent.')}
        </div>
        <div>{answer}</div>
      </Alert>
      {conversation.length > 0 && <Conversation lines={conversation} />}
    </>
  );
}

/** The form was not taken. */
function Refused({ failure, kind }: { readonly failure: ApiFailure; readonly kind: SenderKind }) {
  const { t } = useTranslation('Sender');
  const labels: Readonly<Record<string, string>> = { ...useFieldLabels(kind), to: t('Recipient') };
  const fields = Object.entries(refusedFields(flatRefusal(failure)));
  return (
    <Alert severity="error">
      <div>{errorText(failure)}</div>
      {fields.map(([name, code]) => (
        <div key={name}>{`${labels[name] ?? name}: ${fieldText(code)}`}</div>
      ))}
    </Alert>
  );
}

type Lines = SenderTestResult['conversation'];

/** What both sides said, in the order in which they did. It scrolls by keyboard too. */
function Conversation({ lines }: { readonly lines: Lines }) {
  const { t } = useTranslation('Sender');
  const sides: Readonly<Record<Lines[number]['side'], string>> = {
    gateway: t('Sent'),
    server: t('Received'),
    note: t('Info'),
  };
  return (
    <Box component="section" role="region" tabIndex={0} aria-label={t('Conversation')} sx={BOX}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {[...lines.entries()].map(([at, { side, text }]) => (
          <Box component="li" key={at} data-side={side} sx={{ ...LINE, ...LOOKS[side] }}>
            <Box component="span" sx={{ flex: '0 0 5.5em', color: 'text.secondary' }}>
              {sides[side]}
            </Box>
            <Box component="span" sx={{ flex: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const BOX = {
  maxHeight: 260,
  overflowY: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  fontFamily: 'ui-monospace, Consolas, monospace',
  fontSize: 12,
  lineHeight: 1.5,
} as const;
const LINE = { display: 'flex', gap: 1, px: 1, py: 0.25, borderLeft: 3 } as const;
const LOOKS = {
  gateway: { borderLeftColor: 'primary.main' },
  server: { borderLeftColor: 'success.main', backgroundColor: 'action.hover' },
  note: { borderLeftColor: 'divider', fontStyle: 'italic' },
} as const;
