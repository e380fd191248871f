import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { RestoreTable } from '../../../../shared/protocol/api/system/restore.ts';
import { changedTables } from './changedTables.ts';

export function TableList({ tables }: { readonly tables: readonly RestoreTable[] }) {
  const { t } = useTranslation('SystemBackup');
  const changed = changedTables(tables);
  if (changed.length === 0) return <Box>{t('None: the backup matches the current state.')}</Box>;
  return (
    <Box component="ul" sx={LIST}>
      {changed.map((table) => (
        <TableItem key={table.name} table={table} />
      ))}
    </Box>
  );
}

function TableItem({ table }: { readonly table: RestoreTable }) {
  const { t, i18n } = useTranslation('SystemBackup');
  const numbers = new Intl.NumberFormat(i18n.language);
  const { name, now, inArchive, compared } = table;
  return (
    <Box component="li" sx={ITEM}>
      <Box sx={{ fontFamily: 'monospace', fontSize: 13, overflowWrap: 'anywhere' }}>{name}</Box>
      <Box>
        {t('Now: {{now}}, in the backup: {{archived}}', {
          now: numbers.format(now),
          archived: numbers.format(inArchive),
        })}
        {compared !== null && (
          <Box sx={{ color: 'text.secondary' }}>
            {t('Added: {{added}}, kept: {{kept}}, removed: {{removed}}', {
              added: numbers.format(compared.added),
              kept: numbers.format(compared.kept),
              removed: numbers.format(compared.removed),
            })}
          </Box>
        )}
      </Box>
    </Box>
  );
}

const LIST = { listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1 } as const;
const ITEM = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1.5fr)' },
  columnGap: 2,
  px: 1.5,
  py: 0.75,
  '& + &': { borderTop: 1, borderColor: 'divider' },
} as const;
