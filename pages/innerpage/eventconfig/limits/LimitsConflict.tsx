import { readAlarmLimits } from '../../../../shared/api/eventConfig.ts';
import type { DeviceAlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { draftOfLimits, LIMIT_NAMES, type LimitsDraft } from './limitsForm.ts';
import { useLimitDraftText, useLimitNames } from './limitTexts.ts';

export interface LimitsConflictProps {
  readonly form: Form<LimitsDraft>;
  /** The limits as they are now. */
  readonly onLimits: (limits: DeviceAlarmLimits) => void;
}

/** Another administrator has set the limits first. */
export function LimitsConflict({ form, onLimits }: LimitsConflictProps) {
  const [names, draftText] = [useLimitNames(), useLimitDraftText()];
  if (form.conflict === undefined) return null;
  const limits = readAlarmLimits(form.conflict);
  const theirs = draftOfLimits(limits);
  return (
    <ConflictDialog<LimitsDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={LIMIT_NAMES.map((name) => ({ name, label: names[name], show: (draft) => draftText(name, draft) }))}
      onChoose={(values) => {
        onLimits(limits);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}
