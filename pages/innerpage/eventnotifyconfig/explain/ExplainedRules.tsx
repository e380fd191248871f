import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleMissText } from '../../../../shared/i18n/notifyWordText.ts';
import type { ExplainedRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { doesTell, explainedOrder } from './explainedOrder.ts';
import { RecipientTable } from './RecipientTable.tsx';

export function ExplainedRules({ rules }: { readonly rules: readonly ExplainedRule[] }) {
  const { t } = useTranslation('NotifyConfig');
  const telling = rules.filter(doesTell).length;
  if (rules.length === 0) return <Typography>{t('There are no rules.')}</Typography>;
  return (
    <>
      <Typography role="status">
        {t('Rules that tell of this event: {{telling}} of {{all}}', { telling, all: rules.length })}
      </Typography>
      {explainedOrder(rules).map((rule) => (
        <RuleCard key={rule.rule} rule={rule} />
      ))}
    </>
  );
}

function RuleCard({ rule }: { readonly rule: ExplainedRule }) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const titleId = useId();
  const { name, misses, recipients } = rule;
  const tells = doesTell(rule);
  return (
    <Box component="section" aria-labelledby={titleId} sx={CARD}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Typography id={titleId} component="h3" sx={{ fontSize: 15, fontWeight: 650, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Chip
          size="small"
          variant="outlined"
          color={tells ? 'success' : 'default'}
          label={tells ? t('Matches') : t("Doesn't match")}
        />
      </Box>
      {misses.length > 0 && (
        <Box component="ul" sx={{ m: 0, pl: 2.5, fontSize: 14 }}>
          {misses.map((miss) => (
            <li key={miss}>{ruleMissText(miss)}</li>
          ))}
        </Box>
      )}
      {recipients.length > 0 && <RecipientTable recipients={recipients} />}
    </Box>
  );
}

const CARD = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 1,
  p: 1.5,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  backgroundColor: 'background.paper',
} as const;
