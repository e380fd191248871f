// The form of a data plan as data. Pure.
import type { SimPlan, SimPlanContent } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface PlanDraft {
  readonly name: string;
  readonly megabytes: number | null;
  /** 1 to 31. */
  readonly resetDay: string;
  readonly timeZone: string;
  readonly price: string;
  readonly action: PlanAction;
}

export const RESET_DAYS: readonly string[] = Array.from({ length: 31 }, (_, at) => String(at + 1));
const MAX_MEGABYTES = 100_000_000;

export function newPlan(timeZone: string): PlanDraft {
  return { name: '', megabytes: null, resetDay: '1', timeZone, price: '', action: 'none' };
}

export function draftOfPlan({ name, megabytes, resetDay, timeZone, price, action }: SimPlan): PlanDraft {
  return { name, megabytes, resetDay: String(resetDay), timeZone, price, action };
}

/** The content of a draft without problems. */
export function contentOfPlan(draft: PlanDraft): SimPlanContent {
  const { name, megabytes, resetDay, timeZone, price, action } = draft;
  return {
    name: name.trim(),
    megabytes: megabytes ?? 0,
    resetDay: Number(resetDay),
    timeZone,
    price: price.trim(),
    action,
  };
}

export interface PlanTexts {
  readonly noName: string;
  readonly badMegabytes: string;
  readonly noZone: string;
}

export function checkPlan({ name, megabytes, timeZone }: PlanDraft, texts: PlanTexts): Problems<PlanDraft> {
  const isSize = megabytes !== null && Number.isInteger(megabytes) && megabytes >= 1 && megabytes <= MAX_MEGABYTES;
  return {
    name: name.trim() === '' ? texts.noName : undefined,
    megabytes: isSize ? undefined : texts.badMegabytes,
    timeZone: timeZone === '' ? texts.noZone : undefined,
  };
}
