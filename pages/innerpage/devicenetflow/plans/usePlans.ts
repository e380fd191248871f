import { listSimPlans } from '../../../../shared/api/netflow.ts';
import type { SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { useList } from '../../../../shared/ui/records/useList.ts';

const NONE: readonly SimPlan[] = [];
/** As many as a list gives at once; a form with more would be no help. */
const MOST = 100;

/** The data plans of the member group by name. */
export function usePlans(): readonly SimPlan[] {
  const list = useList({
    name: 'netflow-plan-choices',
    load: listSimPlans,
    query: { place: { offset: 0 }, limit: MOST, sort: 'name' },
    changedBy: ['simplan'],
  });
  return list.isKnown ? list.page.rows : NONE;
}
