// What is wrong with what is typed, by the paths that the gateway names too: `steps.1.addresses`. Pure.
import { isPersonal, type SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { isAddress, kindOfAddress } from '../../../../shared/ui/addresses/addresses.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { OPTIONAL_MINUTES, type OptionalMinutes, type RuleDraft, type StepDraft } from './ruleForm.ts';

const MINUTES_A_DAY = 1_440;
const SHORTEST_REPEAT_MINUTES = 5;

export interface RuleTexts {
  readonly noName: string;
  readonly range: (minimum: number, maximum: number) => string;
  readonly noSender: string;
  readonly noRecipient: string;
  /** `address`: the first one that isn't an address. */
  readonly badAddress: (address: string) => string;
  /** `minutes`: the delay of the previous step. */
  readonly tooEarly: (minutes: number) => string;
}

export interface RuleCheck {
  readonly texts: RuleTexts;
  /** Undefined for a sender that doesn't exist. */
  readonly kindOf: (sender: string) => SenderKind | undefined;
}

const MINIMUMS: Readonly<Record<OptionalMinutes, number>> = {
  intervalMinutes: 1,
  repeatMinutes: SHORTEST_REPEAT_MINUTES,
  digestMinutes: 1,
};

export function checkRule(draft: RuleDraft, check: RuleCheck): Problems<RuleDraft> {
  const { texts } = check;
  const minutes = OPTIONAL_MINUTES.map((name) => {
    const value = draft[name];
    const isFine = value === null || isWithin(value, MINIMUMS[name]);
    return [name, isFine ? undefined : texts.range(MINIMUMS[name], MINUTES_A_DAY)] as const;
  });
  const steps = draft.steps.flatMap((_, at) => stepProblems(draft.steps, at, check));
  const name = draft.name.trim() === '' ? texts.noName : undefined;
  return { name, ...Object.fromEntries(minutes), ...Object.fromEntries(steps) };
}

function isWithin(value: number, minimum: number): boolean {
  return Number.isInteger(value) && value >= minimum && value <= MINUTES_A_DAY;
}

type Problem = readonly [path: string, text: string];

function stepProblems(steps: readonly StepDraft[], at: number, { texts, kindOf }: RuleCheck): readonly Problem[] {
  const step = steps[at];
  if (step === undefined) return [];
  const path = `steps.${at}`;
  const time = timeProblem(step, steps[at - 1], texts);
  const badAddress = step.addresses.find((address) => !isAddress(address));
  const withoutSender = [...step.deliveries.entries()].filter(([, { sender }]) => sender === '');
  return [
    ...(time === undefined ? [] : [[`${path}.afterMinutes`, time] as const]),
    ...withoutSender.map(([each]) => [`${path}.deliveries.${each}.sender`, texts.noSender] as const),
    ...(badAddress === undefined ? [] : [[`${path}.addresses`, texts.badAddress(badAddress)] as const]),
    ...(lacksRecipient(step, kindOf) ? [[`${path}.recipients`, texts.noRecipient] as const] : []),
  ];
}

function timeProblem(
  { afterMinutes }: StepDraft,
  before: StepDraft | undefined,
  { range, tooEarly }: RuleTexts,
): string | undefined {
  if (afterMinutes === null || !isWithin(afterMinutes, 0)) return range(0, MINUTES_A_DAY);
  const earlier = before?.afterMinutes;
  if (earlier === undefined || earlier === null || Number.isNaN(earlier)) return undefined;
  return afterMinutes > earlier ? undefined : tooEarly(earlier);
}

/** Each sender to people needs a recipient; services need none. */
function lacksRecipient({ deliveries, members, roles, addresses }: StepDraft, kindOf: RuleCheck['kindOf']): boolean {
  if (members.length + roles.length > 0) return false;
  return deliveries.some(({ sender }) => {
    const kind = kindOf(sender);
    return kind !== undefined && isPersonal(kind) && !addresses.some((address) => kindOfAddress(address) === kind);
  });
}
