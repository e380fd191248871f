import Restart from '@mui/icons-material/RestartAltOutlined';
import Reset from '@mui/icons-material/SettingsBackupRestoreOutlined';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TerminalRestart } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { RestartDialog, type RestartedDevice } from './RestartDialog.tsx';

export interface Restarts {
  /** The actions in the menu of a device's row. */
  readonly actionsOf: (device: RestartedDevice) => readonly RowAction[];
  /** The open confirmation dialog; null for none. */
  readonly dialog: ReactElement | null;
}

/** Restart and factory reset of one device of a table. */
export function useRestarts(): Restarts {
  const { t } = useTranslation('Firmware');
  const [opened, setOpened] = useState<{ readonly device: RestartedDevice; readonly act: TerminalRestart }>();
  const close = () => setOpened(undefined);
  const done = () => {
    close();
    notify('success', t('Command sent to the terminal.'));
  };
  return {
    actionsOf: (device) => {
      const name = device.name || device.deviceid;
      return [
        {
          icon: <Restart />,
          label: t('Restart {{name}}', { name }),
          inMenu: true,
          onClick: () => setOpened({ device, act: 'restart' }),
        },
        {
          icon: <Reset />,
          label: t('Reset {{name}} to factory settings', { name }),
          inMenu: true,
          onClick: () => setOpened({ device, act: 'factory-reset' }),
        },
      ];
    },
    dialog: opened === undefined ? null : <RestartDialog {...opened} onDone={done} onClose={close} />,
  };
}
