import Box from '@mui/material/Box';
import { STAGE_PARTS, type StageCount, type StagePart } from './stageCounts.ts';
import { useStageTexts } from './useStageTexts.ts';

const COLORS: Readonly<Record<StagePart, string>> = {
  done: 'success.main',
  active: 'info.main',
  waiting: 'action.disabled',
  failed: 'error.main',
  ended: 'transparent',
};

/** The stripes distinguish it from what waits: two grays look alike. */
const STRIPES = 'repeating-linear-gradient(45deg, currentColor 0 2px, transparent 2px 5px)';

function look(part: StagePart) {
  return { backgroundColor: COLORS[part], ...(part === 'ended' && { backgroundImage: STRIPES }) };
}

/** One stage as a bar. What it shows has to stand beside it as text: colors alone tell too little. */
export function StageBar({ stage, heightPx }: { readonly stage: StageCount; readonly heightPx: number }) {
  const { stageName, countsText } = useStageTexts();
  return (
    <Box
      role="img"
      aria-label={`${stageName(stage)}: ${countsText(stage)}`}
      sx={{
        display: 'flex',
        height: heightPx,
        minWidth: 24,
        overflow: 'hidden',
        borderRadius: 1,
        backgroundColor: 'action.hover',
        border: 1,
        borderColor: 'divider',
        color: 'text.secondary',
      }}
    >
      {STAGE_PARTS.map((part) =>
        stage.counts[part] === 0 ? null : (
          <Box key={part} sx={{ flex: `${stage.counts[part]} 0 0`, minWidth: 3, ...look(part) }} />
        ),
      )}
    </Box>
  );
}

/** The color of a part in the texts beside a bar. */
export function PartMark({ part }: { readonly part: StagePart }) {
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        display: 'inline-block',
        width: 10,
        height: 10,
        mr: 0.5,
        borderRadius: 0.5,
        ...look(part),
      }}
    />
  );
}
