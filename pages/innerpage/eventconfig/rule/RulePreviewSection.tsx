import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewEventRule } from '../../../../shared/api/eventConfig.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { RuleGroup, RulePreview, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { PREVIEW_DAYS } from '../../../../shared/protocol/api/eventConfig.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { hasProblem, sameValue } from '../../../../shared/ui/form/formState.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { branchOf } from '../../../../shared/ui/table/groupOptions.ts';
import { DevicePick } from '../place/DevicePick.tsx';
import type { RuleContent } from './ruleContent.ts';
import { checkRule, type RuleDraft, settingsOfDraft } from './ruleForm.ts';
import { numberText } from './unitText.ts';
import { useRuleTexts } from './useRuleTexts.ts';

export interface RulePreviewSectionProps {
  readonly content: RuleContent;
  readonly place: RuleScopeQuery;
  readonly groups: readonly RuleGroup[];
}

interface Shown {
  readonly draft: RuleDraft;
  readonly result: RulePreview | { readonly failure: string | undefined };
}

/** How many events what is typed would have raised for one device. */
export function RulePreviewSection({ content: { form, row }, place, groups }: RulePreviewSectionProps) {
  const { t } = useTranslation('EventConfig');
  const texts = useRuleTexts();
  const [chosen, setChosen] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const device = place.scope === 'device' ? (place.deviceid ?? '') : chosen;
  const { values } = form;
  const canAsk = device !== '' && !isBusy && !hasProblem(checkRule(row.type, values, texts));
  const ask = async () => {
    setBusy(true);
    const settings = settingsOfDraft(row.type, values);
    const answer = await previewEventRule({ ...place, type: row.type, settings, device });
    setBusy(false);
    setShown({ draft: values, result: answer.ok ? answer.value : { failure: errorText(answer) } });
  };
  // What was found for other settings says nothing about these.
  const current = shown !== undefined && sameValue(shown.draft, values) ? shown.result : undefined;
  return (
    <Section title={t('Preview')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        {place.scope !== 'device' && (
          <DevicePick
            value={chosen}
            onChange={(deviceid) => {
              setChosen(deviceid);
              setShown(undefined);
            }}
            groups={place.group === undefined ? undefined : branchOf(groups, Number(place.group))}
          />
        )}
        <Button variant="outlined" disabled={!canAsk} loading={isBusy} onClick={() => void ask()}>
          {t('Show preview')}
        </Button>
      </Box>
      <Box role="status">
        {current !== undefined && 'failure' in current && <Alert severity="error">{current.failure}</Alert>}
        {current !== undefined && !('failure' in current) && <PreviewResult preview={current} />}
      </Box>
    </Section>
  );
}

function PreviewResult({ preview }: { readonly preview: RulePreview }) {
  const { t } = useTranslation('EventConfig');
  const zone = useUserZone();
  const { events, eventsNow, positions, isPartial, begins } = preview;
  const counts = { days: PREVIEW_DAYS, events: numberText(events), now: numberText(eventsNow) };
  return (
    <Alert severity="info" icon={false}>
      <div>{t('Events in the last {{days}} days: {{events}} (now: {{now}})', counts)}</div>
      <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
        {isPartial
          ? t('Only the latest {{count}} positions were checked.', { count: numberText(positions) })
          : t('Positions checked: {{count}}', { count: numberText(positions) })}
      </Box>
      {begins.length > 0 && (
        <Box
          component="ul"
          aria-label={t('Latest events')}
          sx={{ m: 0, mt: 0.5, pl: 2.5, fontVariantNumeric: 'tabular-nums' }}
        >
          {begins.map((atMs) => (
            <li key={atMs}>{formatTimestamp(atMs, zone)}</li>
          ))}
        </Box>
      )}
    </Alert>
  );
}
