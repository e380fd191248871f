// The grid names the button of every row's menu alike. Here each is named by its row, so that a list of buttons tells them apart.
import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import type { GridSlotProps } from '@mui/x-data-grid';
import { createContext, useContext } from 'react';

/** The name of the menu of the row around. */
export const RowMenuName = createContext<string | undefined>(undefined);

/** Replaces the grid's own icon button. */
export function RowMenuButton({ material, ...props }: GridSlotProps['baseIconButton']) {
  const name = useContext(RowMenuName);
  const isMenu = props['aria-haspopup'] === 'menu' && name !== undefined;
  // The grid's type names what every library of components has; what it hands over is for this one.
  const handed = { ...props, ...material } as IconButtonProps;
  return <IconButton {...handed} {...(isMenu ? { 'aria-label': name } : {})} />;
}
