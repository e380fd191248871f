import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { testSender } from '../../../../shared/api/notify/senders.ts';
import type { SenderTestResult } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { contentOf, type SenderDraft } from '../form/senderForm.ts';
import { TestOutcome } from './TestOutcome.tsx';
import { addressOf, isTestAddress, testAddressKind } from './testAddress.ts';

export interface SenderTestSectionProps {
  /** The sender as it is in the form, saved or not. */
  readonly draft: SenderDraft;
  /** ID of the sender whose stored secret is used where none was typed; undefined for a new sender. */
  readonly senderId: number | undefined;
  readonly problems: Problems<SenderDraft>;
}

type Outcome =
  | { readonly kind: 'problems'; readonly texts: readonly string[] }
  | { readonly kind: 'answered'; readonly result: ApiResult<SenderTestResult> };

/** Sends a real message with the values of the form, and shows what both sides said. */
export function SenderTestSection({ draft, senderId, problems }: SenderTestSectionProps) {
  const { t } = useTranslation('Sender');
  const [to, setTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const badAddress = useBadAddressText(draft);
  const test = async () => {
    const wrong = [...Object.values(problems), isTestAddress(draft.kind, to) ? undefined : badAddress];
    const texts = wrong.filter((text) => text !== undefined);
    if (texts.length > 0) {
      setOutcome({ kind: 'problems', texts });
      return;
    }
    setBusy(true);
    setOutcome(undefined);
    const sender = contentOf(draft);
    const result = await testSender({ id: senderId ?? null, sender, to: addressOf(draft.kind, to) });
    setBusy(false);
    setOutcome({ kind: 'answered', result });
  };
  return (
    <Section title={t('Test')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}>
        <TestAddressInput draft={draft} to={to} onChange={setTo} onEnter={() => void test()} />
        <Button variant="outlined" loading={isBusy} onClick={() => void test()} sx={{ minHeight: 40 }}>
          {t('Send test')}
        </Button>
      </Box>
      {outcome?.kind === 'problems' && (
        <Alert severity="error">
          {outcome.texts.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      {outcome?.kind === 'answered' && <TestOutcome result={outcome.result} kind={draft.kind} />}
    </Section>
  );
}

function useBadAddressText({ kind }: SenderDraft): string {
  const { t } = useTranslation('Sender');
  return testAddressKind(kind) === 'phone'
    ? t('Enter a phone number with the country code, such as +886912345678.')
    : t('Enter an email address, such as name@example.com.');
}

interface TestAddressInputProps {
  readonly draft: SenderDraft;
  readonly to: string;
  readonly onChange: (to: string) => void;
  readonly onEnter: () => void;
}

function TestAddressInput({ draft, to, onChange, onEnter }: TestAddressInputProps) {
  const { t } = useTranslation('Sender');
  const kind = testAddressKind(draft.kind);
  if (kind === 'none') {
    return (
      <Box sx={{ flex: '1 1 200px', alignSelf: 'center', fontSize: 14 }}>
        {draft.kind === 'push'
          ? t('Sends a notification to the browsers that you allowed.')
          : t('Sends a test message to the service.')}
      </Box>
    );
  }
  return (
    <TextField
      size="small"
      label={kind === 'phone' ? t('Send to phone number') : t('Send to email address')}
      type={kind === 'phone' ? 'tel' : 'email'}
      value={to}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        // Otherwise the form around it would be saved.
        event.preventDefault();
        onEnter();
      }}
      slotProps={{ htmlInput: { maxLength: 254, spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } }}
      sx={{ flex: '1 1 200px' }}
    />
  );
}
