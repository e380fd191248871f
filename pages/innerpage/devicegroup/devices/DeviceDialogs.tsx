// Moving and deleting devices.
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { moveDevices, removeDevice } from '../../../../shared/api/devices/deviceGroup.ts';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import { type DeviceRow, MAX_MOVED_DEVICES } from '../../../../shared/protocol/api/devices.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { GroupSelect } from '../tree/GroupSelect.tsx';

export interface MoveDialogProps {
  readonly tree: GroupTree;
  readonly deviceids: readonly string[];
  /** Name of the device when a single one is moved from its row; undefined for selected devices, which are counted. */
  readonly name?: string | undefined;
  readonly onDone: (moved: number) => void;
  readonly onClose: () => void;
}

export function MoveDialog({ tree, deviceids, name, onDone, onClose }: MoveDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const [group, setGroup] = useState<number>();
  const [isTried, setTried] = useState(false);
  const confirm = async (): Promise<ApiResult<number>> => {
    setTried(true);
    if (group === undefined) return { ok: false, kind: 'http', status: 422, message: t('Select a group.') };
    let count = 0;
    for (let at = 0; at < deviceids.length; at += MAX_MOVED_DEVICES) {
      const result = await moveDevices(deviceids.slice(at, at + MAX_MOVED_DEVICES), group);
      if (!result.ok) return result;
      count += result.value.moved;
    }
    return { ok: true, value: count };
  };
  return (
    <ConfirmDialog
      title={
        name === undefined
          ? t('Move selected devices ({{count}})', { count: deviceids.length })
          : t('Move {{name}}', { name })
      }
      text={t('The group decides who can see the devices. For members who lose access, video stops within 2 seconds.')}
      action={t('Move')}
      onConfirm={confirm}
      onDone={onDone}
      onClose={onClose}
    >
      <GroupSelect
        groups={tree.groups}
        value={group}
        onChange={setGroup}
        label={t('Destination group')}
        invalid={isTried && group === undefined}
      />
    </ConfirmDialog>
  );
}

export interface RemoveDeviceDialogProps {
  readonly device: DeviceRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RemoveDeviceDialog({ device, onDone, onClose }: RemoveDeviceDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const [recordings, setRecordings] = useState<'keep' | 'delete'>('keep');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: device.name })}
      text={t("The terminal is disconnected. Share links and positions are deleted. This can't be undone.")}
      action={t('Delete device')}
      danger
      onConfirm={() => removeDevice(device, recordings)}
      onDone={onDone}
      onClose={onClose}
    >
      <RadioGroup
        aria-label={t('Recordings')}
        value={recordings}
        onChange={(_, value) => setRecordings(value === 'delete' ? 'delete' : 'keep')}
      >
        <FormControlLabel
          value="keep"
          control={<Radio />}
          label={t(
            'Keep the recordings until their retention ends. Your member group sees them again if it adds a device with the same ID.',
          )}
        />
        <FormControlLabel value="delete" control={<Radio />} label={t('Delete the recordings too, except evidence.')} />
      </RadioGroup>
    </ConfirmDialog>
  );
}
