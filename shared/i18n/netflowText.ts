// The words of data usage in the user's language. The page loads the namespace `NetflowWords`.
import i18next from 'i18next';
import { NETFLOW_KIND_NAMES, PLAN_ACTION_NAMES } from '../protocol/netflow/netflowTexts.ts';
import type { NetflowKind, PlanAction } from '../protocol/netflow/netflowWords.ts';

export function netflowKindText(kind: NetflowKind): string {
  return i18next.t(NETFLOW_KIND_NAMES[kind], { ns: 'NetflowWords' });
}

export function planActionText(action: PlanAction): string {
  return i18next.t(PLAN_ACTION_NAMES[action], { ns: 'NetflowWords' });
}
