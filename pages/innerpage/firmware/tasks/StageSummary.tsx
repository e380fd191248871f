import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { StageBar } from './StageBar.tsx';
import { type StageCount, stageCounts } from './stageCounts.ts';

/** A task's stages in a row of the list. */
export function StageSummary({ task }: { readonly task: FirmwareTask }) {
  return (
    <Box sx={{ display: 'flex', gap: 0.75, width: '100%', height: '100%', alignItems: 'center' }}>
      {stageCounts(task).map((stage) => (
        <Box key={stage.at} sx={{ flex: '1 1 0', minWidth: 0, lineHeight: 1.2 }}>
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

const CAPTION = {
  display: 'block',
  fontSize: 11,
  fontVariantNumeric: 'tabular-nums',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const;
