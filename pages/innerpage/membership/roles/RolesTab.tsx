import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Switch from '@mui/material/Switch';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeRole, setSecondFactorForAll } from '../../../../shared/api/accounts/membership.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Role } from '../../../../shared/protocol/api/accounts.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { type Choices, useChoices, useRoleName } from '../choices.ts';
import { useMayRunAccounts } from '../groups/GroupsTab.tsx';
import { usePermissionName } from './permissionNames.ts';
import { RoleDialog } from './RoleDialog.tsx';

type Open = { readonly kind: 'edit' | 'copy' | 'remove'; readonly role: Role } | { readonly kind: 'new' };

/** Named sets of permissions. There are few, so they stand whole and need no table. */
export function RolesTab() {
  const { t } = useTranslation('Membership');
  const choices = useChoices();
  const roleName = useRoleName();
  const mayChange = useMayRunAccounts();
  const [open, setOpen] = useState<Open>();
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    choices.reload();
  };
  if (!choices.isKnown) return <Waiting />;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, overflowY: 'auto', alignContent: 'start', pt: 1 }}>
      {mayChange && <Policy choices={choices} onAdd={() => setOpen({ kind: 'new' })} />}
      <Box component="ul" aria-label={t('Roles')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {choices.roles.map((role) => (
          <RoleCard key={role.id} role={role} mayCopy={mayChange} onOpen={(kind) => setOpen({ kind, role })} />
        ))}
      </Box>
      {(open?.kind === 'edit' || open?.kind === 'copy' || open?.kind === 'new') && (
        <RoleDialog
          role={open.kind === 'edit' ? open.role : undefined}
          copied={open.kind === 'copy' ? open.role : undefined}
          onSaved={() => done(t('Role saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: roleName(open.role) })}
          text={t('You can only delete roles without members.')}
          action={t('Delete')}
          danger
          onConfirm={() => removeRole(open.role)}
          onDone={() => done(t('Role deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Box>
  );
}

function Policy({ choices, onAdd }: { readonly choices: Choices; readonly onAdd: () => void }) {
  const { t } = useTranslation('Membership');
  const [failure, setFailure] = useState<string>();
  const change = async (on: boolean) => {
    const result = await setSecondFactorForAll(on);
    setFailure(result.ok ? undefined : errorText(result));
    choices.reload();
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <FormControlLabel
        label={t('Require two-factor authentication for all members')}
        control={
          <Switch
            size="small"
            checked={choices.secondFactorForAll}
            onChange={(_, on) => void change(on)}
            sx={{ mr: 1 }}
          />
        }
        sx={{ ml: 0, flex: 1 }}
      />
      <Button variant="contained" size="small" onClick={onAdd}>
        {t('Add role')}
      </Button>
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
    </Box>
  );
}

interface RoleCardProps {
  readonly role: Role;
  readonly mayCopy: boolean;
  readonly onOpen: (kind: 'edit' | 'copy' | 'remove') => void;
}

function RoleCard({ role, mayCopy, onOpen }: RoleCardProps) {
  const { t } = useTranslation('Membership');
  const permissionName = usePermissionName();
  const name = useRoleName()(role);
  return (
    <Paper component="li" variant="outlined" sx={{ p: 1.5, borderRadius: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Members: {{count}}', { count: role.members })}
        </Typography>
        {role.secondFactorRequired && <Chip size="small" variant="outlined" label={t('2FA required')} />}
        <Box sx={{ flex: 1 }} />
        {role.mayEdit && (
          <CardButton label={t('Edit {{name}}', { name })} icon={<Edit />} onClick={() => onOpen('edit')} />
        )}
        {mayCopy && role.mayGive && (
          <CardButton label={t('Copy {{name}}', { name })} icon={<ContentCopy />} onClick={() => onOpen('copy')} />
        )}
        {role.mayEdit && role.builtIn === '' && (
          <CardButton label={t('Delete {{name}}', { name })} icon={<Delete />} onClick={() => onOpen('remove')} />
        )}
      </Box>
      <Typography sx={{ fontSize: 14, mt: 0.5 }}>
        {role.builtIn === 'administrator'
          ? t('All permissions, including future ones')
          : role.permissions.map(permissionName).join(' · ') ||
            t("No permissions, only the dashboard of the member's groups")}
      </Typography>
    </Paper>
  );
}

interface CardButtonProps {
  readonly label: string;
  readonly icon: ReactElement;
  readonly onClick: () => void;
}

function CardButton({ label, icon, onClick }: CardButtonProps) {
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={label} onClick={onClick}>
        {icon}
      </IconButton>
    </Tooltip>
  );
}
