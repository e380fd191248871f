import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { PartMark, StageBar } from '../tasks/StageBar.tsx';
import { STAGE_PARTS, type StageCount, stageCounts } from '../tasks/stageCounts.ts';
import { useStageTexts } from '../tasks/useStageTexts.ts';

/** A bar for each stage, with its numbers beside it. */
export function StageList({ task }: { readonly task: FirmwareTask }) {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  return (
    <Box component="section" aria-label={t('Stages')} sx={{ display: 'grid', gap: 1, flexShrink: 0 }}>
      {stageCounts(task).map((stage) => (
        <StageLine key={stage.at} stage={stage} />
      ))}
      {task.nextStageAtMs > 0 && (
        <Typography role="status" sx={{ fontSize: 14 }}>
          {t('The next stage begins at {{time}}.', { time: formatTimestamp(task.nextStageAtMs, zone) })}
        </Typography>
      )}
    </Box>
  );
}

function StageLine({ stage }: { readonly stage: StageCount }) {
  const { t } = useTranslation('Firmware');
  const { stageName, partText } = useStageTexts();
  const parts = STAGE_PARTS.filter((part) => stage.counts[part] > 0);
  return (
    <Box sx={LINE}>
      <Box sx={{ fontSize: 14, fontWeight: stage.isCurrent ? 650 : 400 }}>
        {stageName(stage)}
        {stage.isCurrent && ` · ${t('now')}`}
      </Box>
      <StageBar stage={stage} heightPx={14} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, fontSize: 13, color: 'text.secondary' }}>
        {stage.total === 0 && t('Not started')}
        {parts.map((part) => (
          <Box key={part} component="span" sx={{ whiteSpace: 'nowrap' }}>
            <PartMark part={part} />
            {partText(part, stage.counts[part])}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const LINE = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '150px minmax(80px, 320px) minmax(0, 1fr)' },
  alignItems: 'center',
  columnGap: 1.5,
  rowGap: 0.25,
} as const;
