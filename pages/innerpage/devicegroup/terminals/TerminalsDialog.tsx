// Terminals that have dialled in and were refused: unknown ones to adopt, known ones with another identity or address.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { approveTerminal, refuseTerminal } from '../../../../shared/api/devices/deviceGroup.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { isElsewhere, isOpen } from './useTerminals.ts';

export interface TerminalsDialogProps {
  readonly terminals: readonly WaitingTerminal[];
  readonly onAdopt: (terminal: WaitingTerminal) => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function TerminalsDialog({ terminals, onAdopt, onChanged, onClose }: TerminalsDialogProps) {
  const { t } = useTranslation(['DeviceGroup', 'Common']);
  const titleId = useId();
  const [failure, setFailure] = useState<string>();
  const [showsRefused, setShowsRefused] = useState(false);
  const isNarrow = useIsNarrow();
  const decide = async (request: Promise<ApiResult<unknown>>, done: string) => {
    const result = await request;
    setFailure(result.ok ? undefined : errorText(result));
    if (result.ok) notify('success', done);
    onChanged();
  };
  const approve = (terminal: WaitingTerminal) =>
    void decide(
      approveTerminal(terminal),
      isElsewhere(terminal) ? t('Terminal approved. It has 5 minutes to register.') : t('New identity approved.'),
    );
  const refuse = (terminal: WaitingTerminal) => void decide(refuseTerminal(terminal), t('Terminal rejected.'));
  const refused = terminals.filter((terminal) => !isOpen(terminal));
  const shown = showsRefused ? terminals : terminals.filter(isOpen);
  const known = { accept: t('Approve'), onAccept: approve, onRefuse: refuse };
  const unknown = { accept: t('Adopt'), onAccept: onAdopt, onRefuse: refuse };
  const changed = shown.filter((terminal) => terminal.device !== null && !isElsewhere(terminal));
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="md" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Terminals awaiting approval')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {failure !== undefined && <Alert severity="error">{failure}</Alert>}
        {shown.length === 0 && (
          <Typography color="text.secondary">
            {t('No terminals awaiting approval. Unknown terminals appear here within a minute of connecting.')}
          </Typography>
        )}
        <Part title={t('Online from another address')} terminals={shown.filter(isElsewhere)} {...known} />
        <Part title={t('Changed identities')} terminals={changed} {...known} />
        <Part title={t('Unknown terminals')} terminals={shown.filter(({ device }) => device === null)} {...unknown} />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {refused.length > 0 && (
          <Button onClick={() => setShowsRefused(!showsRefused)}>
            {showsRefused ? t('Hide rejected') : t('Show rejected ({{count}})', { count: refused.length })}
          </Button>
        )}
        <Box sx={{ flex: 1 }} />
        <Button onClick={onClose}>{t('Close', { ns: 'Common' })}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface Decisions {
  readonly accept: string;
  readonly onAccept: (terminal: WaitingTerminal) => void;
  readonly onRefuse: (terminal: WaitingTerminal) => void;
}

interface PartProps extends Decisions {
  readonly title: string;
  readonly terminals: readonly WaitingTerminal[];
}

function Part({ title, terminals, ...decisions }: PartProps) {
  if (terminals.length === 0) return null;
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1 }}>
      <Typography component="h3" sx={{ fontWeight: 650 }}>
        {title}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {terminals.map((terminal) => (
          <Entry key={terminal.terminal} terminal={terminal} {...decisions} />
        ))}
      </Box>
    </Box>
  );
}

interface EntryProps extends Decisions {
  readonly terminal: WaitingTerminal;
}

function Entry({ terminal, accept, onAccept, onRefuse }: EntryProps) {
  const { t } = useTranslation('DeviceGroup');
  const zone = useUserZone();
  const { terminal: number, manufacturer, model, terminalId, plate, address, attempts, device } = terminal;
  const facts = [
    ...(plate === '' ? [] : [plate]),
    t('Manufacturer: {{manufacturer}}, terminal ID: {{terminalId}}', { manufacturer, terminalId }),
    ...(model === '' ? [] : [t('Model: {{model}}', { model })]),
    t('Source IP: {{address}}', { address }),
  ];
  const seen = { moment: formatTimestampWithZone(terminal.lastSeenAtMs, zone), count: attempts };
  return (
    <Box component="li" sx={ENTRY}>
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {device === null ? number : `${device.name} (${number})`}
        </Typography>
        <Typography sx={FACTS}>{facts.join(' · ')}</Typography>
        {device !== null && (
          <Typography sx={FACTS}>
            {isElsewhere(terminal)
              ? t('This number is online from another address. Approving disconnects that terminal.')
              : t('Current identity: manufacturer {{manufacturer}}, terminal ID {{terminalId}}', { ...device })}
          </Typography>
        )}
        <Typography sx={FACTS}>{t('Last attempt: {{moment}}, attempts: {{count}}', seen)}</Typography>
        {terminal.refusedAtMs > 0 && (
          <Typography sx={{ ...FACTS, color: 'warning.main' }}>
            {t('Rejected by {{name}}', { name: terminal.refusedBy })}
          </Typography>
        )}
      </Box>
      {terminal.refusedAtMs === 0 && (
        <Button size="small" onClick={() => onRefuse(terminal)} aria-label={t('Reject {{number}}', { number })}>
          {t('Reject')}
        </Button>
      )}
      <Button size="small" variant="contained" onClick={() => onAccept(terminal)} aria-label={`${accept} ${number}`}>
        {accept}
      </Button>
    </Box>
  );
}

const ENTRY = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  p: 1.5,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
const FACTS = { fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' } as const;
