import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { StageBar } from './StageBar.tsx';
import { type StageCount, stageCounts } from './stageCounts.ts';

/** A task's stages in a row of the list. */
export function StageSummary({ task }: { readonly task: FirmwareTask }) {
  return (
    <Box sx={STAGES}>
      {stageCounts(task).map((stage) => (
        <Box key={stage.at} sx={STAGE}>
          <StageBar stage={stage} heightPx={8} />
          <Caption stage={stage} />
        </Box>
      ))}
    </Box>
  );
}

function Caption({ stage }: { readonly stage: StageCount }) {
  const { t } = useTranslation('Firmware');
  const { counts, total, isCanary, percent } = stage;
  const name = isCanary ? t('Canaries') : `${percent}%`;
  const text = total === 0 ? name : `${name} ${counts.done}/${total}`;
  return (
    <Box component="span" sx={CAPTION}>
      {text}
      {counts.failed > 0 && (
        <Box component="span" sx={{ color: 'error.main', fontWeight: 650 }}>
          {` ✕${counts.failed}`}
        </Box>
      )}
    </Box>
  );
}

const STAGES = {
  display: 'flex',
  gap: 0.75,
  width: '100%',
  height: '100%',
  // Ten stages are more than a row has room for; the task's own view has all of them.
  overflow: 'hidden',
  // In a card of a phone the row's height is that of its content.
  minHeight: 32,
  alignItems: 'center',
} as const;
// A stage is at least as wide as its caption; a stage that has begun has the longer one.
const STAGE = { flex: '1 1 auto', minWidth: 'min-content', lineHeight: 1.2 } as const;
const CAPTION = {
  display: 'block',
  fontSize: 11,
  fontVariantNumeric: 'tabular-nums',
  whiteSpace: 'nowrap',
} as const;
