import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dryRunRule } from '../../../../shared/api/notify/notifyRules.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { DRY_RUN_DAYS, type DryRun } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { hasProblem, type Problems, sameValue } from '../../../../shared/ui/form/formState.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { visuallyHidden } from '../../../../shared/ui/visuallyHidden.ts';
import { previewDay } from './previewDay.ts';
import type { RuleContext } from './ruleContext.ts';
import { contentOfDraft, type RuleDraft } from './ruleForm.ts';

const DryRunChart = lazyPart('DryRunChart', async () => (await import('./DryRunChart.tsx')).DryRunChart);

export interface DryRunSectionProps {
  readonly form: RuleContext['form'];
  readonly problems: Problems<RuleDraft>;
}

interface Shown {
  readonly draft: RuleDraft;
  readonly result: DryRun | { readonly failure: string | undefined };
}

/** How many messages what is typed would have sent in the last days. */
export function DryRunSection({ form, problems }: DryRunSectionProps) {
  const { t } = useTranslation('NotifyConfig');
  const [isBusy, setBusy] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const { values } = form;
  const ask = async () => {
    setBusy(true);
    const answer = await dryRunRule(contentOfDraft(values));
    setBusy(false);
    setShown({ draft: values, result: answer.ok ? answer.value : { failure: errorText(answer) } });
  };
  // What another rule would have sent says nothing about this one.
  const current = shown !== undefined && sameValue(shown.draft, values) ? shown.result : undefined;
  return (
    <Section title={t('Preview')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        <Button variant="outlined" disabled={hasProblem(problems)} loading={isBusy} onClick={() => void ask()}>
          {t('Preview the last {{days}} days', { days: DRY_RUN_DAYS })}
        </Button>
        <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Nothing is sent or saved.')}
        </Box>
      </Box>
      <Box role="status">
        {current !== undefined && 'failure' in current && <Alert severity="error">{current.failure}</Alert>}
        {current !== undefined && 'days' in current && <DryRunResult run={current} ruleZone={values.timeZone} />}
      </Box>
    </Section>
  );
}

interface DryRunResultProps {
  readonly run: DryRun;
  /** '' for none. */
  readonly ruleZone: string;
}

function DryRunResult({ run: { events, days, isCut }, ruleZone }: DryRunResultProps) {
  const { t } = useTranslation('NotifyConfig');
  const zone = useUserZone();
  const counts = days.map(({ fromMs, messages }) => ({ day: previewDay(fromMs, ruleZone, zone), messages }));
  const messages = counts.reduce((sum, each) => sum + each.messages, 0);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
      <Box sx={{ fontSize: 14 }}>{t('Messages: {{messages}}, events: {{events}}', { messages, events })}</Box>
      {isCut && <Alert severity="info">{t('There were more events. Only the latest were checked.')}</Alert>}
      <ChunkBoundary>
        <Suspense fallback={<Box sx={{ height: 180 }} />}>
          <DryRunChart days={counts} />
        </Suspense>
      </ChunkBoundary>
      <Box component="ul" aria-label={t('Messages by day')} sx={visuallyHidden}>
        {counts.map(({ day, messages: count }) => (
          <li key={day}>{t('{{day}}: {{count}}', { day, count })}</li>
        ))}
      </Box>
    </Box>
  );
}
