import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';

export interface CountBar {
  readonly key: string;
  readonly name: string;
  readonly detail?: string;
  readonly count: number;
}

export interface CountBarsProps {
  /** The greatest first. */
  readonly bars: readonly CountBar[];
  readonly onPick: (key: string) => void;
}

/** Counts beside one another as bars; each leads to what it counts. */
export function CountBars({ bars, onPick }: CountBarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: 0.5 }}>
      {bars.map(({ key, name, detail = '', count }) => (
        <li key={key}>
          <ButtonBase onClick={() => onPick(key)} sx={ROW}>
            <Box component="span" sx={{ ...BAR, width: `${(100 * count) / most}%` }} aria-hidden="true" />
            <Box component="span" sx={{ flex: 1, position: 'relative', textAlign: 'left' }}>
              {name}{' '}
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {detail}
              </Box>
            </Box>
            <Box component="span" sx={{ position: 'relative', fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}>
              {count}
            </Box>
          </ButtonBase>
        </li>
      ))}
    </Box>
  );
}

const ROW = {
  position: 'relative',
  width: '100%',
  display: 'flex',
  gap: 1,
  px: 1,
  py: 0.25,
  fontSize: 14,
  // Letters of any script make rows of one height.
  minHeight: 28,
  lineHeight: '24px',
  borderRadius: 0.5,
  overflow: 'hidden',
  '&:hover': { backgroundColor: 'action.hover' },
} as const;
const BAR = { position: 'absolute', inset: '0 auto 0 0', backgroundColor: 'rgb(211 47 47 / 14%)' } as const;
