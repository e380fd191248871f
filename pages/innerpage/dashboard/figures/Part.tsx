import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** One figure with its heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Box component="section" sx={PART}>
      <Typography component="h2" sx={{ fontSize: 15, fontWeight: 640 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

const PART = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  p: 1.5,
  minWidth: 0,
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
  backgroundColor: 'background.paper',
} as const;
