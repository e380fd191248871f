// What members do with the data plans of their group.
import type { SimPlan, SimPlanContent } from '../../../shared/protocol/api/netflow/netflow.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import {
  createRecordActs,
  type RecordActs,
  type RecordActsDeps,
  type RecordRules,
  refusalOfFields,
} from '../../records/recordActs.ts';

export type SimPlanActs = RecordActs<SimPlanContent, SimPlan>;

const RULES: RecordRules<SimPlanContent, SimPlan> = {
  subject: 'simplan',
  kind: 'simplan',
  nameOf: ({ name }) => name,
  tidy: (content) => ({ ...content, name: content.name.trim(), price: content.price.trim() }),
  check: ({ name, timeZone }) => {
    if (name === '') return refusalOfFields({ name: 'required' });
    return refusalOfFields(isTimeZone(timeZone) ? {} : { timeZone: 'unknown' });
  },
  auditFields: ({ name, megabytes, resetDay, timeZone, price, action }) => {
    return { name, megabytes, resetDay, timeZone, price, action };
  },
};

export function createSimPlanActs(deps: RecordActsDeps<SimPlanContent, SimPlan>): SimPlanActs {
  return createRecordActs(RULES, deps);
}
