// A rule in a few plain words.

import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type {
  NotifyChoices,
  NotifyRuleContent,
  NotifyStep,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { chosenOptions, shortOptions, typeOptions } from '../../../../shared/ui/events/typeOptions.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { memberName } from '../rule/reachability.ts';
import { useRoleName } from '../useNotifyChoices.ts';
import { shortList } from './shortList.ts';

export interface RuleSummary {
  /** Types and severities. */
  readonly events: (rule: Pick<NotifyRuleContent, 'types' | 'severities'>) => string;
  readonly devices: (rule: Pick<NotifyRuleContent, 'deviceGroups' | 'devices' | 'coversGateway'>) => string;
  /** Who is notified through which sender, step by step. */
  readonly steps: (rule: Pick<NotifyRuleContent, 'steps' | 'repeatMinutes' | 'digestMinutes'>) => string;
  readonly senders: (rule: Pick<NotifyRuleContent, 'steps'>) => string;
}

export function useRuleSummary(choices: NotifyChoices, names: EventNames): RuleSummary {
  return { events: useEventsText(names), devices: useDevicesText(choices), ...useStepsText(choices) };
}

function useEventsText(names: EventNames): RuleSummary['events'] {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  return ({ types, severities }) => {
    const known = names.types.map(({ code, category }) => ({ code, category, name: names.nameOf(code) }));
    const chosen = shortOptions(chosenOptions(typeOptions(known), types));
    const labels = chosen.map((option) =>
      option.kind === 'category'
        ? t('All of {{category}}', { category: categoryText(option.category) })
        : names.nameOf(option.code),
    );
    const which = types.length === 0 ? t('All types') : shortList(labels);
    return severities.length === 0 ? which : `${which} · ${listText(severities.map(severityText))}`;
  };
}

function useDevicesText({ deviceGroups, devices }: NotifyChoices): RuleSummary['devices'] {
  const { t } = useTranslation('NotifyConfig');
  return (rule) => {
    const groups = rule.deviceGroups.map((id) => deviceGroups.find((each) => each.id === id)?.name ?? String(id));
    const own = rule.devices.map((id) => devices.find(({ deviceid }) => deviceid === id)?.name || id);
    const named = [...groups, ...own];
    const which = named.length === 0 ? t('All devices') : shortList(named);
    return rule.coversGateway ? `${which} · ${t('Server')}` : which;
  };
}

function useStepsText(choices: NotifyChoices): Pick<RuleSummary, 'steps' | 'senders'> {
  const { t } = useTranslation('NotifyConfig');
  const roleName = useRoleName();
  const senderName = (id: number) => choices.senders.find((each) => each.id === id)?.name ?? t('Deleted sender');
  const sendersOf = ({ deliveries }: NotifyStep) => deliveries.map(({ sender }) => senderName(sender));
  const recipientsOf = ({ members, roles, addresses }: NotifyStep): readonly string[] => [
    ...members.map((id) =>
      nameOf(
        choices.members.find((each) => each.id === id),
        id,
      ),
    ),
    ...roles.map((id) =>
      nameOfRole(
        choices.roles.find((each) => each.id === id),
        id,
      ),
    ),
    ...addresses,
  ];
  const nameOf = (member: NotifyChoices['members'][number] | undefined, id: number) =>
    member === undefined ? String(id) : memberName(member);
  const nameOfRole = (role: NotifyChoices['roles'][number] | undefined, id: number) =>
    role === undefined ? String(id) : roleName(role);
  const stepText = (step: NotifyStep): string => {
    const minutes = step.afterMinutes;
    const senders = shortList(sendersOf(step));
    const all = recipientsOf(step);
    if (all.length === 0) {
      return minutes === 0
        ? t('At once by {{senders}}', { senders })
        : t('After {{minutes}} min by {{senders}}', { minutes, senders });
    }
    const recipients = shortList(all);
    return minutes === 0
      ? t('At once to {{recipients}} by {{senders}}', { recipients, senders })
      : t('After {{minutes}} min to {{recipients}} by {{senders}}', { minutes, recipients, senders });
  };
  return {
    steps: ({ steps, repeatMinutes, digestMinutes }) =>
      [
        ...steps.map(stepText),
        ...(repeatMinutes > 0 ? [t('Repeats every {{minutes}} min', { minutes: repeatMinutes })] : []),
        ...(digestMinutes > 0 ? [t('Digest every {{minutes}} min', { minutes: digestMinutes })] : []),
      ].join('; '),
    senders: ({ steps }) => listText([...new Set(steps.flatMap(sendersOf))]),
  };
}
