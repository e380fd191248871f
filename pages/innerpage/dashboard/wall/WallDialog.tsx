import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiResult, mapResult } from '../../../../shared/api/client.ts';
import { keepWall, removeWall } from '../../../../shared/api/fleet.ts';
import { MAX_WALL_CHANNELS, MAX_WALL_NAME, type Wall } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { WallChannels } from './WallChannels.tsx';
import { type Draft, draftFaults, draftOf, wallOf } from './wallDraft.ts';

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
  const [isRemoving, setRemoving] = useState(false);
  const check = useDraftCheck(names.filter((name) => name !== wall?.name));
  const form = useForm<Draft>({ initial: draftOf(wall), check });
  const save = async () => {
    const kept = await form.submit((draft) => keep(wallOf(draft), wall?.name));
    if (kept !== undefined) onClose(kept);
  };
  const remove = wall !== undefined && (
    <Button color="error" disabled={form.isSaving} onClick={() => setRemoving(true)}>
      {t('Delete wall')}
    </Button>
  );
  return (
    <>
      <FormDialog
        title={wall === undefined ? t('Add wall') : t('Edit wall')}
        form={form}
        onSubmit={() => void save()}
        onClose={() => onClose(undefined)}
        aside={remove}
      >
        <TextInput field={form.field('name')} label={t('Name')} required autoFocus maxLength={MAX_WALL_NAME} />
        <TextInput
          field={form.field('seconds')}
          label={t('Seconds per wall')}
          hint={t('How long the wall is shown when cycling. Enter 0 to skip it.')}
          maxLength={4}
        />
        <WallChannels field={form.field('channels')} devices={devices} limit={MAX_WALL_CHANNELS} />
      </FormDialog>
      {isRemoving && wall !== undefined && (
        <ConfirmDialog
          danger
          title={t('Delete {{name}}?', { name: wall.name })}
          text={t("The wall is deleted. Cameras and recordings aren't affected. This can't be undone.")}
          action={t('Delete wall')}
          onConfirm={() => removeWall(wall.name)}
          onDone={() => onClose('')}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** Gives the wall's name. Under another name it is another wall: the one under the name before goes. */
async function keep(wall: Wall, nameBefore: string | undefined): Promise<ApiResult<string>> {
  const kept = await keepWall(wall);
  const isRenamed = nameBefore !== undefined && nameBefore !== wall.name;
  return mapResult(kept.ok && isRenamed ? await removeWall(nameBefore) : kept, () => wall.name);
}

function useDraftCheck(taken: readonly string[]): (draft: Draft) => Problems<Draft> {
  const { t } = useTranslation('Dashboard');
  return (draft) => {
    const faults = draftFaults(draft, taken);
    return {
      name:
        faults.name &&
        (faults.name === 'taken'
          ? t('You already have a wall with this name. Enter another name.')
          : t('Enter a name.')),
      seconds: faults.seconds && t('Enter a number from 0 to 3600.'),
      channels: faults.channels && t('Add at least one camera.'),
    };
  };
}
