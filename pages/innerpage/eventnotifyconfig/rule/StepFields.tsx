import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { AddressesInput } from '../../../../shared/ui/addresses/AddressesInput.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { useRoleName } from '../useNotifyChoices.ts';
import { DeliveryFields } from './DeliveryFields.tsx';
import { memberName, unreachableMembers } from './reachability.ts';
import type { RuleContext } from './ruleContext.ts';
import type { StepDraft } from './ruleForm.ts';
import { stepPart } from './stepField.ts';

export interface StepFieldsProps {
  readonly context: RuleContext;
  readonly at: number;
  /** Left out for the only step. */
  readonly onRemove: (() => void) | undefined;
}

/** One step: its time, its senders and its recipients. */
export function StepFields({ context: { form, choices }, at, onRemove }: StepFieldsProps) {
  const { t } = useTranslation('NotifyConfig');
  const titleId = useId();
  const part = stepPart(form, at);
  const members = part('members');
  // Members, roles and addresses together.
  const recipients = form.part(`steps.${at}.recipients`, NOTHING);
  const number = at + 1;
  return (
    <Box role="group" aria-labelledby={titleId} sx={STEP}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography id={titleId} component="h4" sx={{ fontSize: 14, fontWeight: 600, flex: 1 }}>
          {t('Step {{number}}', { number })}
        </Typography>
        {onRemove !== undefined && (
          <IconButton
            size="small"
            aria-label={t('Remove step {{number}}', { number })}
            disabled={form.isSaving}
            onClick={onRemove}
          >
            <Delete />
          </IconButton>
        )}
      </Box>
      <NumberInput
        field={part('afterMinutes')}
        label={t('After (min)')}
        required
        hint={
          at === 0
            ? t('0 sends at once. Later messages are only sent if the event is unanswered.')
            : t('Counted from the start of the event. Only sent if the event is unanswered.')
        }
      />
      <DeliveryFields form={form} choices={choices} at={at} />
      <Box sx={COLUMNS}>
        <ManyInput
          placeholder=""
          field={{ ...members, problem: members.problem ?? recipients.problem }}
          label={t('Members')}
          hint={useMemberHint(choices, form.values.steps[at] as StepDraft)}
          options={memberOptions(choices)}
        />
        <ManyInput placeholder="" field={part('roles')} label={t('Roles')} options={useRoleOptions(choices)} />
      </Box>
      <AddressesInput
        field={part('addresses')}
        label={t('Other addresses')}
        hint={t('Email addresses, or phone numbers such as +886912345678')}
      />
    </Box>
  );
}

/** For what has no input of its own. */
const NOTHING = { value: undefined, onChange: () => undefined };

function memberOptions({ members }: NotifyChoices): readonly Option<string>[] {
  return members.map((member) => ({
    value: String(member.id),
    label: member.displayName === '' ? member.username : `${memberName(member)} (${member.username})`,
  }));
}

function useRoleOptions({ roles }: NotifyChoices): readonly Option<string>[] {
  const roleName = useRoleName();
  return roles.map((role) => ({ value: String(role.id), label: `${roleName(role)} (${role.members})` }));
}

function useMemberHint(choices: NotifyChoices, step: StepDraft): string | undefined {
  const { t } = useTranslation('NotifyConfig');
  const names = unreachableMembers(step, choices).map(memberName);
  return names.length === 0 ? undefined : t("These senders can't reach: {{names}}", { names: listText(names) });
}

const STEP = {
  display: 'grid',
  gap: 2,
  minWidth: 0,
  p: 1.5,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
