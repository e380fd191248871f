import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** A part of a form under a heading of its own. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Typography id={titleId} component="h3" sx={{ fontSize: 15, fontWeight: 650 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
