import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { DeviceLimit } from '../../../../shared/protocol/deviceRules.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { type ChannelRow, channelRows, type DeviceValues, withChannel, withCount } from './deviceForm.ts';
import { useFieldLabels } from './names.ts';

export function ChannelsTab({ form }: { readonly form: Form<DeviceValues> }) {
  const { t } = useTranslation('DeviceGroup');
  const label = useFieldLabels();
  const rows = channelRows(form.values);
  const count = { ...form.field('chn'), onChange: (chn: number | null) => form.change(withCount(form.values, chn)) };
  const change = (row: ChannelRow) => form.change(withChannel(form.values, row));
  const problem = form.field('channelNames').problem;
  return (
    <>
      <NumberInput
        field={count}
        label={label.chn}
        required
        hint={t('Enter 0 to use the number that the terminal reports.')}
      />
      {problem !== undefined && <Typography color="error">{problem}</Typography>}
      {rows.length > 0 && (
        <TableContainer sx={LIST}>
          <Table size="small" stickyHeader aria-label={label.chn}>
            <TableHead>
              <TableRow>
                <TableCell>{t('Number')}</TableCell>
                <TableCell>{t('Name')}</TableCell>
                <TableCell align="center" sx={FLAG}>
                  {label.installchs}
                </TableCell>
                <TableCell align="center" sx={FLAG}>
                  {label.ptzchs}
                </TableCell>
                <TableCell align="center" sx={FLAG}>
                  {label.talkchs}
                </TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((row) => (
                <ChannelLine key={row.channel} row={row} onChange={change} disabled={form.isSaving} />
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </>
  );
}

// On a phone the words may break, and stand close: the names need the room.
const LIST = {
  maxHeight: 360,
  '& .MuiTableCell-root': { px: { xs: 0.75, sm: 1.5 } },
  '& .MuiTableCell-head': { fontSize: { xs: 12, sm: 14 }, lineHeight: 1.3 },
} as const;
const FLAG = { width: { sm: 140 }, whiteSpace: { sm: 'nowrap' } } as const;

interface ChannelLineProps {
  readonly row: ChannelRow;
  readonly onChange: (row: ChannelRow) => void;
  readonly disabled: boolean;
}

function ChannelLine({ row, onChange, disabled }: ChannelLineProps) {
  const { t } = useTranslation('DeviceGroup');
  const { channel } = row;
  const flags = [
    { name: 'installed', label: t('Channel {{channel}}: installed', { channel }) },
    { name: 'ptz', label: t('Channel {{channel}}: PTZ', { channel }) },
    { name: 'talk', label: t('Channel {{channel}}: two-way audio', { channel }) },
  ] as const;
  return (
    <TableRow>
      <TableCell>{channel}</TableCell>
      <TableCell sx={{ minWidth: { xs: 84, sm: 120 } }}>
        <TextField
          size="small"
          variant="standard"
          fullWidth
          value={row.name}
          disabled={disabled}
          onChange={(event) => onChange({ ...row, name: event.target.value })}
          slotProps={{
            htmlInput: {
              'aria-label': t('Name of channel {{channel}}', { channel }),
              maxLength: DeviceLimit.channelName,
            },
          }}
        />
      </TableCell>
      {flags.map(({ name, label }) => (
        <TableCell key={name} align="center" padding="checkbox">
          <Checkbox
            size="small"
            checked={row[name]}
            disabled={disabled}
            onChange={(_, checked) => onChange({ ...row, [name]: checked })}
            slotProps={{ input: { 'aria-label': label } }}
          />
        </TableCell>
      ))}
    </TableRow>
  );
}
