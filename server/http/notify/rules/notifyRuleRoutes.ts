// Rules about who is notified of which events.
import type { FastifyInstance } from 'fastify';
import { registerChanging } from '../../kernel/recordChanges.ts';
import type { NotifyRuleDeps } from './notifyRuleDeps.ts';
import { registerNotifyPreviews } from './previewRoutes.ts';
import { registerNotifyRules } from './ruleRoutes.ts';

export async function registerNotifyRuleRoutes(app: FastifyInstance, deps: NotifyRuleDeps): Promise<void> {
  await registerChanging(app, ['notifyrule'], async (routes) => registerNotifyRules(routes, deps));
  registerNotifyPreviews(app, deps);
}
