// What is configured of events by installation, device group and device.
import type { FastifyInstance } from 'fastify';
import { registerChanging } from '../../kernel/recordChanges.ts';
import { registerAlarmLimits } from './alarmLimitRoutes.ts';
import type { EventConfigDeps } from './eventConfigDeps.ts';
import { registerRulePreview } from './previewRoute.ts';
import { registerEventRules } from './ruleRoutes.ts';

export async function registerEventConfigRoutes(app: FastifyInstance, deps: EventConfigDeps): Promise<void> {
  await registerChanging(app, ['eventrule'], async (routes) => registerEventRules(routes, deps));
  registerRulePreview(app, deps);
  registerAlarmLimits(app, deps);
}
