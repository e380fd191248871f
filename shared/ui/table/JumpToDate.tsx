import { useTranslation } from 'react-i18next';
import { FilterDay } from './FilterDay.tsx';

export interface JumpToDateProps {
  /** yyyy-MM-dd; '' for none. */
  readonly day: string;
  readonly onJump: (day: string) => void;
}

/** In a table that is sorted by a moment: shows its rows from a day on. */
export function JumpToDate({ day, onJump }: JumpToDateProps) {
  const { t } = useTranslation('Table');
  const jump = (next: string) => {
    if (next !== day) onJump(next);
  };
  return <FilterDay label={t('Jump to date')} value={day} onChange={jump} />;
}
