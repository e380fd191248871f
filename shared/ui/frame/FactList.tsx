import Box from '@mui/material/Box';

export interface FactListProps {
  /** Facts without a text are left out. */
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** Names and texts side by side, and below one another on a phone. */
export function FactList({ facts }: FactListProps) {
  return (
    <Box component="dl" sx={FACTS}>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {text}
            </Box>
          </Box>
        ))}
    </Box>
  );
}

const FACTS = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'max-content minmax(0, 1fr)' },
  columnGap: 2,
  rowGap: 0.5,
  m: 0,
} as const;
