import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { pageFlags } from '../api/pageFlags.ts';

/** The page's `main` with the standard padding, which `nontop` drops. */
export function PageContainer({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="main" sx={{ flex: 1, minWidth: 0, p: pageFlags().nontop ? 0 : { xs: 2, lg: 3 } }}>
      {children}
    </Box>
  );
}
