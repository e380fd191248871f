import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { ReactNode } from 'react';
import type { InnerPageLink } from '../../../../shared/ui/frame/innerPageLink.ts';

export interface CountBar {
  readonly key: string;
  readonly name: string;
  readonly detail?: string;
  readonly icon?: ReactNode;
  readonly count: number;
}

interface Bars {
  /** The greatest first. */
  readonly bars: readonly CountBar[];
  /** Beside a bar. */
  readonly actionOf?: (bar: CountBar) => ReactNode;
}

export type CountBarsProps = Bars &
  (
    | { readonly onPick: (key: string) => void }
    /** Each leads to another page. */
    | { readonly linkOf: (key: string) => InnerPageLink }
  );

/** Counts beside one another as bars; each leads to what it counts. */
export function CountBars(props: CountBarsProps) {
  const { bars, actionOf } = props;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: 0.5 }}>
      {bars.map((bar) => (
        <Box component="li" key={bar.key} sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          {'linkOf' in props ? (
            <ButtonBase component="a" {...props.linkOf(bar.key)} sx={ROW}>
              <BarContent bar={bar} most={most} />
            </ButtonBase>
          ) : (
            <ButtonBase onClick={() => props.onPick(bar.key)} sx={ROW}>
              <BarContent bar={bar} most={most} />
            </ButtonBase>
          )}
          {actionOf?.(bar)}
        </Box>
      ))}
    </Box>
  );
}

interface BarContentProps {
  readonly bar: CountBar;
  readonly most: number;
}

function BarContent({ bar: { name, detail = '', icon, count }, most }: BarContentProps) {
  return (
    <>
      <Box component="span" sx={{ ...BAR, width: `${(100 * count) / most}%` }} aria-hidden="true" />
      {icon !== undefined && (
        <Box component="span" sx={{ position: 'relative', display: 'flex' }}>
          {icon}
        </Box>
      )}
      <Box component="span" sx={{ flex: 1, minWidth: 0, position: 'relative', textAlign: 'left' }}>
        {name}{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {detail}
        </Box>
      </Box>
      <Box component="span" sx={{ position: 'relative', fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}>
        {count}
      </Box>
    </>
  );
}

const ROW = {
  position: 'relative',
  width: '100%',
  minWidth: 0,
  display: 'flex',
  gap: 1,
  px: 1,
  py: 0.25,
  fontSize: 14,
  // Letters of any script make rows of one height.
  minHeight: 28,
  lineHeight: '24px',
  borderRadius: 0.5,
  overflow: 'hidden',
  '&:hover': { backgroundColor: 'action.hover' },
} as const;
const BAR = { position: 'absolute', inset: '0 auto 0 0', backgroundColor: 'rgb(211 47 47 / 14%)' } as const;
