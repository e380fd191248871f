/** Fields beside one another where there is room. */
export const COLUMNS = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(210px, 100%), 1fr))',
  alignItems: 'start',
} as const;
