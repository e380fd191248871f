import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addRole, saveRole } from '../../../../shared/api/accounts/membership.ts';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { MAX_NAME_LENGTH, Role, type RoleContent } from '../../../../shared/protocol/api/accounts.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { useSession } from '../../../../shared/ui/session.ts';
import { useRoleName } from '../choices.ts';
import { PERMISSION_ORDER, usePermissionName } from './permissionNames.ts';

export interface RoleDialogProps {
  /** Undefined: a new one. */
  readonly role: Role | undefined;
  /** What a new one begins with. */
  readonly copied?: Role | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function contentOf({ name, permissions, secondFactorRequired }: Role): RoleContent {
  const order = PERMISSION_ORDER.filter((permission) => permissions.includes(permission));
  return { name, permissions: order, secondFactorRequired };
}

export function RoleDialog({ role, copied, onSaved, onClose }: RoleDialogProps) {
  const { t } = useTranslation('Membership');
  const roleName = useRoleName();
  const permissionName = usePermissionName();
  const [version, setVersion] = useState(role?.version ?? 0);
  const [initial] = useState(() => {
    if (role !== undefined) return contentOf(role);
    if (copied === undefined) return { name: '', permissions: [], secondFactorRequired: false };
    return { ...contentOf(copied), name: t('Copy of {{name}}', { name: roleName(copied) }) };
  });
  const noName = t('Enter a name.');
  const form = useForm<RoleContent>({
    initial,
    check: ({ name }) => ({ name: name.trim() === '' ? noName : undefined }),
  });
  const save = async () => {
    const saved = await form.submit(async (content) => {
      const result = await (role === undefined ? addRole(content) : saveRole(role.id, version, content));
      return result.ok ? { ok: true, value: true } : result;
    });
    if (saved === true) onSaved();
  };
  const mine = useOwnPermissions();
  const offered = PERMISSION_ORDER.filter((each) => mine.includes(each) || initial.permissions.includes(each));
  const theirs = form.conflict === undefined ? undefined : readRecord(Role, form.conflict);
  return (
    <FormDialog
      title={role === undefined ? t('Add role') : t('Role {{name}}', { name: roleName(role) })}
      form={form}
      always={role === undefined}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {(role === undefined || role.builtIn === '') && (
        <TextInput field={form.field('name')} label={t('Name')} required autoFocus maxLength={MAX_NAME_LENGTH} />
      )}
      <ChoiceInput
        field={form.field('permissions')}
        label={t('Permissions')}
        inColumns
        hint={t('You can only grant permissions that you have.')}
        options={offered.map((permission) => ({ value: permission, label: permissionName(permission) }))}
      />
      {form.values.permissions.includes(Permission.SystemBackup) && <BackupNote />}
      <SwitchInput
        field={form.field('secondFactorRequired')}
        label={t('Require two-factor authentication')}
        hint={t('Members with this role set it up at their next sign-in.')}
      />
      {theirs !== undefined && (
        <ConflictDialog
          versions={{ base: form.base, mine: form.values, theirs: contentOf(theirs) }}
          fields={[
            { name: 'name', label: t('Name'), show: ({ name }) => name },
            {
              name: 'permissions',
              label: t('Permissions'),
              show: ({ permissions }) => listText(permissions.map(permissionName)),
            },
            {
              name: 'secondFactorRequired',
              label: t('Require two-factor authentication'),
              show: ({ secondFactorRequired }) => (secondFactorRequired ? t('Yes') : t('No')),
            },
          ]}
          onChoose={(values) => {
            setVersion(theirs.version);
            form.rebase(contentOf(theirs), values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}

/** The permission reads as if it opened the whole page, whose most dangerous acts need every permission. */
function BackupNote() {
  const { t } = useTranslation('Membership');
  const page = usePermissionName()(Permission.SystemBackup);
  return (
    <Box sx={{ color: 'text.secondary', fontSize: 14 }}>
      {t(
        '{{page}} allows making, testing and deleting backups and importing parts of them. Restores, downloads and changes of the encryption need all permissions.',
        { page },
      )}
    </Box>
  );
}

function useOwnPermissions(): readonly string[] {
  const session = useSession();
  return session.kind === 'signed-in' ? session.status.permission : [];
}
