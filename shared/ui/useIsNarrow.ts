import useMediaQuery from '@mui/material/useMediaQuery';
import { BREAKPOINTS } from './theme.ts';

/** Windows as wide as a phone's: dialogs fill them, and tables become cards. */
export const NARROW = `(max-width: ${BREAKPOINTS.sm - 0.02}px)`;

/** Right from the first time that the component is drawn. */
export const useIsNarrow = (): boolean => useMediaQuery(NARROW, { noSsr: true });
