import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

export interface SectionProps {
  readonly title: string;
  /** `h3` in a dialog, below its title. */
  readonly level?: 'h2' | 'h3';
  readonly children: ReactNode;
}

/** A part of a form under a heading of its own. */
export function Section({ title, level = 'h3', children }: SectionProps) {
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Typography id={titleId} component={level} sx={{ fontSize: 15, fontWeight: 650 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
