import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { netflowKindText } from '../../../../shared/i18n/netflowText.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { kindsUsed, totalOf, type UseLookProps } from './usedKinds.ts';

export interface UseTableProps extends UseLookProps {
  /** Title of the first column. */
  readonly stepTitle: string;
}

/** The same in numbers. */
export function UseTable({ steps, label, stepTitle }: UseTableProps) {
  const { t } = useTranslation('Netflow');
  const used = kindsUsed(steps);
  const rows = steps.filter(({ kinds }) => totalOf(kinds) > 0);
  return (
    <Box role="region" tabIndex={0} aria-label={label} sx={{ overflow: 'auto', maxHeight: 300, flexShrink: 0 }}>
      <Box component="table" sx={TABLE}>
        <thead>
          <tr>
            <th scope="col">{stepTitle}</th>
            <th scope="col">{t('Total')}</th>
            {used.map(({ kind }) => (
              <th scope="col" key={kind}>
                {netflowKindText(kind)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((step) => (
            <tr key={step.atMs}>
              <th scope="row">{step.label}</th>
              <td>{bytesText(totalOf(step.kinds))}</td>
              {used.map(({ kind, at }) => (
                <td key={kind}>{bytesText(step.kinds[at] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

const TABLE = {
  borderCollapse: 'collapse',
  fontSize: 14,
  fontVariantNumeric: 'tabular-nums',
  '& th, & td': {
    px: 1.25,
    py: 0.5,
    borderBottom: 1,
    borderColor: 'divider',
    textAlign: 'right',
    whiteSpace: 'nowrap',
  },
  '& th:first-of-type': { textAlign: 'left' },
  '& thead th': { color: 'text.secondary', fontWeight: 600 },
} as const;
