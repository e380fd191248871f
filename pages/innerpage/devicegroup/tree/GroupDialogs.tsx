// Adding, renaming and deleting a group.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { addGroup, changeGroup, removeGroup } from '../../../../shared/api/devices/deviceGroup.ts';
import type { GroupNode, GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import { groupNameFault } from '../../../../shared/protocol/deviceRules.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { fieldText } from '../../../../shared/ui/form/text/fieldText.ts';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { GroupSelect } from './GroupSelect.tsx';
import { branchOf } from './treeModel.ts';

interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly save: (name: string) => Promise<ApiResult<GroupNode>>;
  readonly onDone: (group: GroupNode) => void;
  readonly onClose: () => void;
}

function NameDialog({ title, name, hint, save, onDone, onClose }: NameDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const form = useForm({
    initial: { name },
    check: (values) => {
      const fault = groupNameFault(values.name);
      return fault === undefined ? {} : { name: fieldText(fault) };
    },
  });
  const submit = async () => {
    const group = await form.submit((values) => save(values.name));
    if (group !== undefined) onDone(group);
  };
  return (
    <FormDialog title={title} form={form} maxWidth="xs" onSubmit={() => void submit()} onClose={onClose}>
      <TextInput field={form.field('name')} label={t('Group name')} hint={hint} required autoFocus maxLength={64} />
    </FormDialog>
  );
}

interface GroupDialogProps {
  readonly onDone: (group: GroupNode) => void;
  readonly onClose: () => void;
}

export interface AddGroupDialogProps extends GroupDialogProps {
  readonly parent: GroupNode | undefined;
  /** Why it is asked for. */
  readonly hint?: string | undefined;
}

export function AddGroupDialog({ parent, ...rest }: AddGroupDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const title = parent === undefined ? t('Add group') : t('Add subgroup to {{name}}', { name: parent.name });
  return <NameDialog {...rest} title={title} name="" save={(name) => addGroup({ name, parent: parent?.id ?? null })} />;
}

export function RenameGroupDialog({ group, ...rest }: GroupDialogProps & { readonly group: GroupNode }) {
  const { t } = useTranslation('DeviceGroup');
  const save = (name: string) => changeGroup(group.id, group.version, { name, parent: group.parent });
  return <NameDialog {...rest} title={t('Rename group')} name={group.name} save={save} />;
}

export interface RemoveGroupDialogProps {
  readonly tree: GroupTree;
  readonly group: GroupNode;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** When there are devices in the group or in groups below it, the user has to select where they go. */
export function RemoveGroupDialog({ tree, group, onDone, onClose }: RemoveGroupDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const [target, setTarget] = useState<number>();
  const branch = branchOf(tree.groups, group.id);
  const devices = tree.groups.filter(({ id }) => branch.has(id)).reduce((sum, each) => sum + each.devices, 0);
  const others = tree.groups.filter(({ id }) => !branch.has(id));
  const isMissing = devices > 0 && target === undefined;
  const [isTried, setTried] = useState(false);
  const confirm = async (): Promise<ApiResult<unknown>> => {
    setTried(true);
    if (!isMissing) return removeGroup(group, target);
    const message = t('Select a group to move the devices to.');
    return { ok: false, kind: 'http', status: 422, message };
  };
  const beneath = branch.size - 1;
  return (
    <ConfirmDialog
      title={t('Delete group {{name}}?', { name: group.name })}
      text={
        beneath === 0
          ? t("Devices in the group: {{devices}}. Devices aren't deleted.", { devices })
          : t(
              "Subgroups to be deleted too: {{groups}}. Devices in all of these groups: {{devices}}. Devices aren't deleted.",
              {
                groups: beneath,
                devices,
              },
            )
      }
      action={t('Delete group')}
      danger
      onConfirm={confirm}
      onDone={onDone}
      onClose={onClose}
    >
      {devices > 0 && (
        <GroupSelect
          groups={others}
          value={target}
          onChange={setTarget}
          label={t('Move devices to')}
          invalid={isTried && isMissing}
        />
      )}
    </ConfirmDialog>
  );
}
