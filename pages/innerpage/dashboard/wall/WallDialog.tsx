import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { keepWall, removeWall } from '../../../../shared/api/dashboard.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { MAX_WALL_CHANNELS, MAX_WALL_NAME, type Wall } from '../../../../shared/protocol/api/dashboard.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { WallChannels } from './WallChannels.tsx';
import { type Draft, draftOf, wallOf } from './wallDraft.ts';

export interface WallDialogProps {
  /** Undefined for a new one. */
  readonly wall: Wall | undefined;
  readonly names: readonly string[];
  readonly devices: ReadonlyMap<string, LiveDevice>;
  /** The wall's name when it was kept, '' when it was removed, undefined when nothing was done. */
  readonly onClose: (kept: string | undefined) => void;
}

export function WallDialog({ wall, names, devices, onClose }: WallDialogProps) {
  const { t } = useTranslation('Dashboard');
  const [draft, setDraft] = useState(() => draftOf(wall));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const taken = wall?.name !== draft.name.trim() && names.includes(draft.name.trim());
  const ready = wallOf(draft);
  const run = async (call: Promise<ApiResult<unknown>>, done: string): Promise<void> => {
    setBusy(true);
    const result = await call;
    setBusy(false);
    if (result.ok) onClose(done);
    else setProblem(errorText(result));
  };
  const keep = async (next: Wall): Promise<void> => {
    // Under another name it is another wall: the old one goes.
    const renamed = wall !== undefined && wall.name !== next.name;
    await run(
      keepWall(next).then((result) => (result.ok && renamed ? removeWall(wall.name) : result)),
      next.name,
    );
  };
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={() => onClose(undefined)} aria-labelledby="wall-title">
      <DialogTitle id="wall-title">{wall === undefined ? t('New wall') : t('Edit wall')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        <NameAndTurn draft={draft} taken={taken} onChange={setDraft} />
        <WallChannels
          channels={draft.channels}
          devices={devices}
          limit={MAX_WALL_CHANNELS}
          onChange={(channels) => setDraft({ ...draft, channels })}
        />
      </DialogContent>
      <DialogActions>
        {wall !== undefined && (
          <Button
            color="error"
            disabled={isBusy}
            sx={{ mr: 'auto' }}
            onClick={() => void run(removeWall(wall.name), '')}
          >
            {t('Delete wall')}
          </Button>
        )}
        <Button onClick={() => onClose(undefined)}>{t('Cancel')}</Button>
        <Button
          variant="contained"
          disabled={isBusy || ready === undefined || taken}
          onClick={() => ready !== undefined && void keep(ready)}
        >
          {t('Save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface NameAndTurnProps {
  readonly draft: Draft;
  readonly taken: boolean;
  readonly onChange: (draft: Draft) => void;
}

function NameAndTurn({ draft, taken, onChange }: NameAndTurnProps) {
  const { t } = useTranslation('Dashboard');
  return (
    <>
      <TextField
        label={t('Name')}
        value={draft.name}
        autoFocus
        required
        error={taken}
        helperText={taken ? t('You have a wall of this name.') : undefined}
        slotProps={{ htmlInput: { maxLength: MAX_WALL_NAME } }}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
        sx={{ mt: 1 }}
      />
      <TextField
        label={t('Seconds in the turn')}
        type="number"
        value={draft.seconds}
        helperText={t('How long it is shown when walls are shown in turn. 0 leaves it out.')}
        slotProps={{ htmlInput: { min: 0, max: 3600 } }}
        onChange={(event) => onChange({ ...draft, seconds: event.target.value })}
      />
    </>
  );
}
