import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { healthAdviceText, healthKindText, healthSubjectText } from '../../../../shared/i18n/healthText.ts';
import type { HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ROW_LIST, rowStyle } from '../rowList.ts';
import { figureTexts } from './figureText.ts';
import { HealthStateChip } from './HealthStateChip.tsx';
import type { HealthGroup } from './healthGroups.ts';

export interface HealthSectionProps {
  readonly group: HealthGroup;
  readonly onShowAll: () => void;
}

/** The checks of one kind. */
export function HealthSection({ group, onShowAll }: HealthSectionProps) {
  const { t } = useTranslation('Version');
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography id={titleId} component="h2" sx={{ fontSize: 15, fontWeight: 650 }}>
          {healthKindText(group.kind)}
        </Typography>
        <HealthStateChip state={group.state} />
      </Box>
      <Box component="ul" sx={ROW_LIST}>
        {group.checks.map((check) => (
          <CheckItem key={check.id} check={check} />
        ))}
      </Box>
      {group.hidden > 0 && (
        <Button size="small" onClick={onShowAll} sx={{ justifySelf: 'start' }}>
          {t('Show all ({{number}} more)', { number: group.hidden })}
        </Button>
      )}
    </Box>
  );
}

function CheckItem({ check }: { readonly check: HealthCheck }) {
  const zone = useUserZone();
  const { t } = useTranslation('Version');
  const advice = healthAdviceText(check.advice);
  const subject = healthSubjectText(check);
  const isUnused = check.values.length === 0 && check.state === 'ok';
  const known = figureTexts(check, zone);
  const isIdle = check.kind === 'threads' && known.length === 0;
  const figures = isUnused ? t('Not in use') : isIdle ? t('Not needed in the last hour') : known.join(' · ');
  return (
    <Box component="li" sx={ITEM}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        {check.state !== 'ok' && <HealthStateChip state={check.state} />}
        <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{subject}</Box>
      </Box>
      <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{figures}</Box>
      {advice !== '' && <Box sx={{ gridColumn: '1 / -1' }}>{advice}</Box>}
    </Box>
  );
}

const ITEM = rowStyle('minmax(180px, 1fr) minmax(0, 3fr)');
