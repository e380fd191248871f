import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getHealth } from '../../../../shared/api/version/health.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { HealthKind } from '../../../../shared/protocol/health/healthWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { HealthSection } from './HealthSection.tsx';
import { healthGroups } from './healthGroups.ts';

const EVERY_MS = 15_000;

/** Whether the installation is well, and what to do where it isn't. */
export function HealthTab() {
  const { t } = useTranslation('Version');
  const zone = useUserZone();
  const { value: health, failure } = useRecord({ key: ['health'], load: getHealth, everyMs: EVERY_MS });
  const [showsAll, setShowsAll] = useState<ReadonlySet<HealthKind>>(new Set());
  const notice = failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>;
  if (health === undefined) return notice || <Waiting />;
  return (
    <Box sx={{ display: 'grid', gap: 2.5, overflowY: 'auto', pb: 2 }}>
      {notice}
      {healthGroups(health.checks, showsAll).map((group) => (
        <HealthSection
          key={group.kind}
          group={group}
          onShowAll={() => setShowsAll(new Set([...showsAll, group.kind]))}
        />
      ))}
      <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
        {t('Checked at {{time}}', { time: formatTimestamp(health.checkedAtMs, zone) })}
      </Box>
    </Box>
  );
}
