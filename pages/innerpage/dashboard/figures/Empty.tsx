import Box from '@mui/material/Box';

/** In place of a figure that has nothing to show yet. */
export function Empty({ text }: { readonly text: string }) {
  return <Box sx={{ py: 4, px: 1, color: 'text.secondary', fontSize: 14 }}>{text}</Box>;
}
