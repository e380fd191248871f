// Who of a step's members its senders can't reach. Pure.
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { isPersonal, type SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import type { StepDraft } from './ruleForm.ts';

type MemberChoice = NotifyChoices['members'][number];

/** Members whom none of the step's senders to people can reach. Nobody where it has no such sender. */
export function unreachableMembers(
  { members, deliveries }: Pick<StepDraft, 'members' | 'deliveries'>,
  choices: Pick<NotifyChoices, 'members' | 'senders'>,
): readonly MemberChoice[] {
  const chosen = new Set(deliveries.map(({ sender }) => sender));
  const kinds = choices.senders.filter(({ id, kind }) => chosen.has(String(id)) && isPersonal(kind));
  if (kinds.length === 0) return [];
  const selected = choices.members.filter(({ id }) => members.includes(String(id)));
  return selected.filter((member) => !kinds.some(({ kind }) => canReach(member, kind)));
}

function canReach({ hasEmail, hasPhone, pushBrowsers }: MemberChoice, kind: SenderKind): boolean {
  switch (kind) {
    case 'email':
      return hasEmail;
    case 'sms':
      return hasPhone;
    case 'push':
      return pushBrowsers > 0;
    case 'webhook':
    case 'syslog':
      return false;
  }
}

export function memberName({ displayName, username }: Pick<MemberChoice, 'displayName' | 'username'>): string {
  return displayName || username;
}
