import type { ReactElement, ReactNode } from 'react';
import type { TableSetUp } from './tableMemory.ts';

/** A column of a table, by the name that the list call sorts by. */
export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  /** The cell's text; what screen readers and copies get, and what is shown unless `render` shows it otherwise. */
  readonly text: (row: Row) => string;
  readonly render?: (row: Row) => ReactNode;
  /** Pixels; a column without one shares what is left. */
  readonly width?: number;
  readonly minWidth?: number;
  /** Whether the gateway sorts by it. */
  readonly sortable?: boolean;
  /** Whether the gateway sorts it by milliseconds since the epoch: a table that is sorted by it can be shown from a day on. */
  readonly isTimestamp?: boolean;
  /** Off until the user switches it on. */
  readonly hiddenAtFirst?: boolean;
  readonly align?: 'left' | 'right';
}

export function isShown<Row>({ name, hiddenAtFirst = false }: Column<Row>, { shown }: TableSetUp): boolean {
  return shown[name] ?? !hiddenAtFirst;
}

/** Something that can be done with a row. */
export interface RowAction {
  readonly icon: ReactElement;
  /** Says what and to which row: it is all that a screen reader has. */
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** Whether the action is in the row's menu instead of beside it. */
  readonly inMenu?: boolean;
}
