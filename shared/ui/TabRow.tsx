import Tabs, { type TabsProps } from '@mui/material/Tabs';
import { useIsNarrow } from './useIsNarrow.ts';

/**
 * Tabs in a row that scrolls where it is too long. On narrow windows its arrows are there from the start. Left to itself, MUI
 * adds them while it scrolls to the chosen tab; the last step of that scrolling does not know of them, and the tab is hidden.
 */
export function TabRow(props: Omit<TabsProps, 'variant' | 'scrollButtons' | 'allowScrollButtonsMobile'>) {
  const isNarrow = useIsNarrow();
  const scrollButtons = isNarrow ? true : 'auto';
  // The new `key` for another width makes it scroll to the selected tab again.
  return (
    <Tabs
      {...props}
      key={String(isNarrow)}
      variant="scrollable"
      scrollButtons={scrollButtons}
      allowScrollButtonsMobile
    />
  );
}
