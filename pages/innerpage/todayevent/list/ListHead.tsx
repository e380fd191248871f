import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { visuallyHidden } from '../../../../shared/ui/visuallyHidden.ts';
import { WIDE_AREAS } from './rowLayout.ts';

export const HEAD_PIXELS = 37;

export interface ListHeadProps {
  readonly isCompact: boolean;
  readonly selected: 'none' | 'some' | 'all';
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** The heads of the columns; in a narrow list, what selects all. */
export function ListHead({ isCompact, selected, onSelectAll, onClear }: ListHeadProps) {
  const { t } = useTranslation('TodayEvent');
  const heads = [
    ['type', t('Event')],
    ['device', t('Device')],
    ['time', t('Time')],
    ['status', t('Status')],
    ['media', t('Media')],
  ] as const;
  return (
    <Box role="row" aria-rowindex={1} sx={isCompact ? COMPACT_HEAD : WIDE_HEAD}>
      <Box role="columnheader" sx={CHECK}>
        <label>
          <input
            type="checkbox"
            checked={selected === 'all'}
            ref={(box) => {
              if (box !== null) box.indeterminate = selected === 'some';
            }}
            onChange={selected === 'all' ? onClear : onSelectAll}
          />
          <Box component="span" sx={isCompact ? LABEL : visuallyHidden}>
            {t('Select all')}
          </Box>
        </label>
      </Box>
      {heads.map(([area, name]) => (
        <Box key={area} role="columnheader" sx={isCompact ? visuallyHidden : { gridArea: area, minWidth: 0 }}>
          {name}
        </Box>
      ))}
    </Box>
  );
}

const HEAD = {
  alignItems: 'center',
  columnGap: 1,
  boxSizing: 'border-box',
  height: HEAD_PIXELS,
  pr: 1,
  flexShrink: 0,
  fontSize: 12.5,
  fontWeight: 650,
  borderBottom: 1,
  borderLeft: '4px solid transparent',
  borderBottomColor: 'divider',
} as const;
const WIDE_HEAD = {
  ...HEAD,
  display: 'grid',
  ...WIDE_AREAS,
  gridTemplateAreas: '"check icon type device time status media"',
} as const;
const COMPACT_HEAD = { ...HEAD, display: 'flex', position: 'relative' } as const;
const CHECK = {
  gridArea: 'check',
  '& label': { display: 'flex', alignItems: 'center', minHeight: 36, pl: 1.375, cursor: 'pointer' },
  '& input': { width: 18, height: 18, m: 0, accentColor: 'var(--mui-palette-primary-main)', cursor: 'pointer' },
} as const;
const LABEL = { ml: 1 } as const;
