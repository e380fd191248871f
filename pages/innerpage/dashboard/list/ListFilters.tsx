import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { CARDS, type Card } from '../fleetFilter.ts';
import type { FleetChoice } from '../useFleetFilter.ts';
import { useStateText } from '../useStateText.ts';

/** Which devices the list and the map show; the words of the search stand in the top bar. */
export function ListFilters({ filter }: { readonly filter: FleetChoice }) {
  const { t } = useTranslation('Dashboard');
  const { ofCard } = useStateText();
  const { card, group, only } = filter.filter;
  return (
    <Box sx={BOX}>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <TextField
          select
          fullWidth
          label={t('State')}
          value={card}
          onChange={(event) => filter.setCard(event.target.value as Card)}
        >
          {CARDS.map((each) => (
            <MenuItem key={each} value={each}>
              {ofCard(each)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          fullWidth
          label={t('Group')}
          value={filter.groups.some(({ serialno }) => serialno === group) ? group : 0}
          onChange={(event) => filter.setGroup(Number(event.target.value))}
        >
          <MenuItem value={0}>{t('All groups')}</MenuItem>
          {filter.groups.map(({ serialno, name }) => (
            <MenuItem key={serialno} value={serialno}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 26 }}>
        <Box component="span" role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Devices: {{number}}', { number: filter.shown.length })}
        </Box>
        {only !== undefined && <Chip size="small" label={only.label} onDelete={() => filter.showOnly(undefined)} />}
      </Box>
    </Box>
  );
}

const BOX = { display: 'flex', flexDirection: 'column', gap: 1, p: 1.5, pb: 0.5, flexShrink: 0 } as const;
