import { simPlans } from '../../../../shared/api/netflow/netflow.ts';
import { MAX_SIM_PLANS, type SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { useList } from '../../../../shared/ui/records/useList.ts';

const NONE: readonly SimPlan[] = [];

/** All data plans of the member group by name. */
export function usePlans(): readonly SimPlan[] {
  const list = useList({
    name: 'netflow-plan-choices',
    load: simPlans.list,
    query: { place: { offset: 0 }, limit: MAX_SIM_PLANS, sort: 'name' },
    changedBy: ['simplan'],
  });
  return list.isKnown ? list.page.rows : NONE;
}
