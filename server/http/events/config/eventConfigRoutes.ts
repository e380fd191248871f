// What is configured of events by installation, device group and device.
import type { FastifyInstance } from 'fastify';
import { registerAlarmLimits } from './alarmLimitRoutes.ts';
import type { EventConfigDeps } from './eventConfigDeps.ts';
import { registerRulePreview } from './previewRoute.ts';
import { registerEventRules } from './ruleRoutes.ts';

export async function registerEventConfigRoutes(app: FastifyInstance, deps: EventConfigDeps): Promise<void> {
  registerEventRules(app, deps);
  registerRulePreview(app, deps);
  registerAlarmLimits(app, deps);
}
