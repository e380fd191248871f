import Chip from '@mui/material/Chip';
import type { FirmwareTaskState } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { useTaskStateText } from '../words/taskTexts.ts';

const COLORS: Readonly<Record<FirmwareTaskState, 'default' | 'info' | 'success' | 'error' | 'warning'>> = {
  draft: 'default',
  approved: 'info',
  running: 'info',
  paused: 'warning',
  stopped: 'error',
  done: 'success',
};

export function TaskStateChip({ state }: { readonly state: FirmwareTaskState }) {
  const text = useTaskStateText()(state);
  return <Chip size="small" variant="outlined" color={COLORS[state]} label={text} />;
}
